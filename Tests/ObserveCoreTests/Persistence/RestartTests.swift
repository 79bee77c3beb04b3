// SPDX-License-Identifier: MIT
// What is there again after a start, case by case.

import Testing

@testable import ObserveCore

@Suite struct RestartTests {
    private func filled(_ durability: Durability = .interval) throws -> KeptHub {
        let kept = try KeptHub(durability)
        kept.ask("set", #""path":"app","value":{"a":{"n":1},"list":[{"x":1},2,"three"],"none":null}"#)
        kept.ask("link", #""path":"app.shared","target":"app.a""#)
        kept.ask("link", #""path":"app.weak","target":"app.list.0","weak":true"#)
        kept.ask("bind", #""source":"app.a.n","target":"app.copy""#)
        kept.ask("set", #""path":"app.a.n","value":5"#)
        kept.ask("insert", #""path":"app.list","value":4,"index":1"#)
        return kept
    }

    @Test(arguments: [false, true])
    func `identity, links, order, bindings, revision and epoch come back`(withSnapshot: Bool) throws {
        let kept = try filled()
        if withSnapshot { try kept.snapshot() }
        let (dump, epoch, status) = (kept.dump, kept.hub.epoch, kept.ask("describe", #""path":"app""#))
        for _ in 0..<2 {
            try kept.restart()
            #expect(kept.dump == dump)
            #expect(kept.hub.epoch == epoch)
            #expect(kept.ask("describe", #""path":"app""#) == status)
            #expect(kept.notes == [])
            #expect(kept.tree.faults() == [])
        }
        kept.ask("set", #""path":"app.shared.n","value":6"#)
        #expect(kept.value("app.a.n") == "6")
        #expect(kept.value("app.copy") == "6")
        kept.ask("remove", #""path":"app.list.0""#)
        #expect(kept.value("app.weak") == "null")
    }

    @Test func `what a one-way binding's target was given stays`() throws {
        let kept = try filled()
        kept.ask("set", #""path":"app.copy","value":"mine""#)
        try kept.restart()
        #expect(kept.value("app.copy") == #""mine""#)
        kept.ask("set", #""path":"app.a.n","value":7"#)
        #expect(kept.value("app.copy") == "7")
    }

    @Test func `a binding that was ended stays ended, and its number is not given out again`() throws {
        let kept = try filled()
        #expect(kept.ask("unbind", #""binding":1"#) == #""result":{}"#)
        try kept.kill()
        #expect(kept.ask("bindings", "") == #""result":{"bindings":[]}"#)
        #expect(kept.ask("bind", #""source":"app.a.n","target":"app.copy""#).contains(#""binding":2"#))
    }

    @Test func `values of connections are gone, those with a time go on and end`() throws {
        let kept = try filled()
        kept.ask("set", #""path":"app.a.n","value":10,"lifetime":"connection""#, 2)
        kept.ask("set", #""path":"app.none","value":20,"lifetime":1000"#, 2)
        kept.ask("set", #""path":"gone","value":{},"lifetime":"connection""#, 2)
        try kept.kill()
        #expect(kept.value("app.a.n") == "5")
        #expect(kept.value("app.none") == "20")
        #expect(kept.value("gone") == "null")
        kept.clock.pass(milliseconds: 999, in: kept.hub)
        #expect(kept.value("app.none") == "20")
        kept.clock.pass(milliseconds: 1, in: kept.hub)
        #expect(kept.value("app.none") == "null")
        try kept.kill()
        #expect(kept.value("app.none") == "null")
    }

    @Test func `since goes back over a start`() throws {
        let kept = try filled()
        let (revision, epoch) = (kept.tree.revision, kept.hub.epoch)
        kept.ask("insert", #""path":"app.list","value":9,"index":0"#)
        kept.ask("set", #""path":"app.a","value":{"n":8}"#)
        func missed() -> [String] {
            let since = #""since":{"epoch":"\#(epoch)","revision":\#(revision)}"#
            let params = #""paths":["app.list","app.a.n","app.shared.n"],"old":true,\#(since)"#
            return kept.client(5).ask(#"{"id":1,"method":"subscribe","params":{\#(params)}}"#)
        }
        let before = missed()
        #expect(before.count == 3)
        try kept.restart()
        #expect(missed() == before)
    }

    @Test func `since goes back no further than what was kept, and says so`() throws {
        let kept = try filled()
        let (revision, epoch) = (kept.tree.revision, kept.hub.epoch)
        kept.ask("set", #""path":"app.a.n","value":7"#)
        try kept.snapshot()
        kept.ask("set", #""path":"app.a.n","value":8"#)
        try kept.restart()
        func asked(_ epoch: String, _ revision: UInt64) -> [String] {
            let since = #""since":{"epoch":"\#(epoch)","revision":\#(revision)}"#
            return kept.client(5).ask(
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

    @Test func `a property that came and went within a commit leaves nothing behind`() throws {
        let kept = try filled()
        let shadowing = #"{"method":"set","params":{"path":"app.x","value":1,"lifetime":"connection"}}"#
        let removed = #"{"method":"remove","params":{"path":"app.x"}}"#
        kept.ask("transaction", #""operations":[\#(shadowing),\#(removed)]"#, 2)
        kept.ask("set", #""path":"app.a.n","value":7"#)
        try kept.kill()
        #expect(kept.tree.faults() == [])
    }

    /// What ends a binding changes no value, and has no revision of its own.
    @Test func `a journal does not go on from one that has lost its end with the power`() throws {
        for seed in UInt64(1)...100 {
            let kept = try filled()
            let journal = try #require(kept.hub.journalGate.journal)
            #expect(journal.popWork(isSyncDue: true) != nil)
            journal.finish(kept.disk.doWork())
            kept.ask("unbind", #""binding":1"#)
            journal.rotation.isWanted = true
            while journal.file.number == 1 {
                if journal.popWork(isSyncDue: false) != nil { journal.finish(kept.disk.doWork()) }
                journal.step { true }
            }
            kept.ask("set", #""path":"later","value":1"#)
            try kept.losePower(seed: seed)
            let isBound = kept.ask("bindings", "").contains("app.copy")
            #expect(!isBound || kept.value("later") == "null", "seed \(seed)")
        }
    }

    @Test func `the epoch changes when acknowledged commits may be lost, and only then`() throws {
        for durability in Durability.allCases {
            let kept = try filled(durability)
            let epoch = kept.hub.epoch
            try kept.restart()
            #expect(kept.hub.epoch == epoch)
            kept.ask("set", #""path":"x","value":1"#)
            try kept.kill()
            #expect((kept.hub.epoch == epoch) == (durability != .none), "\(durability) killed")
            let next = kept.hub.epoch
            kept.ask("set", #""path":"x","value":2"#)
            try kept.losePower(seed: 1)
            #expect((kept.hub.epoch == next) == (durability == .commit), "\(durability) without power")
        }
    }

    @Test func `under commit nothing that was answered is lost with the power`() throws {
        for seed in 1...20 {
            let kept = try KeptHub(.commit)
            for n in 1...5 { #expect(kept.ask("set", #""path":"x","value":\#(n)"#).contains("result")) }
            try kept.losePower(seed: UInt64(seed))
            #expect(kept.value("x") == "5")
        }
    }

    @Test func `types and computed properties come back`() throws {
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
            hub.keep(try Recovery.open(hub.tree, on: disk, conditions).journal)
            return hub
        }
        let hub = try open()
        let client = FakeClient(hub)
        _ = client.ask(#"{"id":1,"method":"set","params":{"path":"films","value":{"a":{"title":"Alien"}}}}"#)
        _ = client.ask(#"{"id":1,"method":"set","params":{"path":"films.a.year","value":1979}}"#)
        hub.closeJournal()
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
        next.closeJournal()

        let other = Hub.with([])
        film.properties[1] = PropertyDeclaration("year", "String")
        #expect(other.tree.declare([film]) == [])
        try other.tree.declare(root: "films", type: "[String: Film]")
        let conditions = StartConditions(durability: .interval, boot: "", clockOffset: 0, freshEpoch: "e")
        #expect(throws: StateError.misfit("Film's property year holds a number, and String is declared")) {
            try Recovery.open(other.tree, on: disk, conditions)
        }
    }

    /// Such an end has a line in the journal, and no revision of its own.
    @Test func `what ends unseen as the last thing while a snapshot is written is gone after it`() throws {
        let kept = try KeptHub()
        kept.ask("set", #""path":"r","value":0"#)
        kept.ask("set", #""path":"r","value":{},"lifetime":15"#)
        try kept.snapshot {
            kept.ask("set", #""path":"r","value":true,"lifetime":"connection""#, 2)
            let revision = kept.tree.revision
            kept.clock.pass(milliseconds: 20, in: kept.hub)
            #expect(kept.tree.revision == revision)
        }
        kept.ask("set", #""path":"s","value":1"#)
        try kept.kill()
        #expect(kept.value("r") == "0")
        #expect(kept.value("s") == "1")
    }
}
