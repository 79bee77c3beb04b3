// SPDX-License-Identifier: MIT
// Completions in bash, zsh and fish themselves, on a terminal, with a real daemon. Needs these shells and python3.

import Glibc
import Testing

struct CompletionTests {
    /// A shell, and the commands that load its completions and print a prompt with the word READY.
    struct Shell: Sendable, CustomTestStringConvertible {
        let name: String
        let arguments: [String]
        let setUp: String
        let isInstalled: Bool

        init(_ name: String, _ arguments: [String], _ setUp: String) {
            self.name = name
            self.arguments = arguments
            self.setUp = setUp
            isInstalled = ["/bin", "/usr/bin", "/usr/local/bin"].contains {
                unsafe access("\($0)/\(name)", X_OK) == 0 && access("\($0)/python3", X_OK) == 0
            }
        }

        var testDescription: String { name }
    }

    private static let folder = "\(BuiltProducts.package)/config/completions"
    /// Prints the words of a command line instead of executing it.
    private static let function =
        #"observectl() { if [ "$1" = complete ]; then command observectl "$@"; else printf 'RAN[%s]' "$*"; echo END; fi; }"#

    private static let daemon = #"observed() { printf 'RAN[%s]' "$*"; echo END; }"#

    private static let shells = [
        Shell(
            "bash",
            ["--norc", "--noprofile", "-i"],
            ". \(folder)/observectl.bash; . \(folder)/observed.bash; \(function); \(daemon); PS1=REA''DY"
        ),
        Shell(
            "zsh",
            ["-f", "-i"],
            "fpath=(\(folder) $fpath); autoload -Uz compinit; compinit -u -D; \(function); \(daemon); PS1=REA''DY"
        ),
        Shell(
            "fish",
            ["--no-config", "-i"],
            """
            source \(folder)/observectl.fish; source \(folder)/observed.fish; \
            function observed; printf 'RAN[%s]' "$argv"; echo END; end; function observectl; if test $argv[1] = complete; \
            command observectl $argv; else; printf 'RAN[%s]' "$argv"; echo END; end; end; \
            function fish_prompt; echo -n REA''DY; end
            """
        ),
    ].filter(\.isInstalled)

    /// Types lines into a shell on a terminal, each when a prompt has come, and prints the terminal's output up to each `END`.
    private static let terminal = """
        import os, pty, select, sys, time
        pid, terminal = pty.fork()
        if pid == 0: os.execvp(sys.argv[3], sys.argv[3:])
        seen = b""
        def read(part):
            global seen
            end = time.monotonic() + 60
            while part not in seen and time.monotonic() < end:
                if not select.select([terminal], [], [], 1)[0]: continue
                piece = os.read(terminal, 65536)
                if b"\\x1b[c" in piece: os.write(terminal, b"\\x1b[?62;c")
                seen += piece
            before, found, seen = seen.partition(part)
            return before + found
        os.write(terminal, sys.argv[1].encode() + b"\\n")
        for line in sys.argv[2].splitlines(keepends=True):
            read(b"READY")
            os.write(terminal, line.encode())
            sys.stdout.buffer.write(read(b"END"))
        os.kill(pid, 9)
        os.waitpid(pid, 0)
        """

    @Test(.timeLimit(.minutes(15)), arguments: shells)
    func `a shell completes commands, options and the daemon's key paths`(shell: Shell) throws {
        try expect(
            shell,
            [
                ("observectl get app.vol\t\n", "get app.volume"),
                ("observectl get library.films.@co\t\n", "get library.films.@count"),
                ("observectl subs\tapp.vol\t\n", "subscribe app.volume"),
                ("observectl set --par\tapp.vol\t5\n", "set --parents app.volume 5"),
                ("observectl get 'app.*.player.vid\t\n", "get app.*.player.videoTitle"),
                ("observectl exec --on-fail st\tapp.vol\t\n", "exec --on-fail stop app.volume"),
            ]
        )
    }

    @Test(.timeLimit(.minutes(15)), arguments: shells)
    func `a shell completes the daemon's options and their values`(shell: Shell) throws {
        let file = "\(BuiltProducts.package)/config/observed.js"
        try expect(
            shell,
            [
                ("observed --sal\t\n", "--salvage"),
                ("observed --adapt --log-l\twarn\t\n", "--adapt --log-level warning"),
                ("observed --config no\t\n", "--config none"),
                ("observed --check-config \(file)\t\n", "--check-config \(file)on"),
            ]
        )
    }

