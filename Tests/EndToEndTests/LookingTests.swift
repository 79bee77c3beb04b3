// SPDX-License-Identifier: MIT
// The commands that draw, once: against a real daemon, in pipes and on a terminal that script(1) makes.

import Glibc
import Testing

struct LookingTests {
    private static let hasScript =
        (try? ChildProcess.run("sh", ["-c", "command -v script"]).status) == .exited(0)

    private func daemon() throws -> DaemonUnderTest {
        try DaemonUnderTest(configuration: Document.text("config/observed.json"))
    }

    /// Runs a command of observectl on a terminal of that size. Returns its output.
    private func onTerminal(_ daemon: DaemonUnderTest, _ command: String, columns: Int, rows: Int) throws
        -> String
    {
        let program = "stty cols \(columns) rows \(rows); '\(BuiltProducts.observectl)' \(command)"
        let file = try daemon.directory.write(program, to: "program.sh")
        let environment = ["OBSERVED_SOCKET": daemon.socket, "TERM": "xterm", "LC_ALL": "C.UTF-8"]
        let run = try ChildProcess.run(
            "script",
            ["-qec", "sh \(file)", "/dev/null"],
            environment: environment
        )
        return run.output.replacing("\r\n", with: "\n")
    }

    private static let library = """
        library  Library
        ├─ films
        │  ├─ 0  Film  also library.favourite
        │  │  ├─ title  "Alien"
        │  │  ├─ year   1979
        │  │  └─ label  "Alien (1979)"  computed, bound → library.headline
        │  └─ 1  Film
        │     ├─ title  "Brazil"
        │     ├─ year   1985
        │     └─ label  "Brazil (1985)"  computed
        ├─ favourite   → library.films.0
        ├─ headline    "Alien (1979)"  bound ← library.favourite.label
        ├─ nowPlaying  → app.playbackController.player  weak
        ├─ ratings     [String: Int] {}
        └─ country     "UK"

        """

