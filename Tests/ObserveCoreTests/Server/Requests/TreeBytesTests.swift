// SPDX-License-Identifier: MIT
// maxTreeBytes at its edge: what is refused, what always works, and that a refusal changes nothing.

import Testing

@testable import ObserveCore

struct TreeBytesTests {
    private static let limit = 1 << 20

    private func talk(_ roots: [(String, String)] = [("t", "{}")], limit: Int = limit) -> Conversation {
        var limits = ServerLimits()
        limits.tree.maxTreeBytes = limit
        return Conversation(roots, limits: limits)
    }

    private static func isRefused(_ answer: String) -> Bool {
        answer.hasPrefix(#"{"code":6,"message":"the tree would take "#)
            && answer.contains("bytes, more than maxTreeBytes (")
            && answer.hasSuffix(#"{"name":"limitExceeded"}}"#)
    }

    /// Sets `t.NUMBER` to further values until one is refused; returns how many were accepted.
    @discardableResult
    private func fill(_ talk: Conversation, _ value: (Int) -> String) -> Int {
        for number in 0..<1_000_000 {
            let answer = talk.ask("set", #"{"path":"t.key number \#(number)","value":\#(value(number))}"#)
            if answer.hasPrefix(#"{"revision":"#) { continue }
            #expect(Self.isRefused(answer), "\(answer)")
            return number
        }
        return .max
    }

    private static let shapes: [@Sendable (Int) -> String] = [
        { "\($0)" },
        { _ in "\"\(String(repeating: "x", count: 100))\"" },
        { _ in "\"\(String(repeating: "x", count: 10_000))\"" },
        { "{\"a\":{\"b\":\($0)},\"c\":[]}" },
        { "[\((0..<500).map(String.init).joined(separator: ",")),\($0)]" },
        { "[\((0..<100).map { "\"text \($0)\"" }.joined(separator: ",")),[[\($0)]]]" },
    ]

    @Test(arguments: shapes.indices)
    func `the tree is filled, emptied and filled again`(shape: Int) {
        let limit = 400 << 10
        let talk = talk(limit: limit)
        let count = fill(talk, Self.shapes[shape])
        #expect(talk.hub.tree.usedBytes <= limit && talk.hub.tree.usedBytes > limit * 97 / 100)
        let revision = talk.revision
        // A name or a value of the same size, and a smaller one, are accepted.
        #expect(talk.ask("set", #"{"path":"t.key number 0","value":null}"#).contains(#""changed":true"#))
        #expect(talk.ask("remove", #"{"path":"t.key number 1"}"#).contains(#""changed":true"#))
        #expect(talk.revision == revision + 2)
        #expect(talk.ask("remove", #"{"path":"t"}"#).contains(#""changed":true"#))
        #expect(talk.hub.tree.usedBytes < 200)
        talk.ask("set", #"{"path":"t","value":{}}"#)
        #expect(fill(talk, Self.shapes[shape]) == count)
        #expect(talk.hub.tree.faults() == [])
    }

    @Test func `status has the limit and its use`() {
        let talk = talk([])
        #expect(talk.ask("status", "{}").contains(#""maxTreeBytes":{"max":1048576,"used":0}"#))
        talk.ask("set", #"{"path":"x","value":1}"#)
        let used = talk.hub.tree.usedBytes
        #expect(used > 60 && used < 100)
        #expect(talk.ask("status", "{}").contains(#""maxTreeBytes":{"max":1048576,"used":\#(used)}"#))
        // Exact numbers would tell restricted clients the length of values.
        #expect(talk.hub.statusOfLimits(isCoarse: true)["maxTreeBytes"]?["used"] == 1_048_576)
    }

    @Test func `a refusal names the limit, its use and the maximum`() {
        let talk = talk([], limit: 100)
        talk.ask("set", #"{"path":"x","value":1}"#)
        let used = talk.hub.tree.usedBytes
        #expect(
            talk.ask("set", #"{"path":"x","value":"0123456789012345678901234567890123456789"}"#)
                == #"{"code":6,"message":"the tree would take \#(used + 40) bytes, more than maxTreeBytes (100) allows; it takes \#(used) now","data":{"name":"limitExceeded"}}"#
        )
        #expect(talk.value("x") == "1")
    }

    @Test func `a transaction is refused whole`() {
        let talk = talk([("t", #"{"a":1}"#)], limit: 400)
        talk.watch("t.**", "t.b")
        let (used, revision) = (talk.hub.tree.usedBytes, talk.revision)
        let long = String(repeating: "x", count: 200)
        let set = #"{"method":"set","params":{"path":"t.b","value":"\#(long)"}}"#
        let answer = talk.ask(
            "transaction",
            #"{"operations":[{"method":"increment","params":{"path":"t.a"}},\#(set)]}"#
        )
        #expect(Self.isRefused(answer))
        #expect(talk.value("t") == #"{"a":1}"#)
        #expect(talk.hub.tree.usedBytes == used && talk.revision == revision)
        #expect(talk.events() == [] && talk.hub.tree.faults() == [])
        // In between, it may exceed the limit.
        let remove = #"{"method":"remove","params":{"path":"t.b"}}"#
        #expect(talk.ask("transaction", #"{"operations":[\#(set),\#(remove)]}"#).contains(#""revision":"#))
    }

    @Test(arguments: ["merge", "insert", "increment", "lifetime", "link"])
    func `each write is refused`(method: String) {
        let talk = talk([("t", #"{"m":{"x":{}},"r":[]}"#)])
        let text = "\"" + String(repeating: "x", count: 4000) + "\""
        talk.hub.tree.records.limits.maxTreeBytes = talk.hub.tree.usedBytes
        let answer =
            switch method {
            case "merge": talk.ask("merge", #"{"path":"t.m","value":{"y":1}}"#)
            case "insert": talk.ask("insert", #"{"path":"t.r","value":1}"#)
            case "increment": talk.ask("increment", #"{"path":"t.n"}"#)
            case "link": talk.ask("link", #"{"path":"t.l","target":"t.m"}"#)
            default: talk.ask("set", #"{"path":"t.m","value":\#(text),"lifetime":1000}"#)
            }
        #expect(Self.isRefused(answer), "\(answer)")
        #expect(talk.value("t") == #"{"m":{"x":{}},"r":[]}"#)
        #expect(talk.hub.tree.faults() == [])
    }

    @Test func `growth by a binding or a computed property is refused with its write`() throws {
        let talk = talk([("t", #"{"a":"","b":[],"c":null,"m":{"x":1},"n":{"x":"y"}}"#)])
        talk.ask("bind", #"{"source":"t.a","target":"t.b.0"}"#)
        talk.ask("bind", #"{"source":"t.a","target":"t.c"}"#)
        talk.ask("bind", #"{"source":"t.m.x","target":"t.d"}"#)
        talk.ask("set", #"{"path":"t.a","value":"short"}"#)
        let failing = talk.hub.tree.failingBindings
        let text = String(repeating: "x", count: 1000)
        talk.hub.tree.records.limits.maxTreeBytes = talk.hub.tree.usedBytes + 1500
        #expect(Self.isRefused(talk.ask("set", #"{"path":"t.a","value":"\#(text)"}"#)))
        #expect(talk.value("t.a") == "\"short\"" && talk.value("t.c") == "\"short\"")
        #expect(talk.hub.tree.failingBindings == failing)
        // The refused commit led the binding elsewhere.
        let link = #"{"method":"link","params":{"path":"t.m","target":"t.n"}}"#
        let set = #"{"method":"set","params":{"path":"t.a","value":"\#(text)"}}"#
        #expect(Self.isRefused(talk.ask("transaction", #"{"operations":[\#(link),\#(set)]}"#)))
        talk.ask("set", #"{"path":"t.m.x","value":2}"#)
        talk.ask("set", #"{"path":"t.n.x","value":3}"#)
        #expect(talk.value("t.d") == "2")
        talk.ask("set", #"{"path":"t.a","value":"other"}"#)
        #expect(talk.value("t.c") == "\"other\"")
        #expect(talk.hub.tree.faults() == [])
    }

    @Test func `a binding without room is not made`() {
        let text = String(repeating: "x", count: 1000)
        let talk = talk([("t", #"{"a":"\#(text)"}"#)])
        talk.hub.tree.records.limits.maxTreeBytes = talk.hub.tree.usedBytes + 500
        #expect(Self.isRefused(talk.ask("bind", #"{"source":"t.a","target":"t.b"}"#)))
        #expect(talk.hub.tree.bindingCount == 0 && talk.hub.tree.faults() == [])
    }

    @Test func `a larger tree shrinks, and does not grow`() {
        let talk = talk(
            [("t", #"{"a":"\#(String(repeating: "x", count: 500))","b":"bbbbbbbb","c":[1,2,3]}"#)],
            limit: 100
        )
        let used = talk.hub.tree.usedBytes
        #expect(used > 500)
        #expect(Self.isRefused(talk.ask("set", #"{"path":"t.d","value":1}"#)))
        #expect(Self.isRefused(talk.ask("insert", #"{"path":"t.c","value":1}"#)))
        #expect(talk.ask("set", #"{"path":"t.b","value":"cccccccc"}"#).contains(#""changed":true"#))
        #expect(talk.ask("set", #"{"path":"t.c","value":[4,5,6]}"#).contains(#""changed":true"#))
        #expect(talk.hub.tree.usedBytes == used)
        // A property for another one with a name of the same length.
        let set = #"{"method":"set","params":{"path":"t.e","value":"cccccccc"}}"#
        let remove = #"{"method":"remove","params":{"path":"t.b"}}"#
        #expect(talk.ask("transaction", #"{"operations":[\#(set),\#(remove)]}"#).contains(#""changed":true"#))
        #expect(talk.hub.tree.usedBytes == used)
        #expect(talk.ask("set", #"{"path":"t.a","value":""}"#).contains(#""changed":true"#))
        #expect(talk.hub.tree.usedBytes < used - 500)
    }

    @Test func `remove and ends of lifetimes work though a binding makes the tree larger`() {
        let text = String(repeating: "x", count: 1000)
        let talk = talk([("t", #"{"list":[1,"\#(text)"],"copy":1,"old":"\#(text)"}"#)])
        talk.ask("bind", #"{"source":"t.list.0","target":"t.copy"}"#)
        talk.ask("bind", #"{"source":"t.old","target":"t.new"}"#)
        talk.ask("set", #"{"path":"t.old","value":1,"lifetime":10}"#)
        talk.ask("set", #"{"path":"t.new","value":1}"#)
        talk.hub.tree.records.limits.maxTreeBytes = 1
        #expect(talk.ask("remove", #"{"path":"t.list.0"}"#).contains(#""changed":true"#))
        #expect(talk.value("t.copy") == "\"\(text)\"")
        talk.pass(milliseconds: 20)
        #expect(talk.value("t.new") == "\"\(text)\"")
        #expect(talk.hub.tree.faults() == [])
    }

    @Test func `temporary values count`() {
        let talk = talk()
        let text = String(repeating: "x", count: 3000)
        let used = talk.hub.tree.usedBytes
        talk.ask("set", #"{"path":"t.x","value":"\#(text)"}"#)
        for number in 0..<100 {
            talk.ask("set", #"{"path":"t.x","value":"\#(number)\#(text)","lifetime":\#(100 - number)}"#)
        }
        #expect(talk.hub.tree.usedBytes > used + 300_000 && talk.hub.tree.faults() == [])
        talk.pass(milliseconds: 200)
        talk.ask("remove", #"{"path":"t.x"}"#)
        #expect(talk.hub.tree.usedBytes == used && talk.hub.tree.stacks.byteCount == 0)
    }

    @Test(arguments: [false, true]) func `a load without room is refused`(isDump: Bool) throws {
        let json = "[\((0..<5000).map { "{\"name\":\($0)}" }.joined(separator: ","))]"
        let source = Hub.with([("t", json)])
        let text = isDump ? try FakeClient(source).dump() : json
        let params = isDump ? "" : #""path":"t","#
        let talk = talk([("t", #"{"old":1}"#)], limit: 200_000)
        let used = talk.hub.tree.usedBytes
        let part = { (number: Int, text: Substring, isLast: Bool) in
            let quoted = ByteBuffer()
            quoted.appendJSONString(utf8: String(text))
            return talk.ask(
                "load",
                #"{\#(number == 0 ? params : "")"part":\#(number),"last":\#(isLast),"text":\#(quoted.string)}"#
            )
        }
        // Whole, and in parts: these end before the last one.
        #expect(part(0, text[...], true).hasPrefix(#"{"code":6,"#))
        let size = text.count / 10
        var (sent, answer) = (0, "")
        for number in 0..<10 where !answer.hasPrefix(#"{"code""#) {
            answer = part(
                number,
                text.dropFirst(number * size).prefix(number == 9 ? text.count : size),
                number == 9
            )
            sent += 1
        }
        #expect(answer.hasPrefix(#"{"code":6,"#) && answer.contains("maxTreeBytes (200000)"))
        // JSON is refused when its models are built, and before the commit.
        #expect(answer.contains("the load was cancelled") && (sent < 10) == isDump)
        #expect(talk.client.session.intake == nil)
        #expect(talk.value("t") == #"{"old":1}"# && talk.hub.tree.usedBytes == used)
        #expect(talk.hub.tree.faults() == [])
    }

    @Test(arguments: [false, true])
    func `a restart counts the same, also above the limit`(withSnapshot: Bool) throws {
        let daemon = try JournaledHub()
        let long = String(repeating: "x", count: 1000)
        daemon.ask(
            "set",
            #""path":"t","value":{"a":{"long name":"\#(long)"},"list":[[1],"\#(long)"],"gone":{"x":1}}"#
        )
        daemon.ask("link", #""path":"t.link","target":"t.a""#)
        daemon.ask("link", #""path":"t.weak","target":"t.a","weak":true"#)
        daemon.ask("set", #""path":"t.a.n","value":"\#(long)","lifetime":100000"#)
        daemon.ask("remove", #""path":"t.gone""#)
        if withSnapshot { try daemon.snapshot() }
        daemon.ask("insert", #""path":"t.list","value":"short","index":1"#)
        let used = daemon.tree.usedBytes
        try daemon.restart()
        #expect(daemon.tree.usedBytes == used && daemon.tree.faults() == [])
        daemon.tree.records.limits.maxTreeBytes = used / 2
        #expect(daemon.ask("set", #""path":"t.b","value":1"#).contains("maxTreeBytes"))
        #expect(daemon.ask("set", #""path":"t.a","value":1"#).contains(#""changed":true"#))
        #expect(daemon.ask("remove", #""path":"t""#).contains(#""changed":true"#))
        #expect(daemon.tree.usedBytes == 0 && daemon.tree.faults() == [])
    }

    @Test func `the history bounds the names of what was removed`() {
        let talk = talk()
        talk.hub.tree.keepHistory(commits: 1000)
        for number in 0..<100 {
            let name = String(repeating: "\(number % 10)", count: 100_000 + number)
            talk.ask("set", #"{"path":["t","\#(name)"],"value":1}"#)
            talk.ask("remove", #"{"path":["t","\#(name)"]}"#)
            talk.ask("set", #"{"path":"t.m","value":{"\#(name)":1}}"#)
            talk.ask("set", #"{"path":"t.m","value":{}}"#)
        }
        #expect(talk.hub.tree.records.names.count < 30)
        talk.hub.tree.forgetHistory()
        #expect(talk.hub.tree.history.textBytes == 0)
        #expect(talk.hub.tree.faults() == [])
    }
}