    @Test(arguments: ["observed.bash", "_observed", "observed.fish"])
    func `the completions have all options of the daemon`(file: String) throws {
        let help = try ChildProcess.run(BuiltProducts.observed, ["--help"]).output
        let options = Set(help.matches(of: /\n +--([a-z-]+)/).map { String($0.1) })
        #expect(options.count == 11)
        let form = file.hasSuffix(".fish") ? #"-l ([a-z-]+)"# : #"--([a-z-]+)"#
        let named = try Regex<(Substring, Substring)>(form)
        let text = Document.text("config/completions/\(file)")
        #expect(
            Set(text.matches(of: named).map { String($0.output.1) }).subtracting(["", "option"]) == options
        )
    }

    /// fish takes a `*` outside of quotes for names of files alone.
    @Test(.timeLimit(.minutes(15)), arguments: shells.filter { $0.name != "fish" })
    func `bash and zsh quote the * of a completed path`(shell: Shell) throws {
        let typed = "observectl get app.*.pl\t.vid\t\n"
        try expect(shell, [(typed, "get app.*.player.videoTitle")])
    }

    @Test func `bash keeps the backslashes of a path, also in quotes`() throws {
        let script = #"""
            observectl() { echo :; echo 'a\.b.@count'; echo "$@" >&3; }
            for COMP_LINE in 'observectl get a\\.b.@c' 'observectl get "a\.b.@c' 'observectl get "\$\"\\'; do
                COMP_POINT=${#COMP_LINE}
                _observectl 3>&1
                printf '%s\n' "${COMPREPLY[@]}"
            done
            """#
        let run = try ChildProcess.run(
            "bash",
            ["-c", ". '\(CompletionTests.folder)/observectl.bash'\n\(script)"]
        )
        #expect(
            run.output == #"""
                complete bash -- get a\.b.@c
                @count
                complete bash -- get a\.b.@c
                a\.b.@count
                complete bash -- get $"\
                a\.b.@count

                """#
        )
    }

    private func expect(_ shell: Shell, _ lines: [(typed: String, executed: String)]) throws {
        let daemon = try DaemonUnderTest(configuration: Document.text("config/observed.json"))
        let path = "\(BuiltProducts.folder):\(variable("PATH") ?? "")"
        var left = lines
        var outputs: [Finished] = []
        // The daemon has 40 ms for each answer. On a busy machine it needs more, and there are no candidates.
        for _ in 0..<4 {
            let finished = try ChildProcess.run(
                "python3",
                ["-c", CompletionTests.terminal, shell.setUp, left.map(\.typed).joined(), shell.name]
                    + shell.arguments,
                environment: [
                    "OBSERVED_SOCKET": daemon.socket, "PATH": path, "TERM": "dumb",
                    "HOME": daemon.directory.path,
                ],
                within: .seconds(120)
            )
            let executed = finished.output.split(separator: "RAN[").dropFirst().map {
                ($0.split(separator: "]END").first ?? "").split(separator: " ").joined(separator: " ")
            }
            left = left.enumerated().filter {
                !executed.indices.contains($0) || executed[$0] != $1.executed
            }.map(\.element)
            if left.isEmpty { return }
            outputs.append(finished)
        }
        Issue.record("\(left.map(\.executed)) were not executed: \(outputs)")
    }

    @Test(.timeLimit(.minutes(15)))
    func `without a daemon there are no key paths, and no message`() throws {
        let directory = try TemporaryDirectory()
        let finished = try ChildProcess.run(
            BuiltProducts.observectl,
            ["complete", "bash", "--", "--socket", directory.path("none"), "get", "app."]
        )
        #expect(finished == Finished(status: .exited(0), output: ":\n", errors: ""))
    }

    @Test(.timeLimit(.minutes(15)))
    func `key paths have their declared types, and --socket is heeded`() throws {
        let daemon = try DaemonUnderTest(configuration: Document.text("config/observed.json"))
        let finished = try ChildProcess.run(
            BuiltProducts.observectl,
            ["complete", "zsh", "--", "--socket=\(daemon.socket)", "get", "library.films.0."]
        )
        #expect(
            finished.output == """
                :
                library.films.0.title:String
                library.films.0.year:Int?
                library.films.0.label:String, computed

                """
        )
    }
}
