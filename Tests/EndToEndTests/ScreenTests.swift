// SPDX-License-Identifier: MIT
// Commands that draw on the whole terminal: keys, signals, stops, a daemon that goes. script(1) makes the terminal.

import Glibc
import TestSupport
import Testing

struct ScreenTests {
    private static let hasScript =
        (try? ChildProcess.run("sh", ["-c", "command -v script"]).status) == .exited(0)
    private static let farewell = "\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?7h\u{1B}[?25h\u{1B}[0m\u{1B}[?1049l"

    /// A shell on a terminal, and a daemon for its commands.
    private final class Terminal {
        let daemon: DaemonUnderTest
        let process: ChildProcess
        private var screen: ScreenModel

        /// Runs a program on a terminal of that size. `$tool` is observectl, and `$folder` a folder for files.
        init(_ program: String, columns: Int = 80, rows: Int = 24, isInteractive: Bool = false) throws {
            daemon = try DaemonUnderTest(configuration: Document.text("config/observed.json"))
            screen = ScreenModel(columns: columns, rows: rows)
            let folder = daemon.directory.path("")
            let start =
                "stty cols \(columns) rows \(rows); tool='\(BuiltProducts.observectl)'; folder='\(folder)'; PS1=; PS2="
            let file = try daemon.directory.write(
                isInteractive ? start : "\(start); \(program)",
                to: "program.sh"
            )
            let variables = [
                "OBSERVED_SOCKET": daemon.socket, "TERM": "xterm", "LC_ALL": "C.UTF-8", "ENV": file,
                // Swift's runtime would look for the cause of the end, for seconds.
                "SWIFT_BACKTRACE": "enable=no",
            ]
            let command = isInteractive ? "sh -i" : "sh \(file)"
            process = try ChildProcess("script", ["-qec", command, "/dev/null"], environment: variables)
            if isInteractive { try process.send("\(program)\n") }
        }

        /// Waits for a frame with that text, in however many drawings it comes. Returns what was printed meanwhile.
        @discardableResult
        func readScreen(containing part: String) throws -> String {
            var printed = ""
            while !screen.text.contains(part) {
                let frame = try process.readText(containing: "\u{1B}[?2026l")
                screen.draw(frame)
                printed += frame
            }
            return printed
        }

        var cells: [[String]] { screen.rows.map { $0.map(\.text) } }

        func file(_ name: String) throws -> String { try readText(daemon.directory.path(name)) }
    }

    @Test(.timeLimit(.minutes(15)), .enabled(if: hasScript))
    func `top draws, takes keys, and gives the terminal back`() throws {
        let terminal = try Terminal(
            "stty -a > $folder/before; $tool top; echo status $?; stty -a > $folder/after"
        )
        try terminal.readScreen(containing: "q quits")
        try terminal.process.send("\u{1B}[C")
        try terminal.readScreen(containing: "EV/S▼")
        try terminal.process.send("q")
        #expect(try terminal.process.readText(containing: "status 0").contains(ScreenTests.farewell))
        try terminal.process.wait()
        #expect(try terminal.file("after") == terminal.file("before"))
    }