    @Test(.timeLimit(.minutes(15)))
    func `tree shows values, references, bindings and computed values of one revision`() throws {
        let daemon = try daemon()
        let tree = try daemon.observectl("tree", "library")
        #expect(tree == Finished(status: .exited(0), output: LookingTests.library, errors: ""))
        let plain = try daemon.observectl("tree", "--ascii", "--types", "--depth", "1", "library")
        #expect(
            plain.output == """
                library: Library
                |- films: [Film]  [2]
                |- favourite: Film?  {3}  also library.films.0
                |- headline: String?  "Alien (1979)"  bound < library.favourite.label
                |- nowPlaying: Any?  > app.playbackController.player  weak
                |- ratings: [String: Int]  {}
                `- country: String  "UK"

                """
        )
        #expect(
            try daemon.observectl("tree", "observed.limits.maxDepth").output
                == "observed.limits.maxDepth\n└─ max  64\n"
        )
        let nowhere = try daemon.observectl("tree", "library.none")
        #expect(nowhere.status == .exited(1))
        #expect(
            nowhere.errors == "observectl: library.none leads nowhere; 'observectl tree' shows all paths\n"
        )
        let pattern = try daemon.observectl("tree", "library.*")
        #expect(pattern.status == .exited(2))
    }

    @Test(.timeLimit(.minutes(15)))
    func `tree marks temporary values while they last`() throws {
        let daemon = try daemon()
        let tool = "'\(BuiltProducts.observectl)' --socket '\(daemon.socket)'"
        let run = try ChildProcess.run("sh", ["-c", "\(tool) hold app.volume 5 -- \(tool) tree app.volume"])
        #expect(run.output == "app.volume  5  held by a connection, then 50\n")
        _ = try daemon.observectl("set", "--lifetime", "1h", "app.volume", "7")
        let row = try daemon.observectl("tree", "--json", "app.volume").output
        #expect(row.contains(#""value":7,"held":3"#))
    }

    @Test(.timeLimit(.minutes(15)), .enabled(if: hasScript))
    func `on a terminal tree is as deep as fits, and coloured`() throws {
        let daemon = try daemon()
        let fitting = try onTerminal(daemon, "tree --color never library", columns: 30, rows: 11)
        #expect(
            fitting == """
                library  Library
                ├─ films
                │  ├─ 0  Film {3}  also libra…
                │  └─ 1  Film {3}
                ├─ favourite   → library.film…
                ├─ headline    "Alien…  bound…
                ├─ nowPlaying  → app.pl…  weak
                ├─ ratings     [String: Int] …
                └─ country     "UK"

                """
        )
        let coloured = try onTerminal(daemon, "tree app.volume", columns: 30, rows: 11)
        #expect(coloured.replacing("\u{1B}", with: "␛") == "␛[0;34;1mapp.volume␛[0m  ␛[0;36m50␛[0m\n")
    }

    @Test(.timeLimit(.minutes(15)))
    func `tree writes a picture`() throws {
        let daemon = try daemon()
        let file = daemon.directory.path("tree.svg")
        #expect(try daemon.observectl("tree", "--svg", file).output.isEmpty)
        let picture = try readText(file)
        #expect(picture.hasPrefix("<svg xmlns=") && picture.hasSuffix("</svg>\n"))
        #expect(picture.contains(">&quot;Brazil&quot;</text>"))
        #expect(try daemon.observectl("tree", "--svg", "-").output == picture)
    }

    /// The lines of a log, with `T` for dates and times and `P` for numbers of processes.
    private func masked(_ log: String) -> String {
        log.replacing(#/(\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d\.\d{3}/#, with: "T").replacing(
            #/(pid|observectl) \d+ */#
        ) {
            "\($0.1) P "
        }
    }

    @Test(.timeLimit(.minutes(15)))
    func `log lists what the history has, with times and makers`() throws {
        let daemon = try daemon()
        _ = try daemon.observectl("set", "app.volume", "20")
        _ = try daemon.observectl("set", "library.films.0.year", "1980")
        let log = try daemon.observectl("log", "app.volume", "library.headline")
        #expect(log.status == .exited(0) && log.errors.isEmpty)
        #expect(
            masked(log.output).replacing(#/ +/#, with: " ") == """
                T pid P app.volume null → 50
                T pid P library.headline null → "Alien (1979)"
                T pid P app.volume 50 → 20
                T pid P , binding 1 library.headline "Alien (1979)" → "Alien (1980)"

                """
        )
        #expect(
            try daemon.observectl("log", "--since", "1h", "app.volume").output.split(separator: "\n").count
                == 2
        )
        let json = try daemon.observectl("log", "--json", "app.volume").output
        #expect(
            json.contains(#"{"subscription":1,"time":"20"#)
                && json.contains(#""new":20,"old":50,"origin":{"pid":"#)
        )
        #expect(try daemon.observectl("log", "observed.uptime").status == .exited(2))
    }

    @Test(.timeLimit(.minutes(15)), arguments: [[], ["**"], ["*.volume"]])
    func `log and plot begin with a wildcard in a closed daemon`(patterns: [String]) throws {
        let daemon = try DaemonUnderTest(
            configuration: #"{"closed": true, "models": {"app": {"value": {"volume": 50}}}}"#
        )
        _ = try daemon.observectl("set", "app.volume", "20")
        let log = try daemon.observectl(["log"] + patterns)
        #expect(log.errors.isEmpty && log.output.contains("50 → 20"))
        let plot = try daemon.observectl(["plot", "--once", patterns.first ?? "*.*"])
        #expect(plot.status == .exited(0), "\(plot.errors)")
    }

    @Test(.timeLimit(.minutes(15)))
    func `log shows the changes that the daemon can send, and says that older ones are left out`() throws {
        let daemon = try DaemonUnderTest(configuration: #"{"limits": {"maxOutboxBytes": 32768}}"#)
        _ = try daemon.observectl("set", "app", "{}")
        for number in 1...20 {
            let text = String(repeating: "x", count: 1000)
            _ = try daemon.observectl("set", "app.text", "\(number) \(text)")
        }
        let log = try daemon.observectl("log", "app")
        #expect(log.status == .exited(0))
        #expect(log.errors.hasPrefix("observectl: older changes are left out"), "\(log.errors)")
        #expect((1..<20).contains(log.output.split(separator: "\n").count) && log.output.contains("20 x"))
    }

    @Test(.timeLimit(.minutes(15)))
    func `log follows, and names connected processes`() throws {
        let daemon = try daemon()
        let log = try ChildProcess(
            BuiltProducts.observectl,
            ["--socket", daemon.socket, "log", "--follow", "app.volume"]
        )
        #expect(try log.readLine(containing: "null → 50").contains("app.volume"))
        let tool = "'\(BuiltProducts.observectl)' --socket '\(daemon.socket)'"
        let holder = try ChildProcess("sh", ["-c", "\(tool) hold app.volume 5 -- cat"])
        #expect(try masked(log.readLine(containing: "50 → 5")).contains("T  observectl P app.volume  50 → 5"))
        holder.closeInput()
        #expect(try log.readLine(containing: "5 → 50").contains("connection ended"))
        log.signal(SIGTERM)
        #expect(try log.wait() == .signalled(SIGTERM))
    }

    @Test(.timeLimit(.minutes(15)))
    func `plot draws the numbers of standard input`() throws {
        let tool = "'\(BuiltProducts.observectl)'"
        let run = try ChildProcess.run("sh", ["-c", "seq 1 9 | \(tool) plot --ascii --width 30 --height 8"])
        #expect(
            run
                == Finished(
                    status: .exited(0),
                    output: """
                        * 9
                        10 +                        **
                           |                  ******
                           |        **********
                           |  ******
                         0 +**
                           +-------------+------------
                                         5

                        """,
                    errors: ""
                )
        )
        for (input, sentence) in [
            ("x", "line 1 is not a number, [TIME, NUMBER] or an event like the lines before: 'x'"),
            (
                "1\\n\\n[1,2]",
                "line 3 is not a number, [TIME, NUMBER] or an event like the lines before: '[1,2]'"
            ),
            (
                #"["2026-02-31T00:00:00Z",1]"#,
                "line 1: \"2026-02-31T00:00:00Z\" is not a time: it is RFC 3339, like \"2026-01-31T23:59:59+01:00\", or seconds or milliseconds since 1970"
            ),
            (
                #"{"path":"a","new":1,"time":"now"}"#,
                "line 1: \"now\" is not a time: it is RFC 3339, like \"2026-01-31T23:59:59+01:00\", or seconds or milliseconds since 1970"
            ),
            ("null", "standard input: no number to plot"),
            ("", "standard input: no number to plot"),
            ("[1,null]", "standard input: no number to plot"),
            ("1e308", "standard input: no number between ±1e+300 to plot"),
        ] {
            let run = try ChildProcess.run("sh", ["-c", "printf '\(input)' | \(tool) plot"])
            #expect(run == Finished(status: .exited(1), output: "", errors: "observectl: \(sentence)\n"))
        }
        let window = try ChildProcess.run("sh", ["-c", "seq 1 9 | \(tool) plot --window 5"])
        #expect(
            window.errors == "observectl: --window needs lines with times: [TIME, NUMBER] or events\n"
        )
    }

    @Test(.timeLimit(.minutes(15)))
    func `plot draws the history of paths and patterns, and what did not change`() throws {
        let daemon = try daemon()
        _ = try daemon.observectl("set", "app.volume", "20")
        let size = ["--ascii", "--width", "40", "--height", "8", "--min", "0", "--max", "50"]
        let plot = try daemon.observectl(["plot", "--once", "app.volume", "library.films.*.year"] + size)
        #expect(plot.status == .exited(0) && plot.errors.isEmpty)
        let lines = plot.output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[0] == "* app.volume 20")
        #expect(lines[1] == "+ library.films.0.year 1979 and 1 more")
        #expect(lines[2].hasPrefix("50 +") && lines[5].hasPrefix(" 0 +") && lines.count == 9)
        let since = try daemon.observectl(["plot", "--since", "1h", "app.volume"] + size)
        #expect(since.output.hasPrefix("* app.volume 20\n50 +"))
        let events = try daemon.observectl("subscribe", "--count", "1", "--time", "app.volume").output
        let file = try daemon.directory.write(events, to: "events.jsonl")
        let piped = try ChildProcess.run(
            "sh",
            ["-c", "'\(BuiltProducts.observectl)' plot --ascii < '\(file)'"]
        )
        #expect(piped.output.hasPrefix("* app.volume 20\n"))
        let everything = try daemon.observectl("plot", "--once", "**")
        #expect(everything.status == .exited(0) && everything.output.contains("app.volume 20"))
        let nothing = try daemon.observectl("plot", "--once", "app.nothing")
        #expect(nothing.errors == "observectl: app.nothing: no number to plot\n")
    }

    @Test(.timeLimit(.minutes(15)))
    func `a path without a history leaves that of the others in the plot`() throws {
        let daemon = try daemon()
        _ = try daemon.observectl("set", "app.volume", "20")
        let size = ["--ascii", "--width", "40", "--height", "8", "--min", "0", "--max", "50"]
        for paths in [["app.volume", "observed.connections"], ["observed.connections", "app.volume"]] {
            let plot = try daemon.observectl(["plot", "--once"] + paths + size)
            #expect(plot.status == .exited(0) && plot.errors.isEmpty, "\(plot.errors)")
            let lines = plot.output.split(separator: "\n")
            // The volume was 50 at first.
            let highest = try #require(lines.first { $0.hasPrefix("50 +") })
            #expect(highest.dropFirst(4).contains(where: "*+".contains), "\(plot.output)")
        }
    }

    @Test(.timeLimit(.minutes(15)))
    func `plot writes a picture`() throws {
        let daemon = try daemon()
        let file = daemon.directory.path("plot.svg")
        let plot = try daemon.observectl("plot", "--svg", file, "app.volume")
        #expect(plot == Finished(status: .exited(0), output: "", errors: ""))
        let picture = try readText(file)
        #expect(picture.hasPrefix("<svg xmlns=") && picture.hasSuffix("</svg>\n"))
        #expect(picture.contains(">app.volume</text>") && picture.contains("<path d=\"M"))
    }

    @Test(
        .timeLimit(.minutes(15)),
        arguments: [
            (["--min", "5", "--max", "5", "a"], "--min 5.0 is not below --max 5.0"),
            (["--min", "nan", "a"], "--min takes a number between ±1e+300, not 'nan'"),
            (["--width", "3", "a"], "--width takes a number from 4 to 1000, not '3'"),
            (["--since", "5m"], "--since needs a PATH: standard input has no history"),
            (["a..b"], "the path 'a..b' has two dots with nothing between them, so component 2 is empty"),
        ]
    )
    func `wrong options of plot are usage errors without a daemon`(words: [String], sentence: String) throws {
        let run = try ChildProcess.run(
            BuiltProducts.observectl,
            ["--socket", "/nonexistent", "plot"] + words
        )
        #expect(run.status == .exited(2))
        #expect(run.errors.hasPrefix("observectl: \(sentence)"), "\(run.errors)")
    }

    @Test(.timeLimit(.minutes(15)), .enabled(if: hasScript))
    func `on a terminal explain is a graph, and in a pipe JSON`() throws {
        let daemon = try daemon()
        _ = try daemon.observectl("set", "library.films.0.year", "1980")
        let graph = try onTerminal(
            daemon,
            "explain --color never library.films.0.label",
            columns: 80,
            rows: 24
        )
        #expect(
            masked(graph).replacing(#/ [^ ,]+, \d+ s ago/#, with: ", AGO") == """
                library  Library
                └─ films  [Film]
                   └─ 0  Film  also library.favourite
                      └─ label  "Alien (1980)"  String, computed
                         ├─ ← library.films.0.title  input
                         ├─ ← library.films.0.year  input
                         └─ → library.headline  binding 1

                changed   T, AGO, by pid P , revision 5
                because   library.films.0.label, computed
                          library.films.0.year, by pid P 

                """
        )
        let piped = try daemon.observectl("explain", "library.films.0.label")
        let called = try daemon.observectl("call", "explain", #"{"path":"library.films.0.label"}"#)
        #expect(piped == called && piped.output.hasPrefix(#"{"path":"library.films.0.label","revision":5,"#))
        let pretty = try onTerminal(
            daemon,
            "explain --pretty --color never app.volume",
            columns: 60,
            rows: 24
        )
        #expect(pretty.hasPrefix("{\n  \"path\": \"app.volume\","))
    }
}
