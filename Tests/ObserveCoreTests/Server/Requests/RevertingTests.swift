// SPDX-License-Identifier: MIT
// revert: what comes back, what follows, refusals, access and restarts. The random tests revert any commit.

import Testing

@testable import ObserveCore

@Suite struct RevertingTests {
    @Test func `a removed model comes back as the same one, with its links and weak references`() {
        let talk = Conversation([("a", #"{"m":{"k":1,"n":{"z":2},"r":[1,{"e":3}]},"o":{}}"#)])
        talk.ask("link", #"{"path":"a.o.n","target":"a.m.n"}"#)
        talk.ask("link", #"{"path":"a.w","target":"a.m","weak":true}"#)
        talk.ask("set", #"{"path":"a.m.w","value":null}"#)
        talk.ask("link", #"{"path":"a.m.w","target":"a.o","weak":true}"#)
        let instances = ["a.m", "a.m.n", "a.m.r.1", "a.o.n"].map(talk.instance)
        talk.watch("a.m.k", "a.w.k", "a.m.n.z")
        talk.ask("remove", #"{"path":"a.m"}"#)
        #expect(talk.value("a.w.k") == "null")
        #expect(talk.events().count == 3)
        #expect(talk.ask("revert", #"{"revision":6}"#) == #"{"revision":7,"changed":true}"#)
        #expect(
            talk.events()
                == [
                    #""path":"a.m.k","reason":"pathChanged","new":1,"old":null,"changedAt":"a.m","revision":7,"more":true"#,
                    #""path":"a.m.n.z","reason":"pathChanged","new":2,"old":null,"changedAt":"a.m","revision":7,"more":true"#,
                    #""path":"a.w.k","reason":"pathChanged","new":1,"old":null,"changedAt":"a.w","revision":7"#,
                ].map { $0.replacing(#","more":true"#, with: "") }
        )
        #expect(["a.m", "a.m.n", "a.m.r.1", "a.o.n"].map(talk.instance) == instances)
        #expect(talk.value("a.w.r") == #"[1,{"e":3}]"# && talk.value("a.m.w.n.z") == "2")
        // What comes back is the last of its model.
        #expect(
            talk.value("a").hasSuffix(#","m":{"k":1,"n":{"z":2},"r":[1,{"e":3}]}}"#),
            "\(talk.value("a"))"
        )
        talk.ask("set", #"{"path":"a.m.n.z","value":5}"#)
        #expect(talk.events().count == 1 && talk.value("a.o.n.z") == "5")
        #expect(talk.hub.tree.faults().isEmpty)
        talk.ask("remove", #"{"path":"a"}"#)
        talk.hub.tree.forgetHistory()
        #expect(talk.hub.tree.faults().isEmpty && talk.hub.tree.modelCount == 0)
    }

    @Test func `a revert can be reverted, and the past stays as it was`() {
        let talk = Conversation([("a", #"{"m":{"k":1}}"#)])
        talk.ask("remove", #"{"path":"a.m"}"#)
        let instance = talk.ask("get", #"{"path":"a","at":1}"#)
        for revision in 2...9 {
            #expect(
                talk.ask("revert", #"{"revision":\#(revision)}"#)
                    == #"{"revision":\#(revision + 1),"changed":true}"#
            )
            #expect(talk.value("a") == (revision % 2 == 0 ? #"{"m":{"k":1}}"# : "{}"))
            for past in 1...revision + 1 {
                let expected = past % 2 == 0 ? "{}" : #"{"m":{"k":1}}"#
                #expect(
                    talk.ask("get", #"{"path":"a","at":\#(past)}"#)
                        == #"{"value":\#(expected),"revision":\#(past)}"#
                )
            }
            #expect(talk.hub.tree.faults().isEmpty)
        }
        #expect(instance.contains(#"{"k":1}"#))
        // The history forgets them one after the other.
        talk.hub.tree.history.commitLimit = 4
        for value in 0...9 {
            talk.ask("set", #"{"path":"a.x","value":\#(value)}"#)
            #expect(talk.hub.tree.faults().isEmpty)
        }
        #expect(talk.hub.tree.history.livingAgain.isEmpty && talk.hub.tree.history.restored.isEmpty)
    }

    @Test func `arrays, absent properties and a transaction are as before`() {
        let talk = Conversation([("a", #"{"r":[1,[2,3],{"k":4}],"x":1}"#), ("b", "2")])
        talk.ask("insert", #"{"path":"a.r.1","value":9,"index":1}"#)
        talk.ask("revert", #"{"revision":3}"#)
        #expect(talk.value("a.r") == #"[1,[2,3],{"k":4}]"#)
        talk.ask(
            "transaction",
            #"{"operations":[{"method":"remove","params":{"path":"a.r.2"}},{"method":"insert","params":{"path":"a.r","value":7}},{"method":"set","params":{"path":"a.y","value":1}},{"method":"remove","params":{"path":"b"}},{"method":"set","params":{"path":"a.x","value":2}}]}"#
        )
        #expect(talk.ask("revert", #"{"revision":5}"#) == #"{"revision":6,"changed":true}"#)
        #expect(talk.value("a") == #"{"r":[1,[2,3],{"k":4}],"x":1}"# && talk.value("b") == "2")
        #expect(talk.ask("describe", #"{"path":"a"}"#).contains(#""count":2"#))
        #expect(talk.ask("revert", #"{"revision":5,"force":true}"#) == #"{"revision":6,"changed":false}"#)
        #expect(talk.hub.tree.faults().isEmpty)
    }

    @Test func `a property that has changed since is refused, unless it is forced`() {
        let talk = Conversation([("a", #"{"x":1,"y":1,"m":{"k":1}}"#)])
        talk.ask("merge", #"{"path":"a","value":{"x":2,"y":2}}"#)
        talk.ask("set", #"{"path":"a.y","value":3}"#)
        #expect(
            talk.ask("revert", #"{"revision":2}"#)
                == #"{"code":4,"message":"a.y has changed since revision 2, in revision 3","data":{"name":"conflict","path":"a.y","revision":3}}"#
        )
        #expect(talk.revision == 3 && talk.value("a.x") == "2")
        #expect(talk.ask("revert", #"{"revision":2,"force":true}"#) == #"{"revision":4,"changed":true}"#)
        #expect(talk.value("a") == #"{"x":1,"y":1,"m":{"k":1}}"#)
        // The model of a changed property has gone.
        talk.ask("set", #"{"path":"a.m.k","value":2}"#)
        talk.ask("remove", #"{"path":"a.m"}"#)
        #expect(
            talk.refusal("revert", #"{"revision":5}"#)
                == #"4 {"name":"conflict","path":"a.m.k","revision":6}"#
        )
        #expect(talk.ask("revert", #"{"revision":5,"force":true}"#) == #"{"revision":6,"changed":false}"#)
        talk.ask("revert", #"{"revision":6}"#)
        #expect(talk.value("a.m.k") == "2")
        #expect(talk.hub.tree.faults().isEmpty)
    }

    @Test func `beyond the history there is nothing to revert`() {
        var limits = ServerLimits()
        limits.tree.maxHistoryCommits = 3
        let talk = Conversation([("a", "0")], limits: limits)
        for value in 1...5 { talk.ask("set", #"{"path":"a","value":\#(value)}"#) }
        #expect(
            talk.ask("revert", #"{"revision":3}"#)
                == #"{"code":1,"message":"revision 3 is before the history; the oldest that can be asked for is revision 4","data":{"name":"notFound","oldest":4}}"#
        )
        #expect(talk.refusal("revert", #"{"revision":7}"#) == #"1 {"name":"notFound","oldest":4}"#)
        #expect(talk.refusal("revert", #"{"revision":0}"#) == #"1 {"name":"notFound","oldest":4}"#)
        #expect(
            talk.refusal("revert", "{}") == "-32602"
                && talk.refusal("revert", #"{"revision":-1}"#) == "-32602"
        )
        #expect(talk.refusal("revert", #"{"revision":5,"force":1}"#) == "-32602")
        #expect(talk.refusal("revert", #"{"revision":5,"path":"a"}"#) == "-32602")
        #expect(
            talk.refusal("revert", #"{"revision":4}"#) == #"4 {"name":"conflict","path":"a","revision":6}"#
        )
    }

    @Test func `a link that would close a cycle now is refused`() {
        let talk = Conversation([("a", #"{"m":{"n":{}}}"#), ("b", "{}")])
        talk.ask("remove", #"{"path":"a.m.n"}"#)
        talk.ask("link", #"{"path":"b.m","target":"a.m"}"#)
        talk.ask("link", #"{"path":"b.m.b","target":"b","weak":true}"#)
        #expect(talk.ask("revert", #"{"revision":3}"#) == #"{"revision":6,"changed":true}"#)
        talk.ask("link", #"{"path":"a.m.n.again","target":"a.m","weak":true}"#)
        // n held m, then m came to hold n.
        let other = Conversation([("n", #"{"m":{}}"#), ("r", "{}")])
        other.ask("link", #"{"path":"r.m","target":"n.m"}"#)
        other.ask("remove", #"{"path":"n.m"}"#)
        other.ask("link", #"{"path":"r.m.n","target":"n"}"#)
        let before = other.hub.tree.stateDump
        #expect(
            other.ask("revert", #"{"revision":4}"#)
                == #"{"code":7,"message":"the former value of n.m would close a cycle of strong references","data":{"name":"referenceCycle","path":"n.m"}}"#
        )
        #expect(other.hub.tree.stateDump == before && other.hub.tree.faults().isEmpty)
        // Both directions change in one commit.
        let swapped = Conversation([("r", #"{"x":{"y":{}}}"#)])
        swapped.ask("link", #"{"path":"r.y","target":"r.x.y"}"#)
        swapped.ask(
            "transaction",
            #"{"operations":[{"method":"remove","params":{"path":"r.x.y"}},{"method":"link","params":{"path":"r.y.x","target":"r.x"}}]}"#
        )
        #expect(swapped.ask("revert", #"{"revision":3}"#) == #"{"revision":4,"changed":true}"#)
        #expect(swapped.value("r") == #"{"x":{"y":{}},"y":{}}"# && swapped.hub.tree.faults().isEmpty)
    }

    @Test func `computed properties and bindings follow`() throws {
        let client = try SelectionTranscriptTests.client()
        func ask(_ method: String, _ params: String) -> String {
            client.ask(#"{"id":1,"method":"\#(method)","params":\#(params)}"#).last ?? ""
        }
        _ = ask("set", #"{"path":"label","value":{"text":null}}"#)
        _ = ask("bind", #"{"source":"media.players.vlc.title","target":"label.text"}"#)
        _ = ask("remove", #"{"path":"media.players.vlc"}"#)
        #expect(
            ask("get", #"{"paths":["media.line","label.text"]}"#).contains(
                #"[{"value":"nothing"},{"value":null}]"#
            )
        )
        #expect(ask("revert", #"{"revision":5}"#).contains(#"{"revision":6,"changed":true}"#))
        #expect(
            ask("get", #"{"paths":["media.line","label.text"]}"#).contains(
                #"[{"value":"Brazil"},{"value":"Brazil"}]"#
            )
        )
        #expect(ask("set", #"{"path":"media.now.title","value":"Alien"}"#).contains(#""changed":true"#))
        #expect(
            ask("get", #"{"paths":["media.line","label.text"]}"#).contains(
                #"[{"value":"Alien"},{"value":"Alien"}]"#
            )
        )
        #expect(client.hub.tree.faults().isEmpty)
    }

    @Test func `a temporary value, and its end, are reverted for good`() {
        let talk = Conversation([("a", #"{"x":1}"#)])
        talk.ask("set", #"{"path":"a.x","value":2,"lifetime":100}"#)
        talk.ask("revert", #"{"revision":2}"#)
        #expect(talk.value("a.x") == "1")
        talk.pass(milliseconds: 200)
        #expect(talk.value("a.x") == "1" && talk.revision == 3)
        talk.ask("set", #"{"path":"a.x","value":3,"lifetime":100}"#)
        talk.pass(milliseconds: 200)
        #expect(talk.ask("revert", #"{"revision":5}"#) == #"{"revision":6,"changed":true}"#)
        talk.pass(milliseconds: 200)
        #expect(talk.value("a.x") == "3" && talk.hub.tree.faults().isEmpty)
    }

    @Test func `a restricted client needs everything`() {
        let hub = Hub.with([("a", "1")])
        let writer = FakeClient(hub)
        _ = writer.ask(#"{"id":1,"method":"set","params":{"path":"a","value":2}}"#)
        let everything = PathPrefix([])
        for (read, write, isAllowed) in [
            ([everything], [PathPrefix(["a"])], false), ([PathPrefix(["a"])], [everything], false),
            ([everything], [everything], true),
        ] {
            let client = FakeClient(hub, token: 2, grant: Grant(read: read, write: write))
            let answer = client.ask(#"{"id":1,"method":"revert","params":{"revision":2}}"#)[0]
            #expect(
                answer.contains(#""changed":true"#) == isAllowed
                    && answer.contains(#""code":5,"#) != isAllowed
            )
            client.close()
        }
    }

    @Test func `a refused or a failing revert leaves nothing`() {
        let talk = Conversation([("a", #"{"m":{"k":"\#(String(repeating: "x", count: 200))"}}"#)])
        talk.ask("remove", #"{"path":"a.m"}"#)
        let before = talk.hub.tree.stateDump
        talk.hub.tree.records.limits.maxTreeBytes = talk.hub.tree.usedBytes + 10
        #expect(talk.refusal("revert", #"{"revision":2}"#) == #"6 {"name":"limitExceeded"}"#)
        #expect(talk.hub.tree.stateDump == before && talk.hub.tree.faults().isEmpty)
        talk.hub.tree.records.limits.maxTreeBytes = 1 << 30
        #expect(talk.ask("revert", #"{"revision":2}"#) == #"{"revision":3,"changed":true}"#)
        #expect(talk.hub.tree.faults().isEmpty)
    }

    @Test func `models that came back are in the journal, and in a dump only if they were there`() throws {
        let journaled = try JournaledHub()
        journaled.ask("set", #""path":"a","value":{"m":{"k":1,"n":{"z":[1,{"e":2}]}},"x":0}"#)
        journaled.ask("link", #""path":"a.w","target":"a.m.n","weak":true"#)
        journaled.ask("remove", #""path":"a.m""#)
        let dump = journaled.client(3)
        for _ in 0..<3 { journaled.ask("increment", #""path":"a.x""#) }
        var restored = ""
        try journaled.snapshot { restored = journaled.ask("revert", #""revision":3"#) }
        #expect(restored == #""result":{"revision":7,"changed":true}"#)
        journaled.ask("set", #""path":"a.m.k","value":5"#)
        #expect(journaled.value("a.w") == #"{"z":[1,{"e":2}]}"#)
        for _ in 0..<2 {
            let before = journaled.dump
            try journaled.restart()
            #expect(journaled.dump == before)
            #expect(journaled.tree.faults().isEmpty)
            journaled.ask("remove", #""path":"a.m""#)
            let revision = journaled.tree.revision
            journaled.ask("revert", #""revision":\#(revision)"#)
            #expect(journaled.value("a.m") == #"{"k":5,"n":{"z":[1,{"e":2}]}}"#)
        }
        #expect(dump.session.number > 0)
        // A read view that began while the model was gone does not show it.
        journaled.ask("remove", #""path":"a.m""#)
        let text = ByteBuffer()
        let view = ReadView(of: journaled.tree, .init(epoch: "e", clock: WallClock(offset: 0)))
        journaled.ask("revert", #""revision":\#(journaled.tree.revision)"#)
        while !view.isDone { view.write(to: text, bytes: 1 << 16) }
        #expect(!text.string.contains(#""z""#), "\(text.string)")
    }

    /// Before, the property of a model inside a new one counted as changed, except after a restart.
    @Test func `a commit has not changed what it made, at any depth`() throws {
        let journaled = try JournaledHub()
        journaled.ask("set", #""path":"r","value":{"m":null}"#)
        journaled.ask("set", #""path":"r.m.a.n","value":2,"parents":true"#)
        journaled.ask("link", #""path":"r.keep","target":"r.m.a""#)
        journaled.ask("set", #""path":"r.m.a.n","value":3"#)
        for _ in 0..<2 {
            #expect(
                journaled.ask("revert", #""revision":2,"dryRun":true"#)
                    == #""result":{"revision":4,"changed":true,"changes":[{"path":"r.m","old":{"a":{"n":3}},"new":null}],"failing":[]}"#
            )
            try journaled.kill()
        }
        #expect(journaled.ask("revert", #""revision":2"#) == #""result":{"revision":5,"changed":true}"#)
        #expect(journaled.value("r") == #"{"m":null,"keep":{"n":3}}"#)
        // Reverts are reverted, the last one first.
        journaled.ask("remove", #""path":"r.keep""#)
        journaled.ask("revert", #""revision":6"#)
        journaled.ask("revert", #""revision":5"#)
        #expect(journaled.value("r") == #"{"m":{"a":{"n":3}},"keep":{"n":3}}"#)
        #expect(journaled.tree.faults().isEmpty)
    }

    @Test func `commits before a change of types can't be reverted`() throws {
        let hub = Hub.with([])
        try TypedTree.declare([TypeDeclaration("T", "x: Int")], [("t", "T", nil)], in: hub.tree)
        let client = FakeClient(hub)
        _ = client.ask(#"{"id":1,"method":"set","params":{"path":"t.x","value":5}}"#)
        #expect(hub.tree.revision == 2)
        hub.tree.history.typeRevision = 2
        func refused(_ client: FakeClient, _ revision: Int) -> Bool {
            let params = #"{"revision":\#(revision),"force":true}"#
            let answer = client.ask(#"{"id":1,"method":"revert","params":\#(params)}"#)[0]
            return answer.contains(
                #""code":3,"message":"the declared types have changed in revision \#(revision) or since"#
            )
        }
        #expect(refused(client, 2) && refused(client, 1))
        _ = client.ask(#"{"id":1,"method":"set","params":{"path":"t.x","value":6}}"#)
        #expect(!refused(client, 3))
    }
}
