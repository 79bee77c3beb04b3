// SPDX-License-Identifier: MIT
// Several writes as one commit: their events, the values that they read, and their rollback.

import Testing

@testable import ObserveCore

struct TransactionTests {
    @Test func `every write has its result, all with the commit's revision`() {
        let talk = Conversation([("t", #"{"a":1,"m":{"x":1},"r":[1],"gone":1}"#)])
        let answer = talk.transact(
            #"{"method":"set","params":{"path":"t.a","value":2}}"#,
            #"{"method":"merge","params":{"path":"t.m","value":{"x":1}}}"#,
            #"{"method":"remove","params":{"path":"t.gone"}}"#,
            #"{"method":"insert","params":{"path":"t.r","value":2}}"#,
            #"{"params":{"path":"t.a","by":0.5},"method":"increment"}"#,
            #"{"method":"link","params":{"path":"t.l","target":"t.m"}}"#
        )
        let (yes, no) = (#"{"revision":2,"changed":true}"#, #"{"revision":2,"changed":false}"#)
        let sum = #"{"revision":2,"changed":true,"value":2.5}"#
        #expect(
            answer
                == #"{"revision":2,"changed":true,"results":[\#(yes),\#(no),\#(yes),\#(yes),\#(sum),\#(yes)]}"#
        )
        #expect(talk.value("t") == #"{"a":2.5,"m":{"x":1},"r":[1,2],"l":{"x":1}}"#)
    }

    @Test func `a transaction without changes makes no commit`() {
        let talk = Conversation([("t", "5")])
        let same = #"{"revision":1,"changed":false}"#
        #expect(
            talk.transact(
                #"{"method":"set","params":{"path":"t","value":5.0}}"#,
                #"{"method":"remove","params":{"path":"none"}}"#
            ) == #"{"revision":1,"changed":false,"results":[\#(same),\#(same)]}"#
        )
    }

    @Test func `a transaction sends one net event per path whose value differs`() {
        let talk = Conversation([("t", #"{"a":1,"b":1,"c":{"x":1},"d":{"x":1}}"#)])
        talk.watch("t.a", "t.b", "t.c.x", "t.d.x", "t.e")
        talk.transact(
            #"{"method":"set","params":{"path":"t.a","value":2}}"#,
            #"{"method":"set","params":{"path":"t.b","value":7}}"#,
            #"{"method":"set","params":{"path":"t.c","value":{"x":2}}}"#,
            #"{"method":"set","params":{"path":"t.d","value":{"x":9}}}"#,
            #"{"method":"set","params":{"path":"t.e","value":1}}"#,
            #"{"method":"increment","params":{"path":"t.a"}}"#,
            #"{"method":"set","params":{"path":"t.b","value":1}}"#,
            #"{"method":"increment","params":{"path":"t.c.x","by":5}}"#,
            #"{"method":"set","params":{"path":"t.d.x","value":1}}"#,
            #"{"method":"remove","params":{"path":"t.e"}}"#
        )
        #expect(
            talk.events() == [
                #""path":"t.a","reason":"valueChanged","new":3,"old":1,"revision":2"#,
                #""path":"t.c.x","reason":"pathChanged","new":7,"old":1,"changedAt":"t.c","revision":2"#,
            ]
        )
        #expect(talk.watcher.take().isEmpty)
    }

    @Test func `a transaction writes an observed path where it leads now`() {
        let talk = Conversation([("t", #"{"p":{"x":1},"q":{"x":5}}"#)])
        talk.watch("t.p.x", "t.q.x")
        talk.transact(
            #"{"method":"link","params":{"path":"t.p","target":"t.q"}}"#,
            #"{"method":"set","params":{"path":"t.p.x","value":6}}"#
        )
        #expect(talk.value("t.q.x") == "6")
        #expect(
            talk.events().sorted() == [
                #""path":"t.p.x","reason":"pathChanged","new":6,"old":1,"changedAt":"t.p","revision":2"#,
                #""path":"t.q.x","reason":"valueChanged","new":6,"old":5,"revision":2"#,
            ]
        )
    }

    @Test func `one edit of an array keeps its kind, several make a setting`() {
        let talk = Conversation([("t", #"{"r":[1,2],"s":[1,2],"n":0}"#)])
        talk.watch("t.r", "t.s")
        talk.transact(
            #"{"method":"insert","params":{"path":"t.r","value":3}}"#,
            #"{"method":"increment","params":{"path":"t.n"}}"#
        )
        #expect(
            talk.events() == [
                #""path":"t.r","reason":"valueChanged","new":[3],"old":[],"kind":"insertion","indexes":[2],"revision":2"#
            ]
        )
        talk.transact(
            #"{"method":"insert","params":{"path":"t.r","value":0,"index":0}}"#,
            #"{"method":"insert","params":{"path":"t.s","value":3}}"#,
            #"{"method":"remove","params":{"path":"t.r.1"}}"#,
            #"{"method":"remove","params":{"path":"t.s.2"}}"#
        )
        #expect(
            talk.events() == [
                #""path":"t.r","reason":"valueChanged","new":[0,2,3],"old":[1,2,3],"revision":3"#
            ]
        )
    }

    @Test func `a link and a removal move an element without changing its model`() {
        let talk = Conversation([("t", #"{"a":[{"x":1},{"x":2}],"b":[]}"#)])
        let moved = talk.instance("t.a.0")
        talk.watch("t.b.0.x")
        talk.transact(
            #"{"method":"insert","params":{"path":"t.b","target":"t.a.0"}}"#,
            #"{"method":"remove","params":{"path":"t.a.0"}}"#
        )
        #expect(talk.instance("t.b.0") == moved)
        #expect(talk.value("t") == #"{"a":[{"x":2}],"b":[{"x":1}]}"#)
        talk.transact(
            #"{"method":"link","params":{"path":"t.a.0","target":"t.b.0"}}"#,
            #"{"method":"remove","params":{"path":"t.b.0"}}"#
        )
        #expect(talk.instance("t.a.0") == moved)
        #expect(
            talk.events() == [
                #""path":"t.b.0.x","reason":"pathChanged","new":1,"old":null,"changedAt":"t.b","revision":2"#,
                #""path":"t.b.0.x","reason":"pathChanged","new":null,"old":1,"changedAt":"t.b","nilAt":"t.b.0","revision":3"#,
            ]
        )
    }

    @Test func `a root that a transaction removes and makes again is not deleted`() {
        let talk = Conversation([("t", #"{"x":1}"#)])
        talk.watch("t.x", "t.y")
        talk.transact(
            #"{"method":"remove","params":{"path":"t"}}"#,
            #"{"method":"set","params":{"path":"t","value":{"x":1,"y":2}}}"#
        )
        #expect(
            talk.events() == [
                #""path":"t.y","reason":"pathChanged","new":2,"old":null,"changedAt":"t","revision":2"#
            ]
        )
        talk.transact(
            #"{"method":"set","params":{"path":"t.x","value":2}}"#,
            #"{"method":"remove","params":{"path":"t"}}"#
        )
        #expect(
            talk.events().sorted() == [
                #""path":"t.x","reason":"sourceDeleted","new":null,"old":1,"nilAt":"t","revision":3"#,
                #""path":"t.y","reason":"sourceDeleted","new":null,"old":2,"nilAt":"t","revision":3"#,
            ]
        )
    }

    // MARK: Effects of earlier operations

    @Test func `conditions read the values of earlier operations`() {
        let talk = Conversation([("t", #"{"a":1,"b":1}"#)])
        talk.transact(
            #"{"method":"set","params":{"path":"t.a","value":2,"ifRevision":1,"ifValue":1}}"#,
            #"{"method":"set","params":{"path":"t.a","value":3,"ifValue":2}}"#,
            #"{"method":"set","params":{"path":"t.b","value":2,"ifRevision":1}}"#,
            #"{"method":"set","params":{"path":"t.c","value":2,"ifValue":null}}"#
        )
        #expect(talk.value("t") == #"{"a":3,"b":2,"c":2}"#)
        // A refusal shows the value at that moment.
        #expect(
            talk.transactRefusal(
                #"{"method":"set","params":{"path":"t.a","value":4}}"#,
                #"{"method":"set","params":{"path":"t.a","value":5,"ifRevision":2}}"#
            ) == #"4 {"name":"conflict","path":"t.a","operation":1,"value":4,"revision":2}"#
        )
        #expect(talk.value("t.a") == "3")
    }

    @Test func `weak references zero between operations, with one event`() {
        let talk = Conversation([("t", #"{"m":{"x":1}}"#)])
        talk.ask("link", #"{"path":"t.w","target":"t.m","weak":true}"#)
        talk.watch("t.w", "t.w.x", "t.m")
        // An unreferenced model is gone for later operations, as between separate writes.
        #expect(
            talk.transactRefusal(
                #"{"method":"remove","params":{"path":"t.m"}}"#,
                #"{"method":"set","params":{"path":"t.w.x","value":2}}"#
            ) == #"1 {"name":"notFound","path":"t.w","operation":1}"#
        )
        #expect(talk.events().isEmpty)
        #expect(talk.value("t.w") == #"{"x":1}"#)
        talk.transact(
            #"{"method":"set","params":{"path":"t.w.x","value":2}}"#,
            #"{"method":"remove","params":{"path":"t.m"}}"#,
            #"{"method":"set","params":{"path":"t.n","value":1,"ifValue":null}}"#
        )
        #expect(
            talk.events().sorted() == [
                #""path":"t.m","reason":"valueChanged","new":null,"old":{"x":2},"revision":3"#,
                #""path":"t.w","reason":"valueChanged","new":null,"old":{"x":2},"revision":3"#,
                #""path":"t.w.x","reason":"pathChanged","new":null,"old":1,"changedAt":"t.w","nilAt":"t.w","revision":3"#,
            ]
        )
        #expect(talk.hub.tree.modelCount == 1)
    }

    @Test func `a model with a new reference before the old one goes is not released`() {
        let talk = Conversation([("t", #"{"m":{"x":1}}"#)])
        talk.ask("link", #"{"path":"t.w","target":"t.m","weak":true}"#)
        let model = talk.instance("t.m")
        talk.watch("t.w", "t.w.x")
        talk.transact(
            #"{"method":"link","params":{"path":"t.n","target":"t.w"}}"#,
            #"{"method":"remove","params":{"path":"t.m"}}"#
        )
        #expect(talk.instance("t.n") == model)
        #expect(talk.instance("t.w") == model)
        #expect(talk.events().isEmpty)
    }

    // MARK: All or nothing

    /// One operation of each kind, then a failing one.
    private static let attempts: [[String]] = [
        [#"{"method":"set","params":{"path":"t.b","value":{"deep":[{"x":1}]}}}"#],
        [
            #"{"method":"remove","params":{"path":"t.a"}}"#,
            #"{"method":"set","params":{"path":"t.a","value":0}}"#,
            #"{"method":"remove","params":{"path":"t.c"}}"#,
        ],
        [#"{"method":"set","params":{"path":"t.new.er.x","value":1,"parents":true}}"#],
        [#"{"method":"merge","params":{"path":"t","value":{"a":null,"c":{"y":[1],"x":null},"z":{"q":1}}}}"#],
        [
            #"{"method":"insert","params":{"path":"t.r","value":{"x":1},"index":1}}"#,
            #"{"method":"remove","params":{"path":"t.r.0"}}"#,
            #"{"method":"set","params":{"path":"t.r.0","value":[]}}"#,
        ],
        [
            #"{"method":"insert","params":{"path":"t.r","target":"t.c"}}"#,
            #"{"method":"remove","params":{"path":"t.c"}}"#,
        ],
        [#"{"method":"increment","params":{"path":"t.a","by":0.5}}"#],
        [
            #"{"method":"link","params":{"path":"t.l","target":"t.c"}}"#,
            #"{"method":"link","params":{"path":"t.l","target":"t.b","weak":true}}"#,
        ],
        [#"{"method":"remove","params":{"path":"t.b"}}"#],
        [
            #"{"method":"remove","params":{"path":"t"}}"#,
            #"{"method":"set","params":{"path":"t","value":5}}"#,
        ],
        [
            #"{"method":"set","params":{"path":"t.tmp","value":{"k":{}}}}"#,
            #"{"method":"link","params":{"path":"t.weaker","target":"t.tmp.k","weak":true}}"#,
            #"{"method":"link","params":{"path":"t.tmp.k.up","target":"t.b","weak":true}}"#,
            #"{"method":"remove","params":{"path":"t.tmp"}}"#,
            #"{"method":"set","params":{"path":"t.b","value":null}}"#,
        ],
    ]

    @Test(arguments: attempts)
    func `a failed transaction restores values, order and references`(operations: [String]) {
        let tree = #"{"a":1,"b":{"x":{"n":1}},"r":[{"x":0},2],"c":{"x":1},"d":1}"#
        let talk = Conversation([("t", tree), ("u", "{}")])
        talk.ask("link", #"{"path":"t.w","target":"t.b.x","weak":true}"#)
        talk.ask("link", #"{"path":"t.b.x.back","target":"t","weak":true}"#)
        talk.ask("link", #"{"path":"u.c","target":"t.c"}"#)
        talk.watch(
            "t",
            "t.a",
            "t.b.x.n",
            "t.r",
            "t.r.0.x",
            "t.w.n",
            "t.w",
            "t.c.x",
            "t.l.x",
            "t.b.x.back.a",
            "u.c"
        )
        let description = ["t", "t.b", "t.b.x", "t.c", "t.w", "t.r.0", "u", ""].map(talk.description)
        let models = talk.hub.tree.modelCount
        #expect(
            talk.transactRefusal(
                operations + [
                    #"{"method":"set","params":{"path":"u.mark","value":1}}"#,
                    #"{"method":"increment","params":{"path":"u"}}"#,
                ]
            ) == #"2 {"name":"typeMismatch","path":"u","operation":\#(operations.count + 1)}"#
        )
        #expect(talk.value("t") == tree)
        #expect(["t", "t.b", "t.b.x", "t.c", "t.w", "t.r.0", "u", ""].map(talk.description) == description)
        #expect(talk.events().isEmpty)
        #expect(talk.revision == 5)
        #expect(talk.hub.tree.modelCount == models)
        // The revisions that conditions check are restored too.
        #expect(
            talk.ask("merge", #"{"path":"t","value":{},"ifRevision":5}"#)
                == #"{"revision":5,"changed":false}"#
        )
        // The weak references still zero with their target.
        talk.ask("remove", #"{"path":"t.b"}"#)
        #expect(talk.value("t.w") == "null")
        talk.ask("remove", #"{"path":"t"}"#)
        talk.ask("remove", #"{"path":"u"}"#)
        #expect(talk.hub.tree.modelCount == 0)
    }

    @Test(arguments: attempts)
    func `a transaction leaves the same tree as separate writes`(operations: [String]) {
        let tree = #"{"a":1,"b":{"x":{"n":1}},"r":[{"x":0},2],"c":{"x":1},"d":1}"#
        let (one, many) = (Conversation([("t", tree)]), Conversation([("t", tree)]))
        for talk in [one, many] { talk.ask("link", #"{"path":"t.w","target":"t.b.x","weak":true}"#) }
        one.transact(operations)
        for operation in operations { many.transact(operation) }
        #expect(one.value("t") == many.value("t"))
        #expect(one.value("t.w") == many.value("t.w"))
        #expect(one.hub.tree.modelCount == many.hub.tree.modelCount)
        #expect(one.revision == 3)
    }

    // MARK: Many

    /// The time of a transaction with that many operations in one line, in nanoseconds; the best of some runs.
    private func duration(_ count: Int, _ operation: (Int) -> String) -> UInt64 {
        var limits = ServerLimits()
        limits.clients.maxLineBytes = 64 << 20
        limits.tree.maxRenderedBytes = 64 << 20
        let talk = Conversation([("t", #"{"r":[],"p":{}}"#)], limits: limits)
        talk.watch("t.r", "t.p.k7")
        let operations = (0..<count).map(operation).joined(separator: ",")
        let start = ProcessorTime.ofThread
        let answer = talk.ask("transaction", #"{"operations":[\#(operations)]}"#)
        let nanoseconds = ProcessorTime.ofThread - start
        #expect(answer.hasPrefix(#"{"revision":2,"changed":true,"results":[{"#))
        #expect(talk.revision == 2)
        #expect(talk.events().count == 1)
        return nanoseconds
    }

    @Test(arguments: [
        #"{"method":"insert","params":{"path":"t.r","value":{"n":1}}}"#,
        #"{"method":"set","params":{"path":"t.p.k#","value":1}}"#,
        #"{"method":"increment","params":{"path":"t.p.k7"}}"#,
    ])
    func `the time of a transaction is linear in its operations`(operation: String) {
        let make = { (number: Int) in
            operation.split(separator: "#").joined(separator: operation.contains("#") ? "\(number)" : "")
        }
        let (few, many) = (duration(500, make), duration(5_000, make))
        // Quadratic work would take a hundred times as long.
        #expect(many < few * 40, "\(few) ns and \(many) ns")
    }
}

extension Conversation {
    @discardableResult
    fileprivate func transact(_ operations: String...) -> String { transact(operations) }

    @discardableResult
    fileprivate func transact(_ operations: [String]) -> String {
        let answer = ask("transaction", #"{"operations":[\#(operations.joined(separator: ","))]}"#)
        #expect(answer.hasPrefix(#"{"revision":"#))
        return answer
    }

    fileprivate func transactRefusal(_ operations: String...) -> String { transactRefusal(operations) }

    fileprivate func transactRefusal(_ operations: [String]) -> String {
        refusal("transaction", #"{"operations":[\#(operations.joined(separator: ","))]}"#)
    }

    fileprivate func description(_ path: String) -> String { ask("describe", #"{"path":"\#(path)"}"#) }
}
