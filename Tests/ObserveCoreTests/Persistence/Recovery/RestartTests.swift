// SPDX-License-Identifier: MIT
// The restored state after a restart, case by case.

import Testing

@testable import ObserveCore

@Suite struct RestartTests {
    private func filled(_ durability: Durability = .interval) throws -> JournaledHub {
        let daemon = try JournaledHub(durability)
        daemon.ask("set", #""path":"app","value":{"a":{"n":1},"list":[{"x":1},2,"three"],"none":null}"#)
        daemon.ask("link", #""path":"app.shared","target":"app.a""#)
        daemon.ask("link", #""path":"app.weak","target":"app.list.0","weak":true"#)
        daemon.ask("bind", #""source":"app.a.n","target":"app.copy""#)
        daemon.ask("set", #""path":"app.a.n","value":5"#)
        daemon.ask("insert", #""path":"app.list","value":4,"index":1"#)
        return daemon
    }

    @Test(arguments: [false, true])
    func `a restart restores identity, links, order, bindings, revision and epoch`(withSnapshot: Bool) throws
    {
        let daemon = try filled()
        if withSnapshot { try daemon.snapshot() }
        let (dump, epoch, status) = (
            daemon.dump, daemon.hub.journaling.epoch, daemon.ask("describe", #""path":"app""#)
        )
        for _ in 0..<2 {
            try daemon.restart()
            #expect(daemon.dump == dump)
            #expect(daemon.hub.journaling.epoch == epoch)
            #expect(daemon.ask("describe", #""path":"app""#) == status)
            #expect(daemon.notes == [])
            #expect(daemon.tree.faults() == [])
        }
        daemon.ask("set", #""path":"app.shared.n","value":6"#)
        #expect(daemon.value("app.a.n") == "6")
        #expect(daemon.value("app.copy") == "6")
        daemon.ask("remove", #""path":"app.list.0""#)
        #expect(daemon.value("app.weak") == "null")
    }

    @Test(arguments: [false, true])
    func `arrays that nest deeper than a value may are read`(withSnapshot: Bool) throws {
        let daemon = try JournaledHub()
        let (opened, closed) = (String(repeating: "[", count: 50), String(repeating: "]", count: 50))
        daemon.ask("set", #""path":"l","value":[\#(opened)0\#(closed),0]"#)
        // Each change nests the array 50 levels deeper.
        daemon.ask("bind", #""source":"l","target":"l\#(String(repeating: ".0", count: 50))""#)
        daemon.tree.records.limits.maxDepth = 2000
        for value in 0..<24 { daemon.ask("set", #""path":"l.1","value":\#(value)"#) }
        #expect(daemon.tree.failingBindings == 0)
        let dump = daemon.dump
        if withSnapshot { try daemon.snapshot() }
        try daemon.restart()
        #expect(daemon.dump == dump && daemon.tree.failingBindings == 1)
        #expect(daemon.value("l.1") == "23")
        daemon.ask("set", #""path":"l","value":[1,2]"#)
        try daemon.restart()
        #expect(daemon.value("l") == "[1,2]")
    }

    @Test func `a property that a transaction adds and removes counts as changed after a restart, too`()
        throws
    {
        let daemon = try filled()
        let revision = daemon.hub.clients.revision
        let operations = ["app.new", "app.a.new", "new"].map { path in
            let removal = #"{"method":"remove","params":{"path":"\#(path)"}}"#
            return #"{"method":"set","params":{"path":"\#(path)","value":{}}},\#(removal)"#
        }
        daemon.ask("transaction", #""operations":[\#(operations.joined(separator: ","))]"#)
        let dump = daemon.dump
        for _ in 0..<2 {
            for path in ["app.new", "app.a.new", "new"] {
                let answer = daemon.ask("set", #""path":"\#(path)","value":1,"ifRevision":\#(revision)"#)
                #expect(answer.contains(#""code":4"#), "\(path): \(answer)")
            }
            try daemon.kill()
            #expect(daemon.dump == dump && daemon.tree.faults() == [])
        }
    }

    @Test func `a restart keeps a value written to a one-way binding's target`() throws {
        let daemon = try filled()
        daemon.ask("set", #""path":"app.copy","value":"mine""#)
        try daemon.restart()
        #expect(daemon.value("app.copy") == #""mine""#)
        daemon.ask("set", #""path":"app.a.n","value":7"#)
        #expect(daemon.value("app.copy") == "7")
    }

    @Test(arguments: [false, true])
    func `a restart keeps failing bindings, which continue as they would have`(withSnapshot: Bool) throws {
        let daemon = try JournaledHub(.interval)
        daemon.ask("set", #""path":"h","value":{"b":1}"#)
        daemon.ask("bind", #""source":"h.b","target":"q","twoWay":true"#)
        daemon.ask("bind", #""source":"q","target":"r.x""#)
        daemon.ask("set", #""path":"h","value":null"#)
        daemon.ask("set", #""path":"q","value":7"#)
        let bindings = daemon.ask("bindings", "")
        let reasons = [
            #","message":"h is null, so h.b can't be written""#,
            #","message":"r is null, so r.x can't be written""#,
        ]
        let (first, second) = (
            #"{"binding":1,"source":"h.b","target":"q","twoWay":true,"failing":true\#(reasons[0])}"#,
            #"{"binding":2,"source":"q","target":"r.x","twoWay":false,"failing":true\#(reasons[1])}"#
        )
        #expect(bindings == #""result":{"bindings":[\#(first),\#(second)]}"#)
        if withSnapshot { try daemon.snapshot() }
        for _ in 0..<2 {
            try daemon.restart()
            #expect(daemon.ask("bindings", "") == bindings)
            #expect(daemon.ask("status", "").contains(#""bindingsFailing":2"#))
        }
        #expect(daemon.ask("set", #""path":"h","value":{}"#) == #""result":{"revision":5,"changed":true}"#)
        #expect([daemon.value("h"), daemon.value("q")] == [#"{"b":7}"#, "7"])
        daemon.ask("set", #""path":"r","value":{}"#)
        #expect(daemon.value("r") == #"{"x":7}"#)
        let working = reasons.reduce(bindings.replacing(#""failing":true"#, with: #""failing":false"#)) {
            $0.replacing($1, with: "")
        }
        #expect(daemon.ask("bindings", "") == working)
        try daemon.restart()
        #expect(daemon.ask("bindings", "") == working)
    }

    @Test(arguments: [false, true])
    func `a restart keeps bindings that fail for a type or a cycle`(withSnapshot: Bool) throws {
        let daemon = try JournaledHub(.interval) { tree in
            #expect(tree.declare([TypeDeclaration("Film", [PropertyDeclaration("n", "Int")])]).isEmpty)
            try tree.declare(root: "t", type: "[String: Film]")
        }
        daemon.ask("set", #""path":"t","value":{"f":{"n":1}}"#)
        daemon.ask("set", #""path":"s","value":2"#)
        daemon.ask("set", #""path":"c","value":{"a":{}}"#)
        daemon.ask("bind", #""source":"s","target":"t.f.n""#)
        daemon.ask("bind", #""source":"d","target":"c.a.up""#)
        daemon.ask("set", #""path":"s","value":"text""#)
        daemon.ask("link", #""path":"d","target":"c""#)
        let bindings = daemon.ask("bindings", "")
        #expect(bindings.ranges(of: #""failing":true"#).count == 2, "\(bindings)")
        if withSnapshot { try daemon.snapshot() }
        for _ in 0..<2 {
            try daemon.kill()
            #expect(daemon.ask("bindings", "") == bindings)
            #expect(daemon.ask("status", "").contains(#""bindingsFailing":2"#))
        }
        daemon.ask("set", #""path":"s","value":3"#)
        daemon.ask("set", #""path":"d","value":4"#)
        #expect([daemon.value("t.f.n"), daemon.value("c.a.up")] == ["3", "4"])
        #expect(daemon.ask("status", "").contains(#""bindingsFailing":0"#))
    }

    @Test func `an ended binding stays ended, and its number is not reused`() throws {
        let daemon = try filled()
        #expect(daemon.ask("unbind", #""binding":1"#) == #""result":{}"#)
        try daemon.kill()
        #expect(daemon.ask("bindings", "") == #""result":{"bindings":[]}"#)
        #expect(daemon.ask("bind", #""source":"app.a.n","target":"app.copy""#).contains(#""binding":2"#))
    }

    @Test func `a restart drops connection values, and timed ones expire later`() throws {
        let daemon = try filled()
        daemon.ask("set", #""path":"app.a.n","value":10,"lifetime":"connection""#, 2)
        daemon.ask("set", #""path":"app.none","value":20,"lifetime":1000"#, 2)
        daemon.ask("set", #""path":"gone","value":{},"lifetime":"connection""#, 2)
        try daemon.kill()
        #expect(daemon.value("app.a.n") == "5")
        #expect(daemon.value("app.none") == "20")
        #expect(daemon.value("gone") == "null")
        daemon.clock.pass(milliseconds: 999, in: daemon.hub)
        #expect(daemon.value("app.none") == "20")
        daemon.clock.pass(milliseconds: 1, in: daemon.hub)
        #expect(daemon.value("app.none") == "null")
        try daemon.kill()
        #expect(daemon.value("app.none") == "null")
    }

    @Test(arguments: [
        #"["app.list","app.a.n","app.shared.n"]"#, #"["**"]"#, #"["app.**"]"#, #"["app.*","app.*.n"]"#,
        #"["app.list.@count","app.list.@sum","app.a.@max"]"#, #"["app.list.*.x","app.shared.**"]"#,
    ])
    func `since continues over a restart`(paths: String) throws {
        let daemon = try filled()
        let (revision, epoch) = (daemon.tree.revision, daemon.hub.journaling.epoch)
        daemon.ask("insert", #""path":"app.list","value":9,"index":0"#)
        daemon.ask("set", #""path":"app.a","value":{"n":8}"#)
        func missed() -> [String] {
            let since = #""since":{"epoch":"\#(epoch)","revision":\#(revision)}"#
            let params = #""paths":\#(paths),"old":true,\#(since)"#
            return daemon.client(5).ask(#"{"id":1,"method":"subscribe","params":{\#(params)}}"#)
        }
        let before = missed()
        #expect(before.count > 1 && before[0].contains(#""resumed":true"#))
        try daemon.restart()
        #expect(missed() == before)
    }

    @Test(arguments: [#"["t.label"]"#, #"["t.*"]"#])
    func `since continues over a restart with computed properties`(paths: String) throws {
        var label = PropertyDeclaration("label", "String")
        label.computed = "{n} of {list.@sum}"
        let properties = [PropertyDeclaration("n", "Int"), PropertyDeclaration("list", "[Int]"), label]
        let daemon = try JournaledHub(declaring: { tree in
            if let fault = tree.declare([TypeDeclaration("T", properties)]).first { throw fault }
            try tree.declare(root: "t", type: "T")
        })
        daemon.ask("set", #""path":"t","value":{"n":1,"list":[1,2]}"#)
        let (revision, epoch) = (daemon.tree.revision, daemon.hub.journaling.epoch)
        daemon.ask("insert", #""path":"t.list","value":9,"index":0"#)
        daemon.ask("set", #""path":"t","value":{"n":8,"list":[]}"#)
        daemon.ask("set", #""path":"t.n","value":9"#)
        func missed() -> [String] {
            let since = #""since":{"epoch":"\#(epoch)","revision":\#(revision)}"#
            return daemon.client(5).ask(
                #"{"id":1,"method":"subscribe","params":{"paths":\#(paths),"old":true,\#(since)}}"#
            )
        }
        let before = missed()
        #expect(before.count { $0.contains(#""path":"t.label""#) } == 3)
        try daemon.restart()
        #expect(missed() == before)
    }

    @Test func `since fails before the oldest restored commit`() throws {
        let daemon = try filled()
        let (revision, epoch) = (daemon.tree.revision, daemon.hub.journaling.epoch)
        daemon.ask("set", #""path":"app.a.n","value":7"#)
        try daemon.snapshot()
        daemon.ask("set", #""path":"app.a.n","value":8"#)
        try daemon.restart()
        func asked(_ epoch: String, _ revision: UInt64) -> [String] {
            let since = #""since":{"epoch":"\#(epoch)","revision":\#(revision)}"#
            return daemon.client(5).ask(
                #"{"id":1,"method":"subscribe","params":{"path":"app.a.n",\#(since)}}"#
            )
        }
        let early = asked(epoch, revision)
        #expect(early.first?.contains(#""initial":1,"resumed":false"#) == true, "\(early)")
        #expect(early.last?.contains(#""reason":"initial","new":8"#) == true)
        let late = asked(epoch, revision + 1)
        #expect(late.first?.contains(#""resumed":true,"replayed":1"#) == true, "\(late)")
        #expect(late.last?.contains(#""reason":"valueChanged","new":8"#) == true)
        #expect(asked("other", revision + 1).first?.contains(#""resumed":false"#) == true)
    }

    @Test func `a property that one commit adds and removes leaves nothing behind`() throws {
        let daemon = try filled()
        let shadowing = #"{"method":"set","params":{"path":"app.x","value":1,"lifetime":"connection"}}"#
        let removed = #"{"method":"remove","params":{"path":"app.x"}}"#
        daemon.ask("transaction", #""operations":[\#(shadowing),\#(removed)]"#, 2)
        daemon.ask("set", #""path":"app.a.n","value":7"#)
        try daemon.kill()
        #expect(daemon.tree.faults() == [])
    }

    @Test func `a folder that hides its journal is not taken for an empty one`() throws {
        let daemon = try filled()
        let journal = daemon.disk.contents("journal-1")
        daemon.disk.hidesNames = true
        let error = try #require(throws: StateError.self) { try daemon.restart() }
        #expect("\(error)".contains("journal-1 was not listed"))
        #expect(daemon.disk.contents("journal-1")?.starts(with: try #require(journal)) == true)
    }

    /// The end of a binding changes no value, and has no revision.
    @Test func `recovery ignores a journal whose predecessor lost its end`() throws {
        for seed in UInt64(1)...100 {
            let daemon = try filled()
            let journal = try #require(daemon.openJournal)
            #expect(journal.popWork(isSyncDue: true) != nil)
            journal.finish(daemon.disk.doWork())
            daemon.ask("unbind", #""binding":1"#)
            journal.rotation.isWanted = true
            while journal.file.number == 1 {
                if journal.popWork(isSyncDue: false) != nil { journal.finish(daemon.disk.doWork()) }
                journal.step { true }
            }
            daemon.ask("set", #""path":"later","value":1"#)
            try daemon.losePower(seed: seed)
            let isBound = daemon.ask("bindings", "").contains("app.copy")
            #expect(!isBound || daemon.value("later") == "null", "seed \(seed)")
        }
    }

    @Test func `the epoch changes only if acknowledged commits may be lost`() throws {
        for durability in Durability.allCases {
            let daemon = try filled(durability)
            let epoch = daemon.hub.journaling.epoch
            try daemon.restart()
            #expect(daemon.hub.journaling.epoch == epoch)
            daemon.ask("set", #""path":"x","value":1"#)
            try daemon.kill()
            #expect((daemon.hub.journaling.epoch == epoch) == (durability != .none), "\(durability) killed")
            let next = daemon.hub.journaling.epoch
            daemon.ask("set", #""path":"x","value":2"#)
            try daemon.losePower(seed: 1)
            #expect(
                (daemon.hub.journaling.epoch == next) == (durability == .commit),
                "\(durability) without power"
            )
        }
    }

    @Test func `under commit a power loss keeps every answered write`() throws {
        for seed in 1...20 {
            let daemon = try JournaledHub(.commit)
            for n in 1...5 { #expect(daemon.ask("set", #""path":"x","value":\#(n)"#).contains("result")) }
            try daemon.losePower(seed: UInt64(seed))
            #expect(daemon.value("x") == "5")
        }
    }

    @Test(arguments: ["a.b.c.d.e", "a[b.c.d.e.f == null].b"])
    func `a start with a lower depth than a binding has names the limit, and loses nothing`(source: String)
        throws
    {
        let disk = SimulatedDisk(seed: 1)
        func open(_ maxDepth: Int) throws -> Hub {
            var limits = ServerLimits()
            limits.tree.maxDepth = maxDepth
            let hub = Hub(limits: limits, now: TestClock().now)
            let conditions = StartConditions(durability: .interval, boot: "", clockOffset: 0, freshEpoch: "e")
            hub.journaling.keep(try Recovery.open(hub.tree, on: disk, conditions).journal)
            return hub
        }
        let hub = try open(5)
        _ = FakeClient(hub).ask(#"{"id":1,"method":"set","params":{"path":"a","value":{}}}"#)
        let bind = #"{"id":1,"method":"bind","params":{"source":"\#(source)","target":"a.x"}}"#
        #expect(FakeClient(hub, token: 2).ask(bind)[0].contains(#""binding":1"#))
        hub.journaling.closeJournal()
        let column = source.contains("[") ? "column 11: " : ""
        let error = StateError.tooDeep(
            "binding 1: \(source): \(column)the key path has more than 4 components"
        )
        #expect(throws: error) { _ = try open(4) }
        #expect(error.remedy == "raise limits.maxDepth: the state is whole")
        let next = try open(5)
        #expect(next.tree.stateDump == hub.tree.stateDump)
        next.journaling.closeJournal()
    }

    @Test func `a restart restores types and computed properties`() throws {
        var film = TypeDeclaration(
            "Film",
            [PropertyDeclaration("title", "String"), PropertyDeclaration("year", "Int?")]
        )
        var label = PropertyDeclaration("label", "String")
        label.computed = "{title} ({year})"
        film.properties.append(label)
        let disk = SimulatedDisk(seed: 1)
        func open() throws -> Hub {
            let hub = Hub.with([])
            #expect(hub.tree.declare([film]) == [])
            try hub.tree.declare(root: "films", type: "[String: Film]")
            let conditions = StartConditions(durability: .interval, boot: "", clockOffset: 0, freshEpoch: "e")
            hub.journaling.keep(try Recovery.open(hub.tree, on: disk, conditions).journal)
            return hub
        }
        let hub = try open()
        let client = FakeClient(hub)
        _ = client.ask(#"{"id":1,"method":"set","params":{"path":"films","value":{"a":{"title":"Alien"}}}}"#)
        _ = client.ask(#"{"id":1,"method":"set","params":{"path":"films.a.year","value":1979}}"#)
        hub.journaling.closeJournal()
        let next = try open()
        let again = FakeClient(next)
        #expect(next.tree.stateDump == hub.tree.stateDump)
        #expect(
            again.ask(#"{"id":1,"method":"get","params":{"path":"films.a.label"}}"#)
                == [#"{"jsonrpc":"2.0","id":1,"result":{"value":"Alien (1979)","revision":2}}"#]
        )
        #expect(
            again.ask(#"{"id":1,"method":"set","params":{"path":"films.a.year","value":"x"}}"#)[0].contains(
                #""code":2"#
            )
        )
        next.journaling.closeJournal()
    }

    /// Such an expiry has a line in the journal, but no revision.
    @Test func `a shadowed value that expires last during a snapshot stays expired`() throws {
        let daemon = try JournaledHub()
        daemon.ask("set", #""path":"r","value":0"#)
        daemon.ask("set", #""path":"r","value":{},"lifetime":15"#)
        try daemon.snapshot {
            daemon.ask("set", #""path":"r","value":true,"lifetime":"connection""#, 2)
            let revision = daemon.tree.revision
            daemon.clock.pass(milliseconds: 20, in: daemon.hub)
            #expect(daemon.tree.revision == revision)
        }
        daemon.ask("set", #""path":"s","value":1"#)
        try daemon.kill()
        #expect(daemon.value("r") == "0")
        #expect(daemon.value("s") == "1")
    }
}