    @Test(
        .timeLimit(.minutes(15)),
        .enabled(if: hasScript),
        arguments: ["top", "tree --follow"],
        [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGALRM, SIGABRT, SIGSEGV, SIGPIPE]
    )
    func `every signal that ends a process gives the terminal back, and ends it`(
        command: String,
        number: Int32
    ) throws {
        let run = "sh -c 'echo $$ > '$folder/pid'; exec '$tool' \(command)'"
        let terminal = try Terminal(
            "stty -a > $folder/before; \(run); echo status $?; stty -a > $folder/after"
        )
        try terminal.readScreen(containing: "q quits")
        let pid = try #require(pid_t(terminal.file("pid").split(separator: "\n")[0]))
        kill(pid, number)
        #expect(
            try terminal.process.readText(containing: "status \(128 + number)").contains(ScreenTests.farewell)
        )
        try terminal.process.wait()
        #expect(try terminal.file("after") == terminal.file("before"))
    }

    @Test(.timeLimit(.minutes(15)), .enabled(if: hasScript), arguments: ["top", "tree --follow"])
    func `at Ctrl-Z the terminal is the shell's, and after fg the command's again`(command: String) throws {
        let terminal = try Terminal("stty -a > $folder/before; $tool \(command)", isInteractive: true)
        try terminal.process.readText(containing: "q quits")
        try terminal.process.send("\u{1A}")
        try terminal.process.readText(containing: ScreenTests.farewell)
        try terminal.process.send("stty -a > $folder/stopped; echo is stopp''ed\n")
        try terminal.process.readText(containing: "is stopped")
        #expect(try terminal.file("stopped") == terminal.file("before"))
        try terminal.process.send("fg\n")
        try terminal.process.readText(containing: "q quits")
        try terminal.process.send("q")
        try terminal.process.readText(containing: ScreenTests.farewell)
        try terminal.process.send("exit\n")
        try terminal.process.wait()
    }

    @Test(
        .timeLimit(.minutes(15)),
        .enabled(if: hasScript),
        arguments: ["top --interval 100ms", "tree --follow"]
    )
    func `without its daemon a view waits, says so, and continues with the next one`(command: String) throws {
        let terminal = try Terminal("$tool \(command)")
        try terminal.process.readText(containing: "q quits")
        _ = try terminal.daemon.stop()
        try terminal.process.readText(containing: "waiting for it")
        let next = try DaemonUnderTest(at: terminal.daemon)
        try terminal.process.readText(containing: "q quits")
        try terminal.process.send("q")
        #expect(try terminal.process.wait() == .exited(0))
        withExtendedLifetime(next) {}
    }

    @Test(.timeLimit(.minutes(15)))
    func `without a terminal top prints one table`() throws {
        let daemon = try DaemonUnderTest(configuration: Document.text("config/observed.json"))
        let once = try daemon.observectl("top", "--interval", "50ms")
        #expect(once.status == .exited(0) && once.errors.isEmpty)
        let lines = once.output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[0].hasPrefix("observed ") && lines[3] == "journal none: the models end with the daemon")
        #expect(lines[5].hasPrefix("ID ") && lines[6].hasPrefix(" 1 ") && lines[6].contains("observectl"))
        let json = try daemon.observectl("top", "--once", "--json", "--interval", "50ms")
        #expect(
            json.output.contains(#""name":"observectl""#) && json.output.contains(#""requestsPerSecond":"#)
        )
        let wrong = try daemon.observectl("top", "--sort", "nam")
        #expect(
            wrong.status == .exited(2)
                && wrong.errors.hasPrefix("observectl: --sort takes one of id, pid, name")
        )
    }

    @Test(.timeLimit(.minutes(15)), .enabled(if: hasScript))
    func `plot is live on a terminal, and begins with the past`() throws {
        let terminal = try Terminal("$tool plot --since 1m app.volume; echo status $?")
        try terminal.readScreen(containing: "app.volume")
        _ = try terminal.daemon.observectl("set", "app.volume", "7e2")
        try terminal.readScreen(containing: "700")
        _ = try terminal.daemon.stop()
        try terminal.readScreen(containing: "waiting for it")
        try terminal.process.send("q")
        #expect(try terminal.process.readText(containing: "status 0").contains(ScreenTests.farewell))
        try terminal.process.wait()
    }

    @Test(.timeLimit(.minutes(15)), .enabled(if: hasScript))
    func `a plot shows the old value no more when the daemon is back with another one`() throws {
        let terminal = try Terminal("$tool plot --ascii --window 2s app.volume; echo status $?")
        try terminal.readScreen(containing: "app.volume 50")
        _ = try terminal.daemon.observectl("set", "app.volume", "700")
        try terminal.readScreen(containing: "app.volume 700")
        _ = try terminal.daemon.stop()
        try terminal.readScreen(containing: "waiting for it")
        let directory = terminal.daemon.directory
        let file = directory.path("observed.json")
        let next = try DaemonUnderTest(in: directory, ["--config", file, "--state", "none"])
        try terminal.readScreen(containing: "app.volume 50")
        // The new line is the last one, and nothing leads down to it.
        let cells = terminal.cells
        let end = try #require(cells.compactMap { $0.lastIndex(of: "*") }.max())
        let row = try #require(cells.lastIndex { $0[end] == "*" })
        let start = try #require(cells[row][...end].lastIndex { $0 != "*" }) + 1
        #expect(cells[..<row].allSatisfy { !$0[start...].contains("*") }, "\(cells.map { $0.joined() })")
        try terminal.process.send("q")
        _ = try terminal.process.readText(containing: "status 0")
        try terminal.process.wait()
        _ = try next.stop()
    }

    @Test(.timeLimit(.minutes(15)), .enabled(if: hasScript))
    func `tree follows changes, and takes keys and the mouse`() throws {
        let terminal = try Terminal(
            "stty -a > $folder/before; EDITOR='sed -i s/1979/1986/'; export EDITOR; $tool tree --follow --color never; echo status $?; stty -a > $folder/after",
            rows: 50
        )
        let screen = terminal.process
        try terminal.readScreen(containing: "q quits")
        _ = try terminal.daemon.observectl("set", "app.volume", "4711")
        try terminal.readScreen(containing: "4711")
        // A new model.
        _ = try terminal.daemon.observectl("set", "radio", #"{"station":"FIP"}"#)
        try terminal.readScreen(containing: "radio")
        try screen.send("/")
        try screen.send("films.0.ye")
        try terminal.readScreen(containing: "/films.0.ye")
        try screen.send("\r\u{1B}[F")
        try terminal.readScreen(containing: "4/4")
        try screen.send("p")
        try terminal.readScreen(containing: "◆")
        try screen.send("e")
        try terminal.readScreen(containing: "1986")
        #expect(try terminal.daemon.observectl("get", "library.films.0.year").output == "1986\n")
        try screen.send("y")
        let printed = try terminal.readScreen(containing: "is on the ordinary screen, too")
        #expect(printed.contains("\(ScreenTests.farewell)library.films.0.year\r\n"))
        try screen.send("\u{1B}[<0;3;3M")
        try terminal.readScreen(containing: "1/4")
        try screen.send("l")
        try terminal.readScreen(containing: "library refers to no other path")
        try screen.send("q")
        #expect(try screen.readText(containing: "status 0").contains(ScreenTests.farewell))
        try screen.wait()
        #expect(try terminal.file("after") == terminal.file("before"))
    }

    @Test(.timeLimit(.minutes(15)))
    func `tree follows on a terminal alone, and without options of lists`() throws {
        let daemon = try DaemonUnderTest(configuration: Document.text("config/observed.json"))
        let piped = try daemon.observectl("tree", "--follow")
        #expect(piped.status == .exited(2))
        #expect(
            piped.errors.hasPrefix(
                "observectl: it draws on a terminal: standard input and output must be one\n"
            )
        )
        let listed = try daemon.observectl("tree", "--follow", "--json")
        #expect(listed.status == .exited(2) && listed.errors.contains("--follow does not go with --json"))
        let nowhere = try daemon.observectl("tree", "--follow", "app.none")
        #expect(nowhere.status == .exited(1) && nowhere.errors.contains("app.none leads nowhere"))
    }
}
