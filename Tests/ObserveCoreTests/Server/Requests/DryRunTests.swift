// SPDX-License-Identifier: MIT
// dryRun: whole answers for each write, what it leaves out, access, limits, and that nothing stays. The oracle tests
// compare random writes with what they then do.

import Testing

@testable import ObserveCore

@Suite struct DryRunTests {
    @Test func `each write says what it would change, and changes nothing`() {
        let talk = Conversation([("a", #"{"x":1,"m":{"k":1},"r":[1,2]}"#)])
        talk.ask("link", #"{"path":"a.w","target":"a.m","weak":true}"#)
        talk.watch("a.**", "a.m.k", "a.r.@count")
        let (before, lastInstance) = (talk.hub.tree.stateDump, talk.hub.tree.records.lastInstance)
        for (method, params, expected) in [
            (
                "set", #""path":"a.x","value":2"#,
                #""changed":true,"changes":[{"path":"a.x","old":1,"new":2}],"failing":[]}"#
            ),
            ("set", #""path":"a.x","value":1"#, #""changed":false,"changes":[],"failing":[]}"#),
            (
                "set", #""path":"a.n.o","value":{"p":[1]},"parents":true"#,
                #""changed":true,"changes":[{"path":"a.n","old":null,"new":{"o":{"p":[1]}}}],"failing":[]}"#
            ),
            (
                "set", #""path":"a.x","value":5,"lifetime":100"#,
                #""changed":true,"changes":[{"path":"a.x","old":1,"new":5}],"failing":[]}"#
            ),
            (
                "merge", #""path":"a","value":{"x":null,"m":{"k":2},"y":3}"#,
                #""changed":true,"changes":[{"path":"a.x","old":1,"new":null},{"path":"a.m.k","old":1,"new":2},"#
                    + #"{"path":"a.y","old":null,"new":3}],"failing":[]}"#
            ),
            (
                "remove", #""path":"a.m""#,
                #""changed":true,"changes":[{"path":"a.m","old":{"k":1},"new":null},"#
                    + #"{"path":"a.w","old":{"k":1},"new":null,"released":true}],"failing":[]}"#
            ),
            (
                "insert", #""path":"a.r","value":{"e":1},"index":0"#,
                #""changed":true,"changes":[{"path":"a.r","old":[1,2],"new":[{"e":1},1,2]}],"failing":[]}"#
            ),
            (
                "increment", #""path":"a.x","by":4"#,
                #""changed":true,"value":5,"changes":[{"path":"a.x","old":1,"new":5}],"failing":[]}"#
            ),
            (
                "link", #""path":"a.again","target":"a.m""#,
                #""changed":true,"changes":[{"path":"a.again","old":null,"new":{"k":1}}],"failing":[]}"#
            ),
            (
                "revert", #""revision":2"#,
                #""changed":true,"changes":[{"path":"a.w","old":{"k":1},"new":null}],"failing":[]}"#
            ),
            (
                "transaction",
                #""operations":[{"method":"set","params":{"path":"a.m.k","value":2}},{"method":"set","params":{"path":"a.x","value":3}},{"method":"set","params":{"path":"a.x","value":1}},{"method":"remove","params":{"path":"a.m"}}]"#,
                #""changed":true,"results":[{"revision":2,"changed":true},{"revision":2,"changed":true},{"revision":2,"changed":true},{"revision":2,"changed":true}],"#
                    + #""changes":[{"path":"a.m","old":{"k":1},"new":null},{"path":"a.w","old":{"k":1},"new":null,"released":true}],"failing":[]}"#
            ),
        ] {
            #expect(
                talk.ask(method, "{\(params),\"dryRun\":true}") == #"{"revision":2,\#(expected)"#,
                "\(method) \(params)"
            )
            #expect(talk.hub.tree.stateDump == before, "\(method) \(params)")
            #expect(talk.hub.tree.records.lastInstance == lastInstance, "\(method) \(params)")
            #expect(talk.hub.tree.faults() + talk.hub.tree.patternFaults() == [])
        }
        #expect(
            talk.events().isEmpty && talk.hub.clients.timers.next == nil
                && talk.hub.tree.history.commits.count == 2
        )
        #expect(
            talk.ask("set", #"{"path":"a.x","value":1,"dryRun":false}"#) == #"{"revision":2,"changed":false}"#
        )
    }

    @Test func `computed properties, bindings and their failures are consequences`() throws {
        let client = try SelectionTranscriptTests.client()
        func ask(_ method: String, _ params: String) -> String {
            let line = client.ask(#"{"id":1,"method":"\#(method)","params":{\#(params)}}"#).last ?? ""
            return String(line.dropFirst(#"{"jsonrpc":"2.0","id":1,"result":"#.count).dropLast())
        }
        #expect(
            ask("set", #""path":"hall.celsius","value":21.0,"dryRun":true"#)
                == #"{"revision":2,"changed":true,"changes":[{"path":"hall.celsius","old":18.25,"new":21.0},"#
                + #"{"path":"hall.heating","old":true,"new":false,"computed":true},"#
                + #"{"path":"hall.label","old":"18.3 of 20.0","new":"21.0 of 20.0","computed":true}],"failing":[]}"#
        )
        _ = ask("set", #""path":"out","value":{"x":null}"#)
        _ = ask("bind", #""source":"media.players.vlc.volume","target":"out.x""#)
        _ = ask("bind", #""source":"out.x","target":"hall.celsius""#)
        #expect(
            ask("set", #""path":"media.players.vlc.volume","value":30,"dryRun":true"#)
                == #"{"revision":5,"changed":true,"changes":[{"path":"media.players.vlc.volume","old":50,"new":30},"#
                + #"{"path":"out.x","old":50,"new":30,"binding":1},"#
                + #"{"path":"hall.celsius","old":50.0,"new":30.0,"binding":2},"#
                + #"{"path":"hall.label","old":"50.0 of 20.0","new":"30.0 of 20.0","computed":true}],"failing":[]}"#
        )
        #expect(
            ask("set", #""path":"out.x","value":"warm","dryRun":true"#)
                == #"{"revision":5,"changed":true,"changes":[{"path":"out.x","old":50,"new":"warm"}],"#
                + #""failing":[{"binding":2,"path":"hall.celsius","message":"hall.celsius: expected Double?, found a string"}]}"#
        )
        let status = ask("status", "")
        #expect(status.contains(#""bindingsFailing":0,"bindingWritesFailed":0"#), "\(status)")
        #expect(!ask("bindings", "").contains(#""failing":true"#))
        #expect(client.hub.tree.faults().isEmpty)
        // What followed the paths still does.
        _ = ask("set", #""path":"media.players.vlc.volume","value":7"#)
        #expect(ask("get", #""path":"hall.label""#).contains("7.0 of 20.0"))
    }

    @Test func `a model to which no path led before is one change`() {
        let talk = Conversation([("s", #"{"v":0}"#)])
        talk.ask("bind", #"{"source":"s.v","target":"r.t"}"#)
        talk.ask("set", #"{"path":"r","value":{"t":0}}"#)
        talk.ask("set", #"{"path":"r","value":{"k":1},"lifetime":100000}"#)
        talk.ask("set", #"{"path":"s.v","value":1}"#)
        #expect(
            talk.ask("revert", #"{"revision":3,"dryRun":true}"#)
                == #"{"revision":4,"changed":true,"changes":[{"path":"r","old":{"k":1,"t":1},"new":{"t":1}}],"failing":[]}"#
        )
        #expect(talk.hub.tree.faults().isEmpty)
    }

    @Test func `a refusal is that of the write`() {
        let talk = Conversation([("a", #"{"x":"text","m":{}}"#)])
        for (method, params) in [
            ("increment", #""path":"a.x""#), ("set", #""path":"a.q.z","value":1"#), ("set", #""path":"a.x""#),
            ("set", #""path":"a.x","value":1,"ifRevision":0"#), ("link", #""path":"a.m.a","target":"a""#),
            ("merge", #""path":"a.x.y","value":{}"#), ("set", #""path":"observed.x","value":1"#),
            (
                "transaction",
                #""operations":[{"method":"set","params":{"path":"a.x","value":1}},{"method":"increment","params":{"path":"a.m"}}]"#
            ),
            ("revert", #""revision":9"#), ("insert", #""path":"a.x","value":1,"index":-1"#),
        ] {
            let dry = talk.ask(method, "{\(params),\"dryRun\":true}")
            #expect(dry == talk.ask(method, "{\(params)}") && dry.hasPrefix(#"{"code":"#), "\(dry)")
        }
        #expect(talk.refusal("set", #"{"path":"a.x","value":1,"dryRun":1}"#) == "-32602")
        #expect(talk.refusal("load", #"{"text":"","dryRun":true}"#) == "-32602")
        #expect(
            talk.ask(
                "transaction",
                #"{"operations":[{"method":"set","params":{"path":"a.x","value":1,"dryRun":true}}]}"#
            )
                == #"{"code":-32602,"message":"an operation has no param dryRun: the transaction has it for all","data":{"operation":0}}"#
        )
        talk.hub.tree.records.limits.maxTreeBytes = 1
        #expect(
            talk.refusal("set", #"{"path":"a.y","value":1,"dryRun":true}"#) == #"6 {"name":"limitExceeded"}"#
        )
        #expect(talk.ask("remove", #"{"path":"a.m","dryRun":true}"#).contains(#""changed":true"#))
        #expect(talk.revision == 1 && talk.hub.tree.faults().isEmpty)
    }

    @Test func `a list of changes has limits`() {
        let members = (0..<1500).map { #""p\#($0)":1"# }.joined(separator: ",")
        let patch = (0..<1500).map { #""p\#($0)":2"# }.joined(separator: ",")
        let talk = Conversation([("a", "{\(members)}"), ("t", #"{"x":"","y":""}"#)])
        let answer = talk.ask("merge", #"{"path":"a","value":{\#(patch)},"dryRun":true}"#)
        #expect(answer.hasSuffix(#"{"path":"a.p999","old":1,"new":2}],"furtherChanges":500,"failing":[]}"#))
        // Beyond the bytes, changes are only counted.
        talk.hub.tree.records.limits.maxRenderedBytes = 1000
        let long = String(repeating: "x", count: 600)
        #expect(
            talk.ask("merge", #"{"path":"t","value":{"x":"\#(long)","y":"\#(long)","z":1},"dryRun":true}"#)
                == #"{"revision":2,"changed":true,"changes":[{"path":"t.x","old":"","new":"\#(long)"}],"furtherChanges":2,"failing":[]}"#
        )
        talk.ask("set", #"{"path":"t.x","value":"\#(long)"}"#)
        #expect(
            talk.ask("set", #"{"path":"t.x","value":"\#(long)y","dryRun":true}"#)
                == #"{"revision":3,"changed":true,"changes":[],"furtherChanges":1,"failing":[]}"#
        )
        #expect(talk.hub.tree.faults().isEmpty)
    }

    @Test func `a restricted client gets what it may read, by paths that it may read`() {
        let hub = Hub.with([
            ("a", #"{"open":{"x":1},"secret":{"y":1},"list":[{"z":1}]}"#), ("out", #"{"x":0}"#),
        ])
        let writer = FakeClient(hub)
        for request in [
            #""method":"link","params":{"path":"a.secret.again","target":"a.open"}"#,
            #""method":"link","params":{"path":"a.open.z","target":"a.list.0"}"#,
            #""method":"bind","params":{"source":"a.open.x","target":"a.secret.y"}"#,
            #""method":"bind","params":{"source":"a.open.x","target":"out.x"}"#,
        ] { #expect(writer.ask(#"{"id":1,\#(request)}"#)[0].contains("result")) }
        func ask(_ read: [[String]], _ write: [[String]], _ params: String, _ method: String = "set")
            -> String
        {
            let grant = Grant(read: read.map(PathPrefix.init), write: write.map(PathPrefix.init))
            let client = FakeClient(hub, token: 2, grant: grant)
            defer { client.close() }
            let line = client.ask(#"{"id":1,"method":"\#(method)","params":{\#(params),"dryRun":true}}"#)[0]
            return String(line.dropFirst(#"{"jsonrpc":"2.0","id":1,"#.count).dropLast())
        }
        let set = #""path":"a.open.x","value":5"#
        #expect(
            ask([["a", "open"], ["out"]], [["a", "open"]], set)
                == #""result":{"revision":5,"changed":true,"changes":[{"path":"a.open.x","old":1,"new":5},"#
                + #"{"path":"out.x","old":1,"new":5,"binding":2}],"failing":[],"hidden":1}"#
        )
        #expect(
            ask([["a", "secret", "again"]], [["a", "secret"]], #""path":"a.secret.again.x","value":5"#)
                == #""result":{"revision":5,"changed":true,"changes":[{"path":"a.secret.again.x","old":1,"new":5}],"failing":[],"hidden":2}"#
        )
        #expect(
            ask([["a", "open", "z"]], [["a", "open"]], #""path":"a.open.z.z","value":5"#)
                == #""result":{"revision":5,"changed":true,"changes":[{"path":"a.open.z.z","old":1,"new":5}],"failing":[]}"#
        )
        #expect(
            ask([["a", "list", "0"]], [["a", "list"]], #""path":"a.list.0.z","value":5"#)
                == #""result":{"revision":5,"changed":true,"changes":[{"path":"a.list.0.z","old":1,"new":5}],"failing":[]}"#
        )
        // Who may not read the path of the write gets nothing.
        #expect(ask([["out"]], [["a", "open"]], set) == #""result":{"revision":5}"#)
        #expect(ask([["out"]], [], set).hasPrefix(#""error":{"code":5"#))
        #expect(
            ask(
                [["out"]],
                [["a", "open"], ["out"]],
                #""operations":[{"method":"set","params":{"path":"out.x","value":7}},{"method":"set","params":{"path":"a.open.x","value":7}}]"#,
                "transaction"
            ) == #""result":{"revision":5,"results":[{"revision":5,"changed":true},{"revision":5}]}"#
        )
        #expect(hub.tree.revision == 5 && hub.tree.faults().isEmpty)
    }

    @Test func `the indices of a dry run's arrays are forgotten`() {
        let talk = Conversation([("a", #"{"list":[{"x":0},1]}"#)])
        talk.ask("link", #"{"path":"a.list.1","target":"a.list.0"}"#)
        talk.watch("a.**")
        func transaction(_ first: String, options: String = "") -> String {
            // Of an array's many touches, the tree makes an index.
            let others = (0..<9).map { #",{"method":"set","params":{"path":"a.p\#($0)","value":1}}"# }
                .joined()
            return talk.ask("transaction", #"{"operations":[\#(first)\#(others)]\#(options)}"#)
        }
        let insert = #"{"method":"insert","params":{"path":"a.list","value":5,"index":0}},"#
        let dryRun = transaction(
            insert + #"{"method":"set","params":{"path":"a.list.1.x","value":1}}"#,
            options: #","dryRun":true"#
        )
        #expect(dryRun.contains(#"{"path":"a.list.1.x","old":0,"new":1}"#))
        _ = transaction(#"{"method":"set","params":{"path":"a.list.0.x","value":2}}"#)
        #expect(
            talk.events().filter { $0.contains("list") } == [
                #""path":"a.list.0.x","reason":"valueChanged","new":2,"old":0,"revision":3,"more":true"#,
                #""path":"a.list.1.x","reason":"valueChanged","new":2,"old":0,"revision":3"#,
            ]
        )
        #expect(talk.hub.tree.faults().isEmpty)
    }

    @Test func `nothing is in the journal, and the work counts`() throws {
        let journaled = try JournaledHub()
        journaled.ask("set", #""path":"a","value":{"x":0,"m":{"k":1}}"#)
        journaled.hub.journaling.flushBatch()
        let bytes = journaled.openJournal?.file.length
        for _ in 0..<3 { journaled.ask("remove", #""path":"a.m","dryRun":true"#) }
        #expect(journaled.hub.clients.gate.needsFlush == false && journaled.openJournal?.file.length == bytes)
        let many = (0..<20_000).map { #""p\#($0)":1"# }.joined(separator: ",")
        journaled.ask("set", #""path":"b","value":{\#(many)}"#)
        let work = journaled.tree.reader.work
        journaled.ask("remove", #""path":"b","dryRun":true"#)
        #expect(journaled.tree.reader.work - work > 20_000)
        try journaled.restart()
        #expect(journaled.value("a") == #"{"x":0,"m":{"k":1}}"# && journaled.tree.faults().isEmpty)
    }
}
