// SPDX-License-Identifier: MIT
// The output of observectl on a real terminal. script(1) makes one; without it the tests are skipped.

import Glibc
import Testing

struct TerminalTests {
    private static let hasScript =
        (try? ChildProcess.run("sh", ["-c", "command -v script"]).status) == .exited(0)

    /// Runs shell commands on a terminal of 60 columns. Returns its output, escape characters as `␛`.
    private func onTerminal(_ daemon: DaemonUnderTest, _ commands: String, variables: [String: String] = [:])
        throws
        -> String
    {
        let program =
            "stty cols 60 rows 24; observectl() { '\(BuiltProducts.observectl)' \"$@\"; }; \(commands)"
        let file = try daemon.directory.write(program, to: "program.sh")
        let environment = ["OBSERVED_SOCKET": daemon.socket, "TERM": "xterm"].merging(variables) { $1 }
        let run = try ChildProcess.run(
            "script",
            ["-qec", "sh \(file)", "/dev/null"],
            environment: environment
        )
        return run.output.replacing("\r\n", with: "\n").replacing("\u{1B}", with: "␛")
    }

    private func daemon() throws -> DaemonUnderTest {
        try DaemonUnderTest(configuration: Document.text("config/observed.json"))
    }

    @Test(.timeLimit(.minutes(15)), .enabled(if: hasScript))
    func `tree --json is JSON on a terminal too`() throws {
        let shown = try onTerminal(daemon(), "observectl tree --json --color never app.volume")
        #expect(shown.hasPrefix("{\n  \"path\": \"app.volume\",\n"), "\(shown)")
    }

