// SPDX-License-Identifier: MIT
// dump and load with the real programs: a tree from one daemon to another, and faults of the file.

import ObserveCore
import Testing

struct DumpTests {
    private static let patience = TimeLimitTrait.Duration.minutes(15)

    @Test(.timeLimit(patience))
    func `dump and load copy a tree to another daemon, with identity, links, types and bindings`() throws {
        let configuration = Document.text("config/observed.json")
        let daemon = try DaemonUnderTest(configuration: configuration)
        let change = try daemon.observectl(
            "transaction",
            input: """
                {"method":"set","params":{"path":"library.films.1.title","value":"Brazil (1985) \\"ü😀\\\\\\n"}}
                {"method":"insert","params":{"path":"library.films","target":"library.films.1","index":0}}
                {"method":"set","params":{"path":"numbers","value":[9223372036854775807,-0.0,5e-324,1.0]}}
                """
        )
        #expect(change == Finished(status: .exited(0), output: "", errors: ""))
        #expect(try daemon.observectl("bind", "numbers.0", "app.volume").status == .exited(0))
        let dump = try daemon.observectl("dump")
        #expect(dump.status == .exited(0) && dump.errors.isEmpty)
        let file = try daemon.directory.write(dump.output, to: "state.jsonl")

        let other = try DaemonUnderTest(configuration: configuration)
        #expect(try other.observectl("load", file) == Finished(status: .exited(0), output: "", errors: ""))
        let json = try daemon.observectl("dump", "--json")
        #expect(try other.observectl("dump", "--json") == json)
        #expect(json.output.hasSuffix(#""numbers":[9223372036854775807,-0.0,5e-324,1.0]}"# + "\n"))
        #expect(try other.observectl("set", "library.films.0.year", "1999").status == .exited(0))
        #expect(try other.observectl("get", "library.films.2.year").output == "1999\n")
        #expect(try other.observectl("get", "library.nowPlaying.videoTitle").output == "\"Alien\"\n")
        #expect(try other.observectl("set", "numbers.0", "7").status == .exited(0))
        #expect(try other.observectl("get", "app.volume").output == "7\n")
        #expect(try other.observectl("bindings").output.split(separator: "\n").count == 2)
        #expect(try other.observectl("set", "library.films.0.year", "x").status == .exited(1))
    }

    @Test(.timeLimit(patience))
    func `dump and load copy the value at a path, and unwrapped JSON`() throws {
        let daemon = try DaemonUnderTest(configuration: Document.text("config/observed.json"))
        let player = try daemon.observectl("dump", "app.playbackController.player").output
        #expect(try daemon.observectl("set", "app.playbackController.player", "null").status == .exited(0))
        #expect(try daemon.observectl("load", "-", input: player).status == .exited(0))
        #expect(
            try daemon.observectl("get", "app.playbackController").output
                == #"{"player":{"videoTitle":"Alien","position":0.0,"playing":false}}"# + "\n"
        )
        let films = try daemon.observectl("dump", "--json", "library.films").output
        #expect(films == #"[{"title":"Alien","year":1979},{"title":"Brazil","year":1985}]"# + "\n")
        #expect(try daemon.observectl("load", "--json", "library.films", input: "[]").status == .exited(0))
        #expect(try daemon.observectl("load", "--json", "library.films", input: films).status == .exited(0))
        #expect(try daemon.observectl("get", "library.films").output == films)
        #expect(try daemon.observectl("get", "library.films.0.label").output == "\"Alien (1979)\"\n")
    }

    @Test(.timeLimit(patience))
    func `dump and load copy more than a line or a rendering may hold`() throws {
        let daemon = try DaemonUnderTest(
            configuration: #"{"limits":{"maxLineBytes":4096,"maxRenderedBytes":65536}}"#
        )
        let text = String(repeating: "some text ü ", count: 1000)
        let rows = (0..<8).map { #"{"n":\#($0),"text":"\#(text)"}"# }.joined(separator: ",")
        let json =
            #"{"rows":[\#(rows)],"names":{\#((0..<3000).map { #""k\#($0)":\#($0)"# }.joined(separator: ","))}}"#
        let file = try daemon.directory.write(json, to: "big.json")
        let loaded = try daemon.observectl("load", "--json", "big", file)
        #expect(loaded == Finished(status: .exited(0), output: "", errors: ""))
        #expect(try daemon.observectl("get", "big").status == .exited(1))
        #expect(try daemon.observectl("dump", "--json", "big").output == json + "\n")
        let dump = try daemon.directory.write(try daemon.observectl("dump").output, to: "big.jsonl")
        #expect(try daemon.observectl("remove", "big").status == .exited(0))
        #expect(try daemon.observectl("load", dump).status == .exited(0))
        #expect(try daemon.observectl("dump", "--json", "big").output == json + "\n")
    }

    @Test(.timeLimit(patience))
    func `each fault has its sentence and status, and changes nothing`() throws {
        let daemon = try DaemonUnderTest(configuration: Document.text("config/observed.json"))
        let dump = try daemon.observectl("dump").output
        let before = try daemon.observectl("status").output.matches(of: /"revision":(\d+)/).first?.1
        func spoilt(_ text: String, _ sentence: String, line: Int = #line) throws {
            let file = try daemon.directory.write(text, to: "spoilt")
            let finished = try daemon.observectl("load", file)
            let expected = "observectl: \(file): \(sentence)\n"
            #expect(finished == Finished(status: .exited(1), output: "", errors: expected), "line \(line)")
        }
        try spoilt("", "the dump is empty")
        try spoilt(
            "hello\n",
            "line 1 is not the first line of a dump; ordinary JSON is for 'observectl load --json PATH'"
        )
        try spoilt(String(dump.dropLast(30)), "the dump is cut off in line 3")
        try spoilt(
            dump.split(separator: "\n").prefix(2).joined(separator: "\n") + "\n",
            "the dump is cut off after line 2: its last line says that it is whole"
        )
        try spoilt(
            dump.split(separator: "Brazil").joined(separator: "Brasil"),
            "line 2 of the dump is damaged: it is not what its checksum was made of"
        )
        let other = try DaemonUnderTest()
        let refused = try other.observectl("load", "-", input: dump)
        #expect(refused.status == .exited(1))
        #expect(
            refused.errors
                == "observectl: standard input: library: the dump has a model of the type Library, which is not declared here\n"
        )
        #expect(try other.observectl("dump", "--json").output == "{}\n")
        let nothing = try daemon.observectl("dump", "app.nothing.here")
        #expect(
            nothing
                == Finished(
                    status: .exited(1),
                    output: "",
                    errors: "observectl: there is nothing at app.nothing.here: app.nothing is null\n"
                )
        )
        let after = try daemon.observectl("status").output.matches(of: /"revision":(\d+)/).first?.1
        #expect(before != nil && before == after)
    }
}
