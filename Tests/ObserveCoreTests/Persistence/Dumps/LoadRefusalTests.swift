// SPDX-License-Identifier: MIT
// Faults of a dump: each has its error message, and changes nothing.

import Testing

@testable import ObserveCore

@Suite struct LoadRefusalTests {
    private struct Place {
        let hub: Hub
        let client: FakeClient
        let state: String

        /// Tries to load, and checks that nothing has changed.
        func refusal(_ text: String, by pieceCount: Int = 1000) -> String {
            let refusal = client.refusal(ofLoading: text, by: pieceCount)
            #expect(hub.tree.stateDump == state, "\(text)")
            #expect(hub.tree.faults() == [])
            #expect(client.session.intake == nil)
            return refusal.map { "\($0.code ?? 0) \($0.message)" } ?? "nothing"
        }
    }

    private func place() -> Place {
        let (hub, client) = DumpTests.hub()
        #expect(throws: Never.self) { try hub.tree.declare(root: "films", type: "[String: Film]") }
        _ = client.ask(#"{"id":1,"method":"set","params":{"path":"s","value":{"a":{"n":1},"list":[1,{}]}}}"#)
        _ = client.ask(#"{"id":1,"method":"bind","params":{"source":"s.a.n","target":"s.m"}}"#)
        return Place(hub: hub, client: client, state: hub.tree.stateDump)
    }

    @Test func `a faulty param of a part ends the load`() {
        let client = FakeClient(Hub.with([("app", "{}")]))
        func load(_ params: String) -> String {
            client.ask(#"{"id":1,"method":"load","params":{\#(params)}}"#).joined()
        }
        for faulty in [
            #""part":1,"path":"app.x","text":"2]""#, #""part":1"#, #""part":"1","text":"2]""#,
            #""part":1,"text":2"#,
            #""part":1,"last":0,"text":"2]""#,
        ] {
            #expect(load(#""path":"app.x","text":"[1,","last":false"#).contains(#""part":0"#))
            #expect(load(faulty).contains("-32602"))
            #expect(load(#""part":1,"text":"2]""#).contains("no load is under way"), "\(faulty)")
        }
        client.close()
    }

    @Test func `load refuses a dump that is cut anywhere`() throws {
        let place = place()
        let text = try place.client.dump()
        for count in 0..<text.unicodeScalars.count {
            let refusal = place.refusal(String(text.unicodeScalars.prefix(count)), by: 64)
            let known = [
                "-32602 the dump is empty", "-32602 the text is not a dump", "-32602 the dump is cut off",
            ]
            #expect(known.contains { refusal.hasPrefix($0) }, "\(count): \(refusal)")
        }
        #expect(place.client.refusal(ofLoading: text) == nil)
    }

    @Test func `load refuses a dump with one changed character`() throws {
        let place = place()
        let text = Array(try place.client.dump().utf8)
        for index in text.indices {
            for bit: UInt8 in [1, 4] {
                var spoilt = text
                spoilt[index] ^= bit
                let line = text[..<index].count { $0 == 0x0A } + 1
                let refusal = place.refusal(String(decoding: spoilt, as: UTF8.self))
                let isNamed =
                    refusal.hasPrefix("-32602 line \(line) of the dump is damaged")
                    || refusal == "-32602 line 1 is not the first line of a dump"
                    || refusal.hasPrefix("-32602 the dump is cut off in line \(line)")
                #expect(isNamed, "byte \(index): \(refusal)")
            }
        }
    }

    @Test func `load refuses a dump with a missing, doubled or moved line`() throws {
        let place = place()
        let lines = try place.client.dump().split(separator: "\n").map { $0 + "\n" }
        #expect(lines.count == 3)
        for order in [[0, 2], [0, 1, 1, 2], [0, 2, 1], [0, 1, 2, 2]] {
            let refusal = place.refusal(order.map { lines[$0] }.joined())
            #expect(refusal.contains("a line is missing, doubled or moved"), "\(order): \(refusal)")
        }
    }

    @Test func `load refuses another format or version`() throws {
        let place = place()
        let text = try place.client.dump()
        let journal = String.sealed([#""journal":1,"number":1,"revision":0,"start":{}"#])
        for (dump, sentence) in [
            ("", "the dump is empty"), ("\n", "line 1 is not the first line of a dump"),
            ("hello", "the text is not a dump"), ("hello\n", "line 1 is not the first line of a dump"),
            (journal, "the text is not a snapshot, but a journal"),
            (String.sealed([#""x":1"#]), "the text is not a snapshot of ours"),
            (
                String.sealed([#"x"#]),
                "line 1 of the dump is not JSON: a member without a name at byte 18"
            ),
            (
                text.resealed(line: 1, #""snapshot":2"#, #""snapshot":3"#),
                "the text is of version 3, and this is version 2"
            ),
            (text + text, "line 4 of the dump does not follow line 3: a line is missing, doubled or moved"),
            (text + "x", "line 4 of the dump: nothing can follow its end"),
            (
                text.resealed(line: 3, #""lines":3"#, #""lines":4"#),
                "line 3 of the dump: its end counts 4 lines, and this is line 3"
            ),
            (text.resealed(line: 3, #""end":"#, #""end":-"#), "line 3 of the dump: a revision is a number"),
        ] {
            let refusal = place.refusal(dump)
            #expect(refusal.hasPrefix("-32602 \(sentence.prefix(40))"), "\(refusal)")
        }
    }

    @Test(arguments: [
        // Impossible records with correct checksums.
        (#"[0,null,0,"a",{"m":5},1]"#, "-32602 the dump contradicts itself: something refers to the model 5"),
        (#"[0,null,0,"a",{"w":5},1],[5,null,0]"#, "-32602 the dump contradicts itself: a weak reference"),
        (
            #"[0,null,0,"a",[{"w":5}],1],[5,null,0]"#,
            "-32602 line 2 of the dump: an element is of no known kind"
        ),
        (#"[0,null,0,"a",[{}],1]"#, "-32602 line 2 of the dump: an element is of no known kind"),
        (#"[0,null,0,"a",{"x":5},1]"#, "-32602 line 2 of the dump: a value is of no known kind"),
        (#"[0,null,0,"a",1e999,1]"#, "-32602 line 2 of the dump: a number must be finite"),
        (#"[0,null,0,"a",9223372036854775808,1]"#, "-32602 line 2 of the dump: an integer must fit"),
        (#"[0,null,0,"a",1]"#, "-32602 line 2 of the dump: a revision is a number"),
        (#"[0,null,0,"a"]"#, "-32602 line 2 of the dump: a property has a name and a value"),
        (#"[-1,null,0]"#, "-32602 line 2 of the dump: an instance is a number"),
        (#"[0,null,0,"a",1e-999,1]"#, "-32602 line 2 of the dump: a number must not round to zero"),
        // Cycles.
        (#"[0,null,0,"a",{"m":0},1]"#, "7 a: the dump has a strong reference there that closes a cycle"),
        (
            #"[0,null,0,"a",{"m":5},1],[5,null,0,"b",{"m":5},1]"#,
            "7 a.b: the dump has a strong reference there"
        ),
        (
            #"[0,null,0,"a",{"m":5},1],[5,null,0,"b",[1,[{"m":6}]],1],[6,null,0,"c.d",{"m":5},1]"#,
            #"7 a.b.1.0.c\.d: the dump has a strong reference there that closes a cycle"#
        ),
        // Records that this daemon refuses.
        (#"[0,null,0,"observed",1,1]"#, "3 the root observed is the daemon's own and can't be written"),
        (#"[0,null,0,"s",1,1,"t",1,1]"#, "2 t: expected Film, found 1"),
        (#"[0,null,0,"t",{"m":5},1],[5,null,0]"#, "2 t: expected Film, found a model of no declared type"),
        (
            #"[0,null,0,"x",{"m":5},1],[5,"Song",0]"#,
            "2 x: the dump has a model of the type Song, which is not"
        ),
        (
            #"[0,null,0,"x",{"m":5},1],[5,"[String: Song]",0]"#,
            "2 x: the dump has a model of the type [String:"
        ),
        (
            #"[0,null,0,"x",{"m":5},1],[5,"[String: [Film]]",0]"#,
            "2 x: the dump has a model of the type [String: [Film]], which is not declared here"
        ),
        (#"[0,null,0,"x",{"m":5},1],[5,"Any",0]"#, "2 x: the dump has a model of the type Any, which is not"),
        (
            #"[0,null,0,"x",[{"m":5}],1],[5,null,0,"y",{"m":6},1],[6,"Film",0,"title",1,1]"#,
            "2 x.0.y.title: expected String, found 1"
        ),
        (
            #"[0,null,0,"x",{"m":6},1],[6,"Film",0,"title","a",1,"cast",[{"m":7}],1],[7,null,0]"#,
            "2 x.cast.0: expected Film, found a model of no declared type"
        ),
        (
            #"[0,null,0,"x",{"m":6},1],[6,"Film",0,"titel","a",1]"#,
            "1 x.titel: Film has no property titel; did"
        ),
        (#"[0,null,0,"x",{"m":6},1],[6,"Film",0,"label","a",1]"#, "3 x.label: this property is computed"),
        (#"[0,null,0,"x",{"m":6},1],[6,"Film",0,"best",1,1]"#, "2 x.best: expected Film?, found 1"),
        (
            #"[0,null,0,"x",{"m":6},1],[6,"[String: Film]",0,"a",{"w":7},1,"b",{"m":7},1],[7,"Film",0]"#,
            "2 x.a: expected a strong link to a Film"
        ),
        (
            #"[0,null,0,"x",{"m":6},1],[6,"[String: Int]",0,"a.b",1.5,1]"#,
            #"2 x.a\.b: expected Int, found 1.5"#
        ),
    ])
    func `load refuses wrong records`(records: String, sentence: String) {
        let refusal = place().refusal(String.dump(records))
        #expect(refusal.hasPrefix(sentence), "\(refusal)")
    }

    @Test(arguments: [
        ("s.a.x.y", #"[0,null,0,"y",1,1]"#, "1 s.a.x is null, so s.a.x.y can't be written"),
        ("s.a.n.y", #"[0,null,0,"y",1,1]"#, "2 s.a.n is not a model, so s.a.n.y can't be written"),
        ("s.list.7", #"[0,null,0,"7",1,1]"#, "1 the array at s.list has no element 7"),
        ("t.label", #"[0,null,0,"label",1,1]"#, "3 t.label: this property is computed"),
        ("t.titel", #"[0,null,0,"titel",1,1]"#, "1 t.titel: Film has no property titel"),
        ("t.best", #"[0,null,0,"best",{"m":6},1],[6,"Film",0]"#, "2 t.best: it is weak, and nothing else"),
        ("t.next", #"[0,null,0,"next",{"m":6},1],[6,"Film",0,"year","x",1]"#, "2 t.next.year: expected Int?"),
        ("observed.x", #"[0,null,0,"x",1,1]"#, "3 the root observed is the daemon's own"),
        ("s.*", #"[0,null,0,"*",1,1]"#, "-32602 s.* is a pattern, not one key path"),
        (
            "s..a", #"[0,null,0,"a",1,1]"#,
            "-32602 s..a: component 2 of the key path is empty (an empty name is written \\e)"
        ),
    ])
    func `load refuses wrong places`(path: String, records: String, sentence: String) {
        let refusal = place().refusal(String.dump(records, path: path))
        #expect(refusal.hasPrefix(sentence), "\(refusal)")
    }

    @Test(arguments: [
        (#"[[1,"s.a","observed.x",false]]"#, "3 binding 1 of the dump: the root observed"),
        (
            #"[[1,"s.a.n","s.k",false],[2,"s.*","s.z",false]]"#,
            "-32602 binding 2 of the dump: s.* is a pattern"
        ),
        (#"[[1,"s.a.n","s.k",false],[2,"s.a.n","t.label",false]]"#, "3 binding 2 of the dump: t.label"),
        (#"[[1]]"#, "-32602 line 3 of the dump: a binding has a number and two paths"),
    ])
    func `load refuses wrong bindings`(bindings: String, sentence: String) {
        let place = place()
        let refusal = place.refusal(String.dump(#"[0,null,0,"x",1,1]"#, end: #","b":\#(bindings)"#))
        #expect(refusal.hasPrefix(sentence), "\(refusal)")
        #expect(place.hub.tree.allBindings.map(\.number) == [1])
    }

    @Test func `load adds a type's missing properties with their defaults`() {
        let place = place()
        let dump = String.dump(
            #"[0,null,0,"t",{"m":6},1],[6,"Film",0,"title","a",1,"year",1999.0,1,"label",{"c":true},1]"#
        )
        #expect(place.client.refusal(ofLoading: dump) == nil)
        #expect(
            place.hub.tree.shape().contains(
                ##":Film title="a" year=1999 label=computed next=null best~null tags=#"##
            )
        )
        #expect(place.hub.tree.faults() == [])
    }

    @Test func `parts out of order, or of a closed connection, leave nothing`() throws {
        let place = place()
        let text = try place.client.dump()
        func part(_ number: Int64, _ text: String, last: Bool = false, _ client: FakeClient? = nil) -> Int64?
        {
            do {
                let params: [(String, Value)] = [
                    ("part", .int(number)), ("text", .string(text)), ("last", .bool(last)),
                ]
                _ = try (client ?? place.client).request("load", params)
                return nil
            } catch { return (error as? Reply)?.code }
        }
        #expect(part(1, text) == -32602)
        #expect(part(0, String(text.prefix(100))) == nil)
        #expect(part(2, String(text.dropFirst(100)), last: true) == -32602)
        #expect(part(1, String(text.dropFirst(100)), last: true) == -32602)
        #expect(part(0, String(text.prefix(100))) == nil)
        #expect(part(0, text) == nil)
        #expect(part(1, "") == nil)
        let other = FakeClient(place.hub, token: 2)
        #expect(part(0, text, other) == nil)
        other.close()
        #expect(place.hub.tree.stateDump == place.state)
        #expect(part(2, "", last: true) == nil)
        #expect(place.hub.tree.stateDump != place.state)
        #expect(place.hub.tree.faults() == [])
    }

    @Test func `dump refuses a missing path, and a path that is not a place`() throws {
        let place = place()
        for (path, code) in [
            ("s.x", 1), ("s.x.y", 1), ("s.a.n.z", 1), ("s.list.9", 1), ("t.titel", 1), ("s.*", -32602),
            ("s.list.@count", -32602), ("observed", 3), ("", -32602),
        ] as [(String, Int64)] {
            let refusal = #expect(throws: Reply.self) { try place.client.dump(path) }
            #expect(refusal?.code == code, "\(path): \(refusal?.message ?? "")")
        }
    }
}