    @Test(.timeLimit(.minutes(15)), .enabled(if: hasScript))
    func `on a terminal JSON is indented and coloured, unless the user refuses`() throws {
        let daemon = try daemon()
        let apart =
            "observectl: computed properties are apart from the value, like library.films.0.label: get them by their paths\n"
        #expect(
            try onTerminal(daemon, "observectl get library.films.0")
                == """
                {
                  ␛[34;1m"title"␛[0m: ␛[32m"Alien"␛[0m,
                  ␛[34;1m"year"␛[0m: ␛[36m1979␛[0m
                }
                \(apart)
                """
        )
        let indented = "{\n  \"title\": \"Alien\",\n  \"year\": 1979\n}\n\(apart)"
        #expect(try onTerminal(daemon, "observectl get library.films.0 --color never") == indented)
        #expect(
            try onTerminal(daemon, "observectl get library.films.0", variables: ["NO_COLOR": "1"]) == indented
        )
        #expect(
            try onTerminal(daemon, "observectl get library.films.0", variables: ["TERM": "dumb"]) == indented
        )
        #expect(
            try onTerminal(daemon, "observectl get --compact --color never library.films.0")
                == #"{"title":"Alien","year":1979}"# + "\n\(apart)"
        )
        #expect(
            try onTerminal(daemon, "observectl get --color never --revision app.volume library.films.0")
                == "app.volume\t50\t4\nlibrary.films.0\t\(indented.dropLast(apart.count + 1))\t4\n\(apart)"
        )
        #expect(
            try onTerminal(daemon, "observectl get library.films.0 | cat")
                == #"{"title":"Alien","year":1979}"# + "\n"
        )
    }

    @Test(.timeLimit(.minutes(15)), .enabled(if: hasScript))
    func `on a terminal, get says if the root does not exist`() throws {
        let daemon = try daemon()
        #expect(
            try onTerminal(daemon, "observectl get --color never ap.volume ap.x app.y")
                == "ap.volume\tnull\nap.x\tnull\napp.y\tnull\nobservectl: the root ap does not exist; did you mean app?\n"
        )
        #expect(try onTerminal(daemon, "observectl get --color never app.ap") == "null\n")
        #expect(try onTerminal(daemon, "observectl get ap.volume 2>&1 | cat") == "null\n")
    }

    @Test(.timeLimit(.minutes(15)), .enabled(if: hasScript))
    func `on a terminal lists are tables that fit it, and JSON in a pipe`() throws {
        let daemon = try daemon()
        let long = String(repeating: "0123456789", count: 10)
        _ = try daemon.observectl("set", "app.note", long)
        #expect(
            try onTerminal(daemon, "observectl ls app")
                == """
                NAME                TYPE    VALUE
                playbackController  model   {"player":{"videoTitle":"Alien"…
                volume              int     50
                note                string  "012345678901234567890123456789…

                """
        )
        #expect(
            try onTerminal(daemon, "observectl bindings")
                == """
                BINDING  SOURCE                        TARGET
                1        library.favourite.label  -->  library.headline

                """
        )
        #expect(
            try onTerminal(daemon, "observectl describe library.films.0")
                == """
                kind      model
                type      Film
                instance  5
                weak      false
                computed  false
                readonly  false
                count     3

                NAME   TYPE
                title  String
                year   Int?
                label  String, computed

                """
        )
        let clients = try onTerminal(daemon, "observectl clients")
        for line in clients.split(separator: "\n") { #expect(line.count <= 60) }
        #expect(clients.hasPrefix("ID  PID "))
        let status = try onTerminal(daemon, "observectl status").split(separator: "\n")
        #expect(status.count < 23 && status.allSatisfy { $0.count <= 60 })
        #expect(status.contains("connections          1"))
        #expect(status.contains { $0.hasPrefix("uptime               ") && $0.hasSuffix(" s") })
        #expect(status.contains("outboxBytes          0 B"))
        #expect(status.contains { $0.hasPrefix("LIMIT             USED") && $0.hasSuffix("  MAX") })
        #expect(status.contains { $0.hasPrefix("maxBindings       1 ") && $0.hasSuffix("  4096") })
        #expect(status.contains { $0.hasPrefix("maxTreeBytes ") && $0.hasSuffix(" GiB") })
        let folder = try TemporaryDirectory()
        let state = try DaemonUnderTest(in: folder, ["--config", "none", "--state", folder.path("state")])
        let journal = try onTerminal(state, "observectl status").split(separator: "\n")
        #expect(journal.allSatisfy { $0.count <= 60 })
        #expect(journal.contains { $0.hasPrefix("journal.bytes ") && $0.hasSuffix(" B") })
        #expect(journal.contains { $0.hasPrefix("journal.longestSlice ") && $0.hasSuffix(" ms") })
        #expect(try onTerminal(daemon, "observectl bindings | cat").hasPrefix(#"{"binding":1,"#))
    }

    @Test(.timeLimit(.minutes(15)), .enabled(if: hasScript))
    func `hidden characters are shown in every view, and joiners between letters stay`() throws {
        let daemon = try DaemonUnderTest()
        let hidden = ["\u{200B}", "\u{FEFF}", "\u{E0041}", "\u{202E}", "\u{AD}"]
        for (index, scalar) in hidden.enumerated() {
            _ = try daemon.observectl("set", "--parents", "a\(scalar)b.n\(index)", "\"x\(scalar)y\"")
        }
        _ = try daemon.observectl("set", "--parents", "fa.می\u{200C}خواهم", "👩\u{200D}🚀")
        for command in [
            "ls", "ls fa", "tree", "log", "dump", "get 'fa'", "describe", "get --raw '**'", "get \u{202E}..",
            "subscribe --raw --count 6 '*.*'", "subscribe --count 6 --format '{@path} {}' --all '*.*'",
            "\u{202E}x",
            "explain 'a\u{202E}b.n3'", "complete zsh -- get a", "complete fish -- get a", "plot --once '**'",
        ] {
            let output = try onTerminal(daemon, "observectl \(command)")
            for scalar in hidden { #expect(!output.contains(scalar), "\(command)") }
        }
        #expect(try onTerminal(daemon, "observectl get --raw 'fa.می\u{200C}خواهم'") == "👩\u{200D}🚀\n")
        #expect(try onTerminal(daemon, "observectl tree fa").contains("می\u{200C}خواهم"))
        #expect(try daemon.observectl("get", "--raw", "a\u{FEFF}b.n1").output == "x\u{FEFF}y\n")
    }

    @Test(.timeLimit(.minutes(15)))
    func `an empty daemon's views say how to begin, and vi needs a terminal`() throws {
        let daemon = try DaemonUnderTest()
        let advice = "observectl: there is nothing yet; begin with: observectl set app '{\"volume\": 50}'\n"
        for command in ["tree", "ls", "log"] {
            #expect(
                try daemon.observectl(command) == Finished(status: .exited(0), output: "", errors: advice),
                "\(command)"
            )
        }
        #expect(try daemon.observectl("tree", "--json").errors.isEmpty)
        _ = try daemon.observectl("set", "app", #"{"volume": 50}"#)
        for command in ["tree", "ls", "log"] {
            #expect(try daemon.observectl(command).errors.isEmpty, "\(command)")
        }
        let edit = try ChildProcess.run(
            BuiltProducts.observectl,
            ["--socket", daemon.socket, "edit", "app"],
            environment: ["VISUAL": "", "EDITOR": ""]
        )
        #expect(edit.status == .exited(2))
        #expect(
            edit.errors.hasPrefix("observectl: vi needs a terminal: set EDITOR to a program that needs none")
        )
    }

    @Test(
        .timeLimit(.minutes(15)),
        .enabled(if: hasScript),
        arguments: [
            "load": "a dump", "load --json app.z": "the JSON for app.z", "plot": "numbers",
            "transaction": "writes, one a line,", "set app.z -": "the value", "call get -": "PARAMS",
        ]
    )
    func `a command that reads a terminal says what it reads`(command: String, input: String) throws {
        let shown = try onTerminal(daemon(), "observectl --timeout 100ms \(command)")
        #expect(shown.hasPrefix("observectl: reading \(input) from standard input; Ctrl-D ends it\n"))
    }

    @Test(.timeLimit(.minutes(15)), .enabled(if: hasScript))
    func `log names a root that does not exist`() throws {
        let log = try onTerminal(daemon(), "observectl log nosuch")
        #expect(log == "observectl: the root nosuch does not exist\n")
    }

    @Test(.timeLimit(.minutes(15)), .enabled(if: hasScript))
    func `log asks no more for its words on a terminal than without one`() throws {
        let clients = "observectl clients | cat"
        let shown = try onTerminal(
            daemon(),
            "\(clients); observectl log nosuch; \(clients); observectl log nosuch 2>&1 | cat; \(clients)"
        )
        let numbers = shown.matches(of: /"connection":(\d+)/).compactMap { Int($0.1) }
        try #require(numbers.count == 3, "\(shown)")
        #expect(numbers[1] - numbers[0] == numbers[2] - numbers[1], "\(shown)")
    }

    @Test(.timeLimit(.minutes(15)), .enabled(if: hasScript))
    func `long work has a line of progress, and removes it`() throws {
        let daemon = try daemon()
        let dump = daemon.directory.path("dump.jsonl")
        let begin = "\r␛[K"
        let dumped = try onTerminal(daemon, "observectl dump > '\(dump)'")
        #expect(dumped.hasPrefix("\(begin)dumped ") && dumped.hasSuffix(begin))
        let loaded = try onTerminal(daemon, "observectl load '\(dump)' > /dev/null")
        #expect(loaded.hasPrefix("\(begin)loaded 0 KiB of ") && loaded.hasSuffix(begin))
        #expect(try daemon.observectl("dump").errors.isEmpty)
    }

    @Test(.timeLimit(.minutes(15)), .enabled(if: hasScript), arguments: ["", "a"])
    func `pipe splits no character of a long line`(start: String) throws {
        let daemon = try daemon()
        let text = start + String(repeating: "é", count: 50_000)
        _ = try daemon.observectl("set", "app.x", "-", input: text)
        let output = try onTerminal(
            daemon,
            #"echo '{"id":1,"method":"get","params":{"path":"app.x"}}' | observectl pipe"#
        )
        #expect(output.contains(text) && !output.contains("\u{FFFD}"))
    }

    @Test(.timeLimit(.minutes(15)), .enabled(if: hasScript))
    func `characters that change a terminal are shown, and never passed on`() throws {
        let daemon = try daemon()
        let value = #""a\u001b[31mb\rc\u202ed\u007fe\u0085f\u2066""#
        _ = try daemon.observectl("set", "app", #"{"x":\#(value)}"#)
        let shown = #""a\u001b[31mb\rc\u202ed\u007fe\u0085f\u2066""#
        let raw = #"a\u{1b}[31mb\u{d}c\u{202e}d\u{7f}e\u{85}f\u{2066}"#
        #expect(try onTerminal(daemon, "observectl get --color never app.x") == shown + "\n")
        #expect(try onTerminal(daemon, "observectl get --raw app.x") == raw + "\n")
        #expect(try onTerminal(daemon, "observectl subscribe --raw --count 1 app.x") == raw + "\n")
        #expect(try onTerminal(daemon, "observectl get --color never app.x app.y").hasPrefix("app.x\t\"a"))
        for command in [
            "ls app", "get app", "subscribe --count 1 app", "dump app", "dump --json", "explain app.x",
            "describe",
        ] {
            let output = try onTerminal(daemon, "observectl \(command) --color never")
            for scalar in output.unicodeScalars where scalar != "\n" && scalar != "\t" {
                #expect(
                    !(0..<0x20).contains(scalar.value) && !(0x7F..<0xA0).contains(scalar.value),
                    "\(command)"
                )
                #expect(
                    !(0x202A...0x202E).contains(scalar.value) && !(0x2066...0x2069).contains(scalar.value)
                )
            }
        }
        let piped = try daemon.observectl("get", "--raw", "app.x").output
        #expect(piped == "a\u{1B}[31mb\rc\u{202E}d\u{7F}e\u{85}f\u{2066}\n")
    }
}
