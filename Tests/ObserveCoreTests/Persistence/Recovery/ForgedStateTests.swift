// SPDX-License-Identifier: MIT
// State with matching checksums that no daemon writes: the start refuses it, and never traps.

import Testing

@testable import ObserveCore

@Suite struct ForgedStateTests {
    private static let head =
        #""journal":1,"number":1,"revision":0,"after":0,"start":{"epoch":"e","boot":"boot","durability":"interval"}"#

    private func started(_ lines: [String], file: String = "journal-1", more: [String: String] = [:]) throws
        -> JournaledHub
    {
        let disk = SimulatedDisk(seed: 1)
        disk.place(file, Array(sealed(lines).utf8))
        for (name, line) in more { disk.place(name, Array(sealed([line]).utf8)) }
        return try JournaledHub(on: disk)
    }

    /// Lines of version 1, which name no line before them.
    private func sealed(_ lines: [String]) -> String { lines.map { String.sealed([$0]) }.joined() }

    /// A start with these commits after the header.
    private func started(commits: String...) throws -> JournaledHub { try started([Self.head] + commits) }

    private func refusal(_ commits: String...) -> String? {
        do {
            _ = try started([Self.head] + commits)
            return nil
        } catch { return "\(error)" }
    }

    /// A start with a snapshot of these models.
    private func started(models: String, end: String = #""end":1,"instance":9,"binding":0"#) throws
        -> JournaledHub
    {
        try started(
            [#""snapshot":1,"number":1,"revision":1,"epoch":"e""#, #""m":[\#(models)]"#, end],
            file: "snapshot",
            more: ["journal-1": Self.head.replacing(#""revision":0"#, with: #""revision":1"#)]
        )
    }

    @Test func `a new model with a property twice is refused`() {
        #expect(
            refusal(#""r":1,"n":[[1,null,"x",1,"x",2]],"e":[[0,"a",{"m":1}]]"#)
                == "journal-1, line 2: a model has a property twice"
        )
    }

    /// Fuzzing found it: operators' nodes have such names.
    @Test(arguments: [#"[[0,"!b",5]]"#, #"[[0,"\u0020!",5]]"#])
    func `a name that is not UTF-8 is refused`(entry: String) {
        let line = ByteBuffer()
        CheckedLine.beginHead(line)
        line.append(utf8: #""r":1,"e":"#)
        for byte in entry.utf8 { line.append(byte == 0x21 ? 0xFF : byte) }
        CheckedLine.end(line)
        var chain = LineChain()
        chain.seal(line)
        let disk = SimulatedDisk(seed: 1)
        disk.place("journal-1", Array(sealed([Self.head]).utf8) + line.view.array)
        do {
            _ = try JournaledHub(on: disk)
            Issue.record("it started")
        } catch { #expect("\(error)" == "journal-1, line 2: a property's name is not UTF-8") }
    }

    @Test func `an object without members is refused as a value`() {
        #expect(refusal(#""r":1,"e":[[0,"a",{}]]"#) == "journal-1, line 2: a value is of no known kind")
    }

    @Test func `strong references in a circle are refused`() throws {
        #expect(
            refusal(#""r":1,"n":[[1,null,"x",{"m":2}],[2,null,"y",[{"m":1}]]],"e":[[0,"a",{"m":1}]]"#)
                == "journal-1, line 2: strong references lead from the model 1 to itself"
        )
        #expect(throws: StateError.self) {
            try self.started(
                models: #"[0,null,0,"a",{"m":1},1],[1,null,0,"x",{"m":2},1],[2,null,0,"y",[{"m":1}],1]"#
            )
        }
        let whole = try started(
            models: #"[0,null,0,"a",{"m":1},1],[1,null,0,"x",{"m":2},1],[2,null,0,"y",{"w":1},1]"#
        )
        #expect(whole.tree.faults() == [])
    }

    @Test func `a journal in which a computed property becomes a stored one is restored`() throws {
        let daemon = try started(
            commits:
                #""r":1,"d":{"types":{"T":{"i":{"type":"Int"},"c":{"type":"Any","computed":"{i}"}}},"roots":{"t":"T"}},"n":[[1,"T","i",1,"c",{"c":true}]],"e":[[0,"t",{"m":1}]]"#,
            #""r":2,"d":{"types":{"U":{"i":{"type":"Double"},"c":{"type":"Int"}}},"roots":{"t":"U"}},"y":[[1,"U"]],"x":[],"e":[[1,"i",1.0],[1,"c",3]]"#
        )
        #expect(daemon.value("t") == #"{"i":1.0,"c":3}"#)
        #expect(daemon.tree.faults() == [])
    }

    /// As of a version that names no limits, continued under lower limits than those of this start.
    @Test func `a start takes what the first limits compute, also without a change of the revision`() throws {
        let types =
            #""d":{"types":{"T":{"l":{"type":"[Int]"},"c":{"type":"Any","computed":"{l.@sum}"}}},"roots":{"t":"T"}}"#
        let daemon = try started(
            commits: #""r":1,\#(types),"n":[[1,"T","l",[1,2,3],"c",{"c":true}]],"e":[[0,"t",{"m":1}]]"#,
            #""r":1,\#(types),"l":[2,1000]"#,
            #""r":2,"e":[[1,"l",[1,2,3,4]]]"#
        )
        #expect(daemon.hub.clients.revision == 2)
        #expect(daemon.value("t.c") == "null")
        #expect(daemon.tree.needsRecomputing && daemon.tree.faults() == [])
        #expect(daemon.ask("get", #""path":"t.c","at":1"#).contains(#""value":null"#))
        #expect(daemon.ask("get", #""path":"t.c","at":0"#).contains(#""oldest":1"#))
    }

    @Test func `a type for the model of all roots is refused`() {
        let types = #""d":{"types":{"U":{"i":{"type":"Int"}}},"roots":{"t":"U"}}"#
        #expect(
            refusal(#""r":1,\#(types),"y":[[0,"U"]],"x":[],"e":[]"#)
                == "journal-1, line 2: the model of all roots has no type"
        )
        #expect(throws: StateError.self) { try self.started(models: #"[0,"U",0,"a",1,1]"#) }
    }

    @Test func `a model with two types is refused`() {
        #expect(throws: StateError.self) {
            try self.started(models: #"[0,null,0,"a",{"m":1},1],[1,"T",0,"x",1,1],[1,"U",0,"y",1,1]"#)
        }
    }

    /// In the order of its entries, the commit has a circle for a moment.
    @Test func `a commit that exchanges holder and held is restored`() throws {
        let daemon = try started(
            commits: #""r":1,"n":[[1,null,"x",{"m":2}],[2,null]],"e":[[0,"a",{"m":1}]]"#,
            #""r":2,"e":[[2,"y",{"m":1}],[1,"x"],[0,"a",{"m":2}]]"#
        )
        #expect(daemon.value("a") == #"{"y":{}}"#)
        #expect(daemon.tree.faults() == [])
    }

    @Test func `a binding without a positive number is refused`() {
        for number in [0, -1] {
            #expect(
                refusal(#""r":1,"b":[[\#(number),"a","b",false]]"#)
                    == "journal-1, line 2: the number of a binding is positive"
            )
        }
    }

    @Test func `numbers that leave no further ones are refused`() throws {
        let largest = Int64.max
        #expect(refusal(#""r":1,"n":[[\#(largest),null]],"e":[[0,"a",{"m":\#(largest)}]]"#) != nil)
        #expect(refusal(#""r":1,"b":[[2147483647,"a","b",false]]"#) != nil)
        #expect(refusal(#""r":1,"e":[[0,"a",1]],"o":[[0,"a",[[{},null],[null,["c",2147483647]]]]]"#) != nil)
        let root = "[0,null,0]"
        for end in [
            #""end":\#(largest),"instance":9,"binding":0"#, #""end":1,"instance":\#(largest),"binding":0"#,
            #""end":1,"instance":9,"binding":2147483647"#,
        ] {
            #expect(throws: StateError.self) { try self.started(models: root, end: end) }
        }
    }

    @Test func `a time without a date counts as unknown, or as the last one`() throws {
        for (time, date) in [(Int64.min, nil), (Int64.max, "9999-12-31T23:59:59.999Z")] {
            let daemon = try started(commits: #""r":1,"t":\#(time),"e":[[0,"a",1]]"#)
            let explanation = daemon.ask("explain", #""path":"a""#)
            #expect(explanation.contains(#""time":"#) == (date != nil))
            if let date { #expect(explanation.contains(date)) }
        }
    }

    /// Such state is from a daemon whose types were not in the state yet.
    @Test func `a computed property of a type without a declaration leaves nothing behind`() throws {
        let daemon = try started(
            commits: #""r":1,"n":[[1,"T","i",1,"c",{"c":true}]],"e":[[0,"t",{"m":1}]]"#
        )
        #expect(daemon.value("t") == #"{"i":1}"#)
        #expect(daemon.tree.faults() == [])
        let other = try started(models: #"[0,null,0,"t",{"m":1},1],[1,"T",0,"i",1,1,"c",{"c":true},1]"#)
        #expect(other.value("t") == #"{"i":1}"#)
        #expect(other.tree.faults() == [])
    }

    /// Fuzzing found it: the end of the lifetime, or the next line of the journal, trapped.
    @Test func `a temporary value of a property that is not there is refused`() {
        let made = #""r":1,"n":[[1,null,"x",1]],"e":[[0,"a",{"m":1}]]"#
        let stack = #"[[null,null],[null,["c",1]]]"#
        let sentence = "a property that is not there has temporary values"
        let shown = #""r":2,"e":[[1,"x",2]],"o":[[1,"x",\#(stack)]]"#
        #expect(
            refusal(made, #""r":2,"e":[[1,"z",2]],"o":[[1,"y",\#(stack)]]"#)
                == "journal-1, line 3: \(sentence)"
        )
        #expect(refusal(made, shown, #""r":3,"e":[[1,"x"]]"#) == "journal-1, line 4: \(sentence)")
        #expect(refusal(made, shown, #""r":3,"e":[[1,"x"]],"o":[[1,"x",[]]]"#) == nil)
    }

    /// Fuzzing found it: `explain` trapped.
    @Test(arguments: [
        #""e":[[1,"c"]]"#, #""e":[[1,"c",5]]"#, #""e":[[1,"l",2,[0],"insert"],[1,"c",2,[0],"insert"]]"#,
        #""e":[[1,"c",{"c":true}]]"#, #""o":[[1,"c",[[null,null],[null,["c",1]]]]]"#,
    ])
    func `a written computed property is refused`(write: String) {
        let types =
            #""d":{"types":{"T":{"l":{"type":"[Int]"},"c":{"type":"Any","computed":"{l}"}}},"roots":{"t":"T"}}"#
        #expect(
            refusal(
                #""r":1,\#(types),"n":[[1,"T","l",[1],"c",{"c":true}]],"e":[[0,"t",{"m":1}]]"#,
                #""r":2,\#(write)"#
            ) == "journal-1, line 3: the computed property c of the model 1 was written"
        )
    }

    /// Fuzzing found it: `describe` trapped, since the types of models before that line were gone.
    @Test func `a snapshot with types after its models, or twice, is refused`() {
        let types = #""d":{"types":{"T":{"i":{"type":"Int"}}},"roots":{"t":"T"}}"#
        let models = #""m":[[0,null,0,"t",{"m":1},1],[1,"T",0,"i",1,1]]"#
        func refusal(_ lines: String...) -> String? {
            do {
                _ = try started(
                    [#""snapshot":1,"number":1,"revision":1,"epoch":"e""#] + lines
                        + [#""end":1,"instance":9,"binding":0"#],
                    file: "snapshot",
                    more: ["journal-1": Self.head.replacing(#""revision":0"#, with: #""revision":1"#)]
                )
                return nil
            } catch { return "\(error)" }
        }
        let sentence = "the declared types follow the first line"
        #expect(refusal(types, models) == nil)
        #expect(refusal(models, types) == "snapshot, line 3: \(sentence)")
        #expect(refusal(types, types, models) == "snapshot, line 3: \(sentence)")
    }
}
