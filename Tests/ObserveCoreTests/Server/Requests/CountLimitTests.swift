// SPDX-License-Identifier: MIT
// The limits that count: each at its edge, where the last one is accepted and the next one refused.

import Testing

@testable import ObserveCore

struct CountLimitTests {
    func talk(_ set: (inout ServerLimits) -> Void) -> Conversation {
        var limits = ServerLimits()
        set(&limits)
        return Conversation([("t", #"{"a":1,"m":{}}"#)], limits: limits)
    }

    private static func refused(_ sentence: String) -> String {
        #"{"code":6,"message":"\#(sentence)","data":{"name":"limitExceeded"}}"#
    }

    // MARK: maxSubscriptions

    private static let tooManyPaths = refused(
        "a connection observes at most 3 paths and patterns (maxSubscriptions)"
    )

    @Test func `a connection observes as many paths as the limit says`() {
        let talk = talk { $0.clients.maxSubscriptions = 3 }
        #expect(
            talk.ask("subscribe", #"{"paths":["t.a","t.b"],"initial":false}"#).hasPrefix(
                #"{"subscription":1,"#
            )
        )
        let held = talk.hub.clientRecords
        #expect(talk.ask("subscribe", #"{"paths":["t.c","t.d"]}"#) == Self.tooManyPaths)
        #expect(talk.hub.clientRecords == held)
        #expect(talk.ask("subscribe", #"{"path":"t.*","initial":false}"#).hasPrefix(#"{"subscription":2,"#))
        #expect(talk.ask("subscribe", #"{"path":"t.c"}"#) == Self.tooManyPaths)
        #expect(talk.ask("subscribe", #"{"path":"t.**"}"#) == Self.tooManyPaths)
        #expect(talk.ask("subscribe", #"{"path":"observed.uptime"}"#) == Self.tooManyPaths)
        // Another connection has its own.
        talk.watch("t.a", "t.b", "t.c")
    }

    @Test func `an ended subscription frees its paths`() {
        let talk = talk { $0.clients.maxSubscriptions = 3 }
        for subscribed in [
            #"["t.a","t.b","t.a"]"#, #"["t.a","t.*","t.a"]"#, #"["observed.uptime","t.**","t.b"]"#,
        ] {
            for _ in 0..<3 {
                let answer = talk.ask("subscribe", #"{"paths":\#(subscribed),"initial":false}"#)
                let number = answer.prefix { $0 != "," }.drop { !$0.isNumber }
                #expect(talk.ask("subscribe", #"{"paths":\#(subscribed)}"#) == Self.tooManyPaths)
                #expect(talk.ask("unsubscribe", #"{"subscription":\#(number)}"#) == "{}")
            }
        }
    }

    /// Before, long names took memory without a bound.
    @Test(arguments: [".*", ""])
    func `a path counts once more for each KiB of its text`(end: String) {
        let talk = talk { $0.clients.maxSubscriptions = 3 }
        func subscribe(_ bytes: Int) -> String {
            let path = "t." + String(repeating: "x", count: bytes) + end
            return talk.ask("subscribe", #"{"paths":["\#(path)"],"initial":false}"#)
        }
        #expect(subscribe(3 << 10) == Self.tooManyPaths)
        for number in 1...2 {
            #expect(subscribe(2 << 10).hasPrefix(#"{"subscription":\#(number),"#))
            #expect(subscribe(1) == Self.tooManyPaths)
            #expect(talk.ask("unsubscribe", #"{"subscription":\#(number)}"#) == "{}")
        }
    }

    @Test func `a quarter of a connection's paths may be paced`() {
        let talk = talk { $0.clients.maxSubscriptions = 9 }
        let refusal = Self.refused(
            "a connection observes at most 3 paths and patterns with throttle or debounce (a quarter of maxSubscriptions)"
        )
        func subscribe(_ paths: String, _ pace: String = #","throttle":9"#) -> String {
            talk.ask("subscribe", #"{"paths":[\#(paths)],"initial":false\#(pace)}"#)
        }
        #expect(subscribe(#""t.a","t.b""#).hasPrefix(#"{"subscription":1,"#))
        #expect(subscribe(#""t.c","t.d""#) == refusal)
        #expect(subscribe(#""t.*""#, #","debounce":9"#).hasPrefix(#"{"subscription":2,"#))
        #expect(subscribe(#""t.c""#) == refusal)
        // All others may be paced by no time, which is none.
        #expect(subscribe(#""t.a","t.b","t.c""#, #","throttle":0"#).hasPrefix(#"{"subscription":3,"#))
        for number in [1, 2] {
            #expect(talk.ask("unsubscribe", #"{"subscription":\#(number)}"#) == "{}")
        }
        #expect(subscribe(#""t.a","t.b","t.*""#).hasPrefix(#"{"subscription":4,"#))
    }

    @Test func `a quarter of a connection's paths may be patterns, and 1024 of any number`() {
        func subscribes(_ limit: Int, atMost most: Int) {
            let talk = talk { $0.clients.maxSubscriptions = limit }
            func subscribe(_ count: Int) -> String {
                let paths = (0..<count).map { #""t.a\#($0).*""# }.joined(separator: ",")
                return talk.ask("subscribe", #"{"paths":[\#(paths)],"initial":false}"#)
            }
            let refusal = Self.refused(
                "a connection observes at most \(most) patterns (a quarter of maxSubscriptions)"
            )
            #expect(subscribe(most + 1) == refusal)
            #expect(subscribe(most - 1).hasPrefix(#"{"subscription":1,"#))
            #expect(subscribe(2) == refusal)
            #expect(subscribe(1).hasPrefix(#"{"subscription":2,"#))
            #expect(talk.ask("unsubscribe", #"{"subscription":1}"#) == "{}")
            #expect(subscribe(most - 1).hasPrefix(#"{"subscription":3,"#))
            #expect(talk.hub.tree.faults() == [])
        }
        subscribes(5000, atMost: 1250)
        subscribes(2000, atMost: 1024)
    }

    @Test func `a path that is given twice counts once`() {
        let talk = talk { $0.clients.maxSubscriptions = 3 }
        talk.ask("subscribe", #"{"paths":["t.a","t.a"],"initial":false}"#)
        #expect(
            talk.ask("subscribe", #"{"paths":["t.b","t.c"],"initial":false}"#).hasPrefix(
                #"{"subscription":2,"#
            )
        )
        #expect(talk.ask("subscribe", #"{"path":"t.d"}"#) == Self.tooManyPaths)
    }

    // MARK: maxMatches

    @Test func `the patterns of a connection match so many paths together`() {
        let talk = talk {
            $0.clients.maxSubscriptions = 4
            $0.tree.maxMatches = 3
        }
        func subscribe(_ paths: String) -> String {
            talk.ask("subscribe", #"{"paths":[\#(paths)],"initial":false}"#)
        }
        func refusal(_ path: String) -> String {
            #"{"code":6,"message":"with the pattern \#(path), those of this connection match more than 4 paths (maxMatches)","data":{"name":"limitExceeded","path":"\#(path)"}}"#
        }
        talk.ask("set", #"{"path":"t","value":{"a":1,"b":2}}"#)
        talk.ask("set", #"{"path":"u","value":{"a":1,"b":2}}"#)
        #expect(subscribe(#""t.*""#).hasPrefix(#"{"subscription":1,"#))
        let held = talk.hub.clientRecords
        #expect(subscribe(#""u.*","t.*""#) == refusal("t.*"))
        #expect(subscribe(#""u.*","u.*""#) == refusal("u.*"))
        #expect(talk.hub.clientRecords == held && talk.hub.tree.faults() == [])
        #expect(subscribe(#""u.*""#).hasPrefix(#"{"subscription":2,"#))
        #expect(subscribe(#""u.*""#) == refusal("u.*"))
        #expect(talk.ask("unsubscribe", #"{"subscription":1}"#) == "{}")
        #expect(subscribe(#""t.*""#).hasPrefix(#"{"subscription":3,"#))
        // A pattern alone may match 3, but both together may not match 5.
        talk.ask("set", #"{"path":"u.c","value":1}"#)
        #expect(talk.client.session.delivery.closing == .tooManyMatches)
        #expect(talk.hub.tree.faults() == [])
    }

    /// Patterns, a value in which each matches five paths, and a write that adds a sixth.
    private static let five: [(path: String, value: String, sixth: (path: String, value: String))] = [
        ("t.*", #"{"a":1,"b":{},"c":null,"d":[1],"e":"x"}"#, ("t.f", "1")),
        ("t.*.*", #"{"a":{"x":1,"y":2},"b":{},"c":[7,8,9],"d":1,"e":"x","f":{}}"#, ("t.f.z", "1")),
        ("t.*.b", #"{"a":1,"b":{"b":1},"c":2,"d":[],"e":{}}"#, ("t.f", "{}")),
        ("t.*.x.*", #"{"a":{"x":[1,2]},"b":{"x":{"k":1,"l":1,"m":2}},"c":{"y":5},"d":3}"#, ("t.c.x", "[0]")),
        ("t.m.**", #"{"m":{"a":1,"b":[1,2,3,4,5,6]}}"#, ("", "")),
        ("t.*.**", #"{"a":{"x":1,"y":2},"b":{},"c":[7,8,9],"d":1,"e":"x"}"#, ("t.f", "{}")),
        ("t.*.*.@sum", #"{"a":{"x":[1],"y":[2]},"b":[[],[],3],"c":{}}"#, ("t.c.x", "[0]")),
    ]

    @Test(arguments: 0..<7)
    func `a pattern matches as many paths as the limit says, whatever is on the way`(index: Int) {
        let (path, value, sixth) = Self.five[index]
        let talk = talk { $0.tree.maxMatches = 5 }
        talk.ask("set", #"{"path":"t","value":\#(value)}"#)
        let answer = talk.ask("subscribe", #"{"path":"\#(path)","initial":false}"#)
        #expect(answer.hasPrefix(#"{"subscription":1,"#), "\(answer)")
        #expect(talk.hub.tree.faults() == [])
        if sixth.path.isEmpty { return }
        // It grows beyond the limit; then it can't begin.
        talk.ask("set", #"{"path":"\#(sixth.path)","value":\#(sixth.value)}"#)
        #expect(talk.client.session.delivery.closing == .tooManyMatches)
        let other = FakeClient(talk.hub, token: 9)
        let refused = other.ask(#"{"id":1,"method":"subscribe","params":{"path":"\#(path)"}}"#)
        #expect(
            refused.count == 1 && refused[0].contains("matches more than 5 paths (maxMatches)"),
            "\(refused)"
        )
        #expect(talk.hub.tree.faults() == [])
    }

    @Test func `all roots may match as many as the limit says`() {
        let talk = talk { $0.tree.maxMatches = 3 }
        for root in ["u", "v"] { talk.ask("set", #"{"path":"\#(root)","value":{"a":1,"b":1,"c":1}}"#) }
        #expect(talk.ask("subscribe", #"{"path":"**","initial":false}"#).hasPrefix(#"{"subscription":1,"#))
        talk.ask("set", #"{"path":"w","value":1}"#)
        #expect(talk.client.session.delivery.closing == .tooManyMatches)
    }

    // MARK: maxRenderedBytes

    @Test func `a raised limit counts for a value that was too large before`() {
        let talk = talk { $0.tree.maxRenderedBytes = 20 }
        talk.ask("set", #"{"path":"t.m","value":{"text":"longer than twenty bytes"}}"#)
        #expect(talk.ask("get", #"{"path":"t.m"}"#).contains(#""code":6"#))
        talk.hub.tree.adopt(TreeLimits())
        #expect(talk.ask("get", #"{"path":"t.m"}"#).hasPrefix(#"{"value":{"text":"#))
    }

    @Test func `an incremented number is in the answer, however short values may be`() {
        let talk = talk { $0.tree.maxRenderedBytes = 2 }
        #expect(
            talk.ask("increment", #"{"path":"t.a","by":999}"#)
                == #"{"revision":2,"changed":true,"value":1000}"#
        )
        #expect(talk.ask("get", #"{"path":"t.a"}"#).contains(#""code":6"#))
    }

    @Test func `a description is as long as the limit says`() {
        let talk = talk { $0.tree.maxRenderedBytes = 1000 }
        let object = (0..<40).map { "\"p\($0)\":\($0)" }.joined(separator: ",")
        #expect(talk.ask("describe", #"{"path":"t"}"#).contains(#""properties":["#))
        talk.ask("set", #"{"path":"t.m","value":{\#(object)}}"#)
        #expect(
            talk.ask("describe", #"{"path":"t.m"}"#)
                == #"{"code":6,"message":"the description of t.m exceeds 1000 bytes (maxRenderedBytes)","data":{"name":"limitExceeded","path":"t.m"}}"#
        )
        for index in 0..<20 { talk.ask("set", #"{"path":"root\#(index)","value":1}"#) }
        #expect(
            talk.ask("describe", #"{"path":""}"#).contains("the description of the roots exceeds 1000 bytes")
        )
        talk.ask("set", #"{"path":"t.s","value":0}"#)
        for index in 0..<20 { talk.ask("bind", #"{"source":"t.s","target":"t.target\#(index)"}"#) }
        #expect(talk.ask("bindings", "{}").contains(#","furtherBindings":"#))
    }

    // MARK: maxBindings

    @Test func `the tree has as many bindings as the limit says`() throws {
        let talk = talk { $0.tree.maxBindings = 2 }
        // The configuration's count too.
        try talk.hub.tree.bind(source: "t.a", target: "t.b", isTwoWay: false)
        #expect(talk.ask("bind", #"{"source":"t.a","target":"t.c"}"#).hasPrefix(#"{"binding":2,"#))
        let refused = Self.refused("the tree has at most 2 bindings (maxBindings)")
        #expect(talk.ask("bind", #"{"source":"t.a","target":"t.d"}"#) == refused)
        #expect(talk.value("t.d") == "null")
        #expect(talk.ask("unbind", #"{"binding":1}"#) == "{}")
        #expect(talk.ask("bind", #"{"source":"t.a","target":"t.d"}"#).hasPrefix(#"{"binding":3,"#))
        #expect(talk.ask("status", "{}").contains(#""maxBindings":{"max":2,"used":2}"#))
    }

    @Test func `a load with too many bindings changes nothing`() throws {
        let source = Hub.with([("t", #"{"a":1}"#)])
        try source.tree.bind(source: "t.a", target: "t.b", isTwoWay: false)
        try source.tree.bind(source: "t.a", target: "t.c", isTwoWay: false)
        let text = try FakeClient(source).dump()
        for limit in [2, 1] {
            var limits = ServerLimits()
            limits.tree.maxBindings = limit
            let hub = Hub.with([("t", #"{"old":true}"#)], limits: limits)
            let reply = FakeClient(hub).refusal(ofLoading: text)
            #expect(reply?.code == (limit == 2 ? nil : 6))
            #expect(hub.tree.bindingCount == (limit == 2 ? 2 : 0))
            #expect(hub.tree.json(ofRoot: "t") == (limit == 2 ? #"{"a":1,"b":1,"c":1}"# : #"{"old":true}"#))
            #expect(hub.tree.faults() == [])
        }
    }

    // MARK: maxOperations

    @Test func `a transaction has as many operations as the limit says`() {
        let talk = talk { $0.clients.maxOperations = 3 }
        func operations(_ count: Int) -> String {
            let set = #"{"method":"increment","params":{"path":"t.a"}}"#
            return "{\"operations\":[\(Array(repeating: set, count: count).joined(separator: ","))]}"
        }
        #expect(talk.ask("transaction", operations(3)).hasPrefix(#"{"revision":"#))
        let revision = talk.revision
        let refused = Self.refused(
            "a transaction holds at most 3 operations (maxOperations); nothing of it was executed"
        )
        #expect(talk.ask("transaction", operations(4)) == refused)
        #expect(talk.value("t.a") == "4")
        #expect(talk.revision == revision)
    }

    @Test func `a batch has as many requests as the limit says`() {
        let talk = talk { $0.clients.maxOperations = 3 }
        func batch(_ count: Int, _ request: String) -> [String] {
            talk.client.ask("[\(Array(repeating: request, count: count).joined(separator: ","))]")
        }
        let request = #"{"id":1,"method":"increment","params":{"path":"t.a"}}"#
        #expect(batch(3, request).count == 1)
        #expect(talk.value("t.a") == "4")
        let refused = Self.refused(
            "a batch holds at most 3 requests (maxOperations); nothing of it was executed"
        )
        // One answer, even if all are notifications.
        for request in [request, #"{"method":"increment","params":{"path":"t.a"}}"#, "1"] {
            #expect(batch(4, request) == [#"{"jsonrpc":"2.0","id":null,"error":\#(refused)}"#])
        }
        #expect(talk.value("t.a") == "4")
    }

    @Test func `elements are counted up to a limit`() {
        for (json, count) in [
            ("[]", 0), ("[1]", 1), ("[1,2]", 2), (#"[[1,2,3],{"a":[4,5]},"],[",{},[]]"#, 5),
        ] {
            ByteView.with(json) { text in
                let view = JSONView(validated: text)
                for limit in 0..<8 { #expect(view.hasElements(beyond: limit) == (count > limit)) }
            }
        }
        ByteView.with(#"{"a":1,"b":2}"#) { #expect(!JSONView(validated: $0).hasElements(beyond: 0)) }
    }

    // MARK: Defaults

    @Test func `each limit has a default within its range`() {
        let defaults = ServerLimits()
        for limit in ServerLimits.all { #expect(limit.range.contains(defaults[keyPath: limit.value])) }
    }
}
