// SPDX-License-Identifier: MIT
// Events and past values around a change of declared types, and around a computed number of another form.

import Testing

@testable import ObserveCore

@Suite struct RetypedHistoryTests {
    private let hub = Hub.with([])
    private let client: FakeClient

    init() { client = FakeClient(hub) }

    /// Declares that the models of the type `T` have `n`, and `c` as given.
    private func adopt(_ c: String) throws {
        let declarations = TypeDeclarations(
            types: [TypeDeclaration("T", ["n: Any", "c: \(c)"].map(PropertyDeclaration.init(line:)))],
            roots: [RootDeclaration("t", "T?")]
        )
        try hub.journaling.change { tree in
            guard let plan = tree.plan(declarations) else { return }
            #expect(plan.misfits.isEmpty)
            do { try tree.layOut { try tree.apply(plan) } } catch { Issue.record(error) }
        }
        #expect(hub.tree.faults() == [])
    }

    private func ask(_ method: String, _ params: String) -> String {
        client.ask(#"{"id":1,"method":"\#(method)","params":{\#(params)}}"#).first ?? ""
    }

    private func set(_ path: String, _ json: String) {
        #expect(ask("set", #""path":"\#(path)","value":\#(json)"#).contains(#""changed":true"#))
    }

    /// The value at each revision.
    private func past(_ path: String) -> [String] {
        (1...hub.tree.revision).map { revision in
            let answer = ask("get", #""path":"\#(path)","at":\#(revision)"#)
            let head = #"{"jsonrpc":"2.0","id":1,"result":{"value":"#
            return String(answer.dropFirst(head.count).dropLast(#","revision":1}}"#.count))
        }
    }

    /// The events of a client that stays while `body` runs; one that resumes afterwards must get the same.
    private func events(_ path: String, isDistinct: Bool, _ body: () throws -> Void) rethrows -> [String] {
        let options = #""path":"\#(path)","distinct":\#(isDistinct),"old":true"#
        let (steady, guest) = (FakeClient(hub, token: 2), FakeClient(hub, token: 3))
        defer { for client in [steady, guest] { client.close() } }
        _ = steady.ask(#"{"id":1,"method":"subscribe","params":{"initial":false,\#(options)}}"#)
        let since = #"{"epoch":"\#(hub.journaling.epoch)","revision":\#(hub.tree.revision)}"#
        try body()
        let live = steady.take()
        let replayed = guest.ask(
            #"{"id":1,"method":"subscribe","params":{\#(options),"since":\#(since)}}"#
        ).dropFirst()
        #expect(replayed.map { $0.replacingAll(#","more":true"#, by: "") } == live)
        let head = #"{"jsonrpc":"2.0","method":"change","params":{"subscription":1,"#
        return live.map { String($0.dropFirst(head.count).dropLast(2)) }
    }

    @Test(arguments: [true, false])
    func `a null that becomes weak or strong was the other before`(isDistinct: Bool) throws {
        try adopt("weak T?")
        set("t", #"{"n":1}"#)
        let events = try events("t.**", isDistinct: isDistinct) {
            try adopt("T?")
            try adopt("weak T?")
            try adopt("computed Any = {n}")
            try adopt("weak T?")
        }
        let equal = [2, 3].map {
            #""path":"t.c","reason":"valueChanged","new":null,"old":null,"revision":\#($0)"#
        }
        #expect(events == (isDistinct ? [] : equal))
        #expect(past("t") == [#"{"n":1}"#, #"{"n":1,"c":null}"#] + Array(repeating: #"{"n":1}"#, count: 3))
    }

    @Test func `an operator over the model counts a null from the commit on that makes it strong`() throws {
        try adopt("weak T?")
        set("t", #"{"n":1}"#)
        let events = try events("t.@count", isDistinct: true) {
            try adopt("T?")
            try adopt("weak T?")
        }
        #expect(
            events == [
                #""path":"t.@count","reason":"valueChanged","new":2,"old":1,"revision":2"#,
                #""path":"t.@count","reason":"valueChanged","new":1,"old":2,"revision":3"#,
            ]
        )
        #expect(past("t.@count") == ["1", "2", "1"])
    }

    @Test(arguments: [true, false])
    func `a computed number that gets another form had its own before`(isDistinct: Bool) throws {
        try adopt("computed Any = {n ?? 1.0}")
        set("t", #"{"n":2}"#)
        let events = events("t.c", isDistinct: isDistinct) {
            set("t.n", "1")
            set("t.n", "null")
            set("t.n", "3")
        }
        let equal = [#""path":"t.c","reason":"valueChanged","new":1.0,"old":1,"revision":3"#]
        #expect(
            events == [#""path":"t.c","reason":"valueChanged","new":1,"old":2,"revision":2"#]
                + (isDistinct ? [] : equal)
                + [#""path":"t.c","reason":"valueChanged","new":3,"old":1.0,"revision":4"#]
        )
        #expect(past("t.c") == ["2", "1", "1.0", "3"])
    }
}
