// SPDX-License-Identifier: MIT
// `maxElements`: how many elements and properties operators, patterns, bindings and conditions look at.

import Testing

@testable import ObserveCore

extension CountLimitTests {
    @Test func `a pattern's condition counts like twelve places at each value`() {
        let talk = talk {
            $0.tree.maxElements = 26
            $0.clients.maxSubscriptions = 26
        }
        func subscribe(_ path: String) -> String {
            talk.ask("subscribe", #"{"path":"\#(path)","initial":false}"#)
        }
        talk.ask("set", #"{"path":"t","value":{"a":{"on":true},"b":{"on":false}}}"#)
        #expect(subscribe("t.*[on && on && on]").contains("leads through more than 26 places (maxElements)"))
        #expect(subscribe("t.*[on]").hasPrefix(#"{"subscription":1,"#))
        #expect(subscribe("t.*[on]").contains("lead through more than 26 places (maxElements)"))
        // What ends, counts no more.
        talk.ask("remove", #"{"path":"t.a"}"#)
        talk.ask("set", #"{"path":"t.a","value":{"on":true}}"#)
        #expect(talk.ask("unsubscribe", #"{"subscription":1}"#) == "{}")
        #expect(subscribe("t.*[on]").hasPrefix(#"{"subscription":2,"#))
        #expect(talk.hub.tree.faults() == [])
        talk.ask("set", #"{"path":"t.c","value":{"on":true}}"#)
        #expect(talk.client.session.delivery.closing == .tooManyMatches)
        #expect(talk.hub.tree.faults() == [])
    }

    @Test func `a pattern leads through as many places as the limit says`() {
        let talk = talk {
            $0.tree.maxMatches = 2
            $0.tree.maxElements = 4
            $0.clients.maxSubscriptions = 4
        }
        talk.ask("set", #"{"path":"t","value":{"a":{},"b":1,"c":[]}}"#)
        #expect(talk.ask("subscribe", #"{"path":"t.*.*","initial":false}"#).hasPrefix(#"{"subscription":1,"#))
        talk.ask("set", #"{"path":"t.d","value":null}"#)
        #expect(talk.client.session.delivery.closing == .tooManyMatches)
        let other = FakeClient(talk.hub, token: 9)
        let refused = other.ask(#"{"id":1,"method":"subscribe","params":{"path":"t.*.*"}}"#)
        #expect(
            refused.count == 1
                && refused[0].contains("the pattern t.*.* leads through more than 4 places (maxElements)")
        )
        #expect(talk.hub.tree.faults() == [])
    }

    private static let excess =
        "has too many elements or properties: one operator or binding looks at 8 at most, and one request at four times as many (maxElements)"

    private static func excessive(_ path: String) -> String {
        #"{"code":6,"message":"\#(path) \#(excess)","data":{"name":"limitExceeded","path":"\#(path)"}}"#
    }

    private func array(_ count: Int) -> String {
        "[\((0..<count).map { "\($0 % 3)" }.joined(separator: ","))]"
    }

    @Test(arguments: ["@sum", "@avg", "@min", "@max", "@unionOfObjects", "@distinctUnionOfObjects", "@sum.v"])
    func `an operator looks at as many elements as the limit says`(name: String) {
        let talk = talk { $0.tree.maxElements = 8 }
        let object = (0..<9).map { "\"p\($0)\":\($0)" }.joined(separator: ",")
        talk.ask("set", #"{"path":"t.a","value":\#(array(8))}"#)
        talk.ask("set", #"{"path":"t.m","value":{\#(object)}}"#)
        #expect(talk.ask("get", #"{"path":"t.a.\#(name)"}"#).hasPrefix(#"{"value":"#))
        #expect(talk.ask("get", #"{"path":"t.m.\#(name)"}"#) == Self.excessive("t.m.\(name)"))
        #expect(talk.ask("explain", #"{"path":"t.a"}"#).hasPrefix(#"{"path":"#))
        // Not with the option `old`: an event whose old value is too large is truncated as well.
        let watcher = FakeClient(talk.hub, token: 9)
        _ = watcher.ask(#"{"method":"subscribe","params":{"path":"t.a.\#(name)","initial":false}}"#)
        #expect(talk.ask("subscribe", #"{"path":"t.m.\#(name)"}"#) == Self.excessive("t.m.\(name)"))
        // An event says so, and a later one has the value again.
        talk.ask("insert", #"{"path":"t.a","value":7}"#)
        talk.ask("set", #"{"path":"t.a","value":\#(array(9))}"#)
        let large = watcher.take()
        talk.ask("set", #"{"path":"t.a","value":[5]}"#)
        let small = watcher.take()
        #expect(large.last?.contains(#""truncated":true"#) == true, "\(large)")
        #expect(small.count == 1 && small[0].contains(#""new":"#), "\(small)")
        #expect(talk.hub.tree.faults() == [])
    }

    @Test func `the count of an array has no limit, that of a model has one`() {
        let talk = talk { $0.tree.maxElements = 8 }
        let object = (0..<9).map { "\"p\($0)\":\($0)" }.joined(separator: ",")
        talk.ask("set", #"{"path":"t","value":{"a":\#(array(20)),"m":{\#(object)}}}"#)
        for method in ["get", "subscribe"] {
            #expect(talk.ask(method, #"{"path":"t.m.@count"}"#) == Self.excessive("t.m.@count"))
        }
        #expect(talk.ask("get", #"{"path":"t.a.@count"}"#).hasPrefix(#"{"value":20,"#))
    }

    @Test func `bindings have a bounded number of inputs in the elements of arrays`() {
        let talk = talk { $0.tree.maxElements = 8 }
        let items = Array(repeating: #"{"n":1}"#, count: 8).joined(separator: ",")
        talk.ask("set", #"{"path":"t.a","value":[\#(items)]}"#)
        for number in 0..<20 { talk.ask("bind", #"{"source":"t.a.@sum.n","target":"t.s\#(number)"}"#) }
        #expect(talk.hub.tree.dependents.elementInputs == 4 * 8)
        talk.ask("set", #"{"path":"t.a.0.n","value":2}"#)
        #expect(talk.value("t.s0") == "9")
        #expect(talk.hub.tree.faults() == [])
    }

    @Test func `a model with more properties than a condition may look at does not equal a small one`() {
        let talk = talk { $0.tree.maxElements = 8 }
        let links = (0..<40).map {
            #"{"method":"link","params":{"path":"t.m.w\#($0)","target":"t.o","weak":true}}"#
        }
        talk.ask("set", #"{"path":"t","value":{"o":{},"m":{"x":1}}}"#)
        talk.ask("transaction", #"{"operations":[\#(links.joined(separator: ","))]}"#)
        talk.ask("set", #"{"path":"t.m.y","value":2}"#)
        #expect(talk.ask("set", #"{"path":"t.m","value":0,"ifValue":{"x":1}}"#) == Self.excessive("t.m"))
    }

    @Test func `one request looks at four times as many elements`() {
        let talk = talk { $0.tree.maxElements = 8 }
        talk.ask("set", #"{"path":"t.a","value":\#(array(8))}"#)
        func sums(_ count: Int) -> String {
            talk.ask(
                "get",
                #"{"paths":[\#(Array(repeating: "\"t.a.@sum\"", count: count).joined(separator: ","))]}"#
            )
        }
        #expect(sums(4).hasPrefix(#"{"values":[{"value":7},"#))
        #expect(sums(5) == Self.excessive("t.a.@sum"))
        // The number of elements of an array is known.
        #expect(talk.ask("get", #"{"path":"t.a.@count"}"#).hasPrefix(#"{"value":8,"#))
    }

    @Test func `a condition looks at as many properties as the limit says`() {
        let talk = talk { $0.tree.maxElements = 8 }
        func object(_ count: Int) -> String {
            "{\((0..<count).map { "\"p\($0)\":\($0)" }.joined(separator: ","))}"
        }
        func set(_ condition: String) -> String {
            talk.ask("set", #"{"path":"t.m","value":\#(object(30)),\#(condition)}"#)
        }
        talk.ask("set", #"{"path":"t.m","value":\#(object(30))}"#)
        #expect(set(#""ifRevision":1000"#).hasPrefix("{"))
        #expect(set(#""ifValue":\#(object(30))"#).contains(#""changed":"#))
        talk.ask("set", #"{"path":"t.m","value":\#(object(33))}"#)
        #expect(set(#""ifRevision":1000"#) == Self.excessive("t.m"))
        #expect(set(#""ifValue":\#(object(33))"#) == Self.excessive("t.m"))
        // What differs at once is a conflict.
        #expect(
            set(#""ifRevision":0"#).contains(#""code":4"#) || set(#""ifRevision":0"#).contains("conflict")
        )
        #expect(set(#""ifValue":{}"#).contains("conflict"))
    }

    @Test func `a binding carries as many elements as the limit says`() {
        let talk = talk { $0.tree.maxElements = 8 }
        talk.ask("set", #"{"path":"t.a","value":[1]}"#)
        talk.ask("bind", #"{"source":"t.a","target":"t.copy"}"#)
        talk.ask("bind", #"{"source":"t.a.@sum","target":"t.sum"}"#)
        talk.ask("set", #"{"path":"t.a","value":[1,2]}"#)
        #expect(talk.value("t.copy") == "[1,2]" && talk.value("t.sum") == "3")
        talk.ask("set", #"{"path":"t.a","value":\#(array(20))}"#)
        #expect(talk.value("t.copy") == "[1,2]" && talk.value("t.sum") == "3")
        let failing = talk.ask("bindings", "{}")
        #expect(failing.ranges(of: #""failing":true"#).count == 2, "\(failing)")
        talk.ask("set", #"{"path":"t.a","value":[5]}"#)
        #expect(talk.value("t.copy") == "[5]" && talk.value("t.sum") == "5")
        #expect(talk.hub.tree.faults() == [])
    }

    // MARK: Cycles and defaults

    @Test func `a link looks at as many references as the limit says`() {
        let talk = talk { $0.tree.maxElements = 8 }
        let models = (0..<20).map { "\"p\($0)\":{}" }.joined(separator: ",")
        let value = #"{"up":{\#(models)},"c":{},"y":{\#(models)},"small":{"n":1}}"#
        talk.ask("set", #"{"path":"t","value":\#(value)}"#)
        for number in 0..<20 { talk.ask("link", #"{"path":"t.up.p\#(number).c","target":"t.c"}"#) }
        let refusal =
            #"{"code":6,"message":"whether a strong reference at t.c.x would close a cycle takes more steps than one request may make: 32 (four times maxElements)","data":{"name":"limitExceeded","path":"t.c.x"}}"#
        #expect(talk.ask("link", #"{"path":"t.c.x","target":"t.y"}"#) == refusal)
        let links = [#""path":"t.c.small","target":"t.small""#, #""path":"t.c.x","target":"t.y""#]
        let operations = links.map { #"{"method":"link","params":{\#($0)}}"# }.joined(separator: ",")
        #expect(talk.ask("transaction", #"{"operations":[\#(operations)]}"#).contains(#""code":6"#))
        #expect(talk.ask("link", #"{"path":"t.c.x","target":"t.y","weak":true}"#).contains("changed"))
        talk.ask("bind", #"{"source":"t.y","target":"t.c.bound"}"#)
        #expect(talk.ask("bindings", "{}").contains(#""failing":true,"message":"whether a strong"#))
        talk.ask("set", #"{"path":"t.y","value":{"p0":{}}}"#)
        #expect(talk.value("t.c.bound") == #"{"p0":{}}"#)
        #expect(talk.ask("bindings", "{}").contains(#""failing":false"#))
        #expect(talk.hub.tree.faults() == [])
    }

    @Test func `a request omits as many values as the limit says`() throws {
        let talk = talk { $0.tree.maxElements = 8 }
        let types = [
            TypeDeclaration("Inner", "a: Int", "b: Int"),
            TypeDeclaration("Outer", "inners: [Inner] = [{},{}]", "n: Int"),
            TypeDeclaration("List", "l: [Outer]"),
        ]
        try TypedTree.declare(types, [("list", "List", "{}")], in: talk.hub.tree)
        func set(_ count: Int, _ element: String = "{}") -> String {
            let elements = Array(repeating: element, count: count).joined(separator: ",")
            return talk.ask("set", #"{"path":"list.l","value":[\#(elements)]}"#)
        }
        // Six of each: `inners`, four of its own, and `n`.
        #expect(set(5).contains("changed"))
        let refusal =
            #"{"code":6,"message":"the request omits more values than 32 (four times maxElements), counting those in defaults","data":{"name":"limitExceeded","path":"list.l.5.inners.0.b"}}"#
        #expect(set(6) == refusal)
        #expect(set(40, #"{"inners":[],"n":1}"#).contains("changed"))
        talk.ask("load", #"{"path":"list.l","text":"[{},{},{},{},{}]"}"#)
        #expect(talk.value("list.l.@count") == "5")
        #expect(talk.ask("load", #"{"path":"list.l","text":"[{},{},{},{},{},{}]"}"#).contains(#""code":6"#))
        #expect(talk.hub.tree.faults() == [])
    }
}
