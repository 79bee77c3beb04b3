// SPDX-License-Identifier: MIT
// `hold` and `publish` with real processes: values that last as long as a command, however it ends.

import Glibc
import Testing

struct KeepingTests {
    @Test(.timeLimit(.minutes(15)), arguments: [[], ["--set"]])
    func `publish --keep --parents makes the models on the way, and changes present ones`(options: [String])
        throws
    {
        let daemon = try DaemonUnderTest()
        for line in [#"{"a":1}"#, #"{"a":2}"#] {
            let arguments = ["publish", "--keep", "--parents"] + options + ["pub.x.y"]
            let run = try daemon.observectl(arguments, input: "\(line)\n")
            #expect(run == Finished(status: .exited(0), output: "", errors: ""))
            #expect(try daemon.observectl("get", "pub").output == "{\"x\":{\"y\":\(line)}}\n")
        }
    }

    private func daemon() throws -> DaemonUnderTest {
        try DaemonUnderTest(configuration: Document.text("config/observed.json"))
    }

    private func start(_ words: [String], on daemon: DaemonUnderTest) throws -> ChildProcess {
        try ChildProcess(
            BuiltProducts.observectl,
            words,
            environment: [
                "OBSERVED_SOCKET": daemon.socket, "PATH": "\(BuiltProducts.folder):\(variable("PATH") ?? "")",
            ]
        )
    }

    private func run(_ words: [String], on daemon: DaemonUnderTest, input: String? = nil) throws -> Finished {
        let child = try start(words, on: daemon)
        if let input { try child.send(input) }
        child.closeInput()
        return try child.finish()
    }

    /// Follows a path; each value is a line of its output.
    private func follow(_ path: String, on daemon: DaemonUnderTest) throws -> ChildProcess {
        let child = try start(["subscribe", "--raw", "--ready", "--no-initial", path], on: daemon)
        try child.readLine(containing: "ready", from: .errors)
        return child
    }

    // MARK: hold

    @Test(.timeLimit(.minutes(15)))
    func `a held value is there while the command runs, and gone when hold has ended`() throws {
        let daemon = try daemon()
        let words = ["hold", "app.volume", "10", "--", "sh", "-c", "observectl get app.volume; exit 7"]
        for _ in 0..<20 {
            #expect(try run(words, on: daemon) == Finished(status: .exited(7), output: "10\n", errors: ""))
            #expect(try daemon.observectl("get", "app.volume").output == "50\n")
        }
    }

    @Test(
        .timeLimit(.minutes(15)),
        arguments: [
            (["sh", "-c", "kill -TERM $$"], .signalled(SIGTERM)), (["no-such-command"], .exited(127)),
            (["/etc/passwd"], .exited(126)), (["true"], .exited(0)),
        ] as [([String], ExitStatus)]
    )
    func `the status of hold is that of the command`(command: [String], status: ExitStatus) throws {
        let daemon = try daemon()
        #expect(try run(["hold", "app.volume", "10", "--"] + command, on: daemon).status == status)
        #expect(try daemon.observectl("get", "app.volume").output == "50\n")
    }

    @Test(.timeLimit(.minutes(15)))
    func `after the timeout the command gets SIGTERM`() throws {
        let words = ["--timeout", "50ms", "hold", "app.volume", "10", "--"]
        let command = ["sh", "-c", "trap 'echo ended; exit 3' TERM; while :; do sleep 0.01; done"]
        let finished = try run(words + command, on: daemon())
        #expect(
            finished == Finished(status: .exited(124), output: "ended\n", errors: "observectl: timed out\n")
        )
    }

    @Test(.timeLimit(.minutes(15)))
    func `a refused value starts no command`() throws {
        let finished = try run(["hold", "library.country", "5", "--", "echo", "started"], on: daemon())
        #expect(finished.status == .exited(1))
        #expect(finished.output.isEmpty)
    }

    @Test(.timeLimit(.minutes(15)))
    func `if hold is killed, the value goes and the command dies`() throws {
        let daemon = try daemon()
        let follower = try follow("app.volume", on: daemon)
        let child = try start(
            ["hold", "app.volume", "10", "--", "sh", "-c", "echo started; exec sleep 1000"],
            on: daemon
        )
        #expect(try child.readLine() == "started")
        #expect(try follower.readLine() == "10")
        child.signal(SIGKILL)
        // The command holds its pipes open as long as it lives, and this waits for their ends.
        #expect(try child.wait() == .signalled(SIGKILL))
        #expect(try follower.readLine() == "50")
    }

    @Test(.timeLimit(.minutes(15)))
    func `a signal is passed on to the command`() throws {
        let daemon = try daemon()
        let command = "trap 'echo ended; exit 3' TERM; echo started; while :; do sleep 0.01; done"
        let child = try start(["hold", "app.volume", "10", "--", "sh", "-c", command], on: daemon)
        #expect(try child.readLine() == "started")
        child.signal(SIGTERM)
        #expect(try child.finish() == Finished(status: .exited(3), output: "ended\n", errors: ""))
    }

    @Test(.timeLimit(.minutes(15)))
    func `a value is held again after the daemon's restart`() throws {
        let daemon = try DaemonUnderTest()
        let child = try start(["hold", "busy", "true", "--", "cat"], on: daemon)
        try daemon.wait("busy", "=", "true")
        _ = try daemon.stop()
        try child.readLine(containing: "waiting for it", from: .errors)
        let next = try DaemonUnderTest(at: daemon)
        try next.wait("busy", "=", "true")
        child.closeInput()
        #expect(try child.wait() == .exited(0))
        #expect(try next.observectl("get", "busy").output == "null\n")
    }

    @Test(.timeLimit(.minutes(15)))
    func `after the daemon's restart, a value waits for the model of another client`() throws {
        let daemon = try DaemonUnderTest()
        _ = try daemon.observectl("set", "player", "{}")
        let child = try start(["hold", "player.busy", "true", "--", "cat"], on: daemon)
        try daemon.wait("player.busy", "=", "true")
        _ = try daemon.stop()
        let next = try DaemonUnderTest(at: daemon)
        try child.readLine(containing: "player.busy can't be written; waiting for it", from: .errors)
        _ = try next.observectl("set", "player", "{}")
        try next.wait("player.busy", "=", "true")
        child.closeInput()
        #expect(try child.wait() == .exited(0))
    }

    @Test(
        .timeLimit(.minutes(15)),
        arguments: [
            (
                ["hold", "a", "1", "true"],
                "'true' is too much: a command comes after '--'; several words are one VALUE in quotes: '1 true'"
            ),
            (["hold", "a", "1", "--"], "a command is missing after '--'"),
        ]
    )
    func `a wrong command line of hold is refused before anything is connected`(
        words: [String],
        sentence: String
    ) throws {
        let finished = try ChildProcess.run(BuiltProducts.observectl, ["--socket", "/nowhere"] + words)
        #expect(finished.status == .exited(2))
        #expect(finished.errors.hasPrefix("observectl: \(sentence)\n"))
    }

    // MARK: publish

    @Test(.timeLimit(.minutes(15)))
    func `lines are merged into one model, which is gone with the input`() throws {
        let daemon = try daemon()
        let child = try start(["publish", "--ready", "player"], on: daemon)
        try child.send(#"{"title":"Alien","year":1979,"by":{"first":"Ridley"}}"# + "\n")
        try child.readLine(containing: "ready", from: .errors)
        _ = try daemon.observectl("link", "--weak", "app.now", "player")
        let title = try follow("app.now.title", on: daemon)
        let place = try follow("player", on: daemon)
        try child.send("\n" + #"{"title":"Aliens","year":null,"by":{"last":"Scott"}}"# + "\n")
        #expect(try title.readLine() == "Aliens")
        #expect(
            try daemon.observectl("get", "player").output
                == #"{"title":"Aliens","by":{"first":"Ridley","last":"Scott"}}"# + "\n"
        )
        child.closeInput()
        #expect(try child.finish() == Finished(status: .exited(0), output: "", errors: ""))
        #expect(try daemon.observectl("get", "player", "app.now").output == "player\tnull\napp.now\tnull\n")
        #expect(try title.readLine() == "null")
        #expect(try place.readLine() == "null")
    }

    @Test(.timeLimit(.minutes(15)))
    func `publish replaces with --set, and leaves the value with --keep`() throws {
        let daemon = try DaemonUnderTest()
        let lines = "{\"a\":1}\n{\"b\":2}"
        #expect(try run(["publish", "--keep", "kept"], on: daemon, input: lines).status == .exited(0))
        #expect(
            try run(["publish", "--keep", "--set", "last"], on: daemon, input: lines).status == .exited(0)
        )
        #expect(
            try run(["publish", "--keep", "number"], on: daemon, input: "1\n2.50\n").status == .exited(0)
        )
        #expect(try run(["publish", "gone"], on: daemon, input: lines).status == .exited(0))
        #expect(
            try daemon.observectl("get", "kept", "last", "number", "gone").output
                == "kept\t{\"a\":1,\"b\":2}\nlast\t{\"b\":2}\nnumber\t2.5\ngone\tnull\n"
        )
    }

    @Test(.timeLimit(.minutes(15)))
    func `a published model is published again after the daemon's restart, with all of its lines`() throws {
        let daemon = try DaemonUnderTest()
        let child = try start(["publish", "job"], on: daemon)
        try child.send("{\"a\":1}\n{\"b\":2}\n")
        while try daemon.observectl("get", "job").output != "{\"a\":1,\"b\":2}\n" {}
        _ = try daemon.stop()
        try child.readLine(containing: "waiting for it", from: .errors)
        let next = try DaemonUnderTest(at: daemon)
        while try next.observectl("get", "job").output != "{\"a\":1,\"b\":2}\n" {}
        try child.send("{\"a\":null}\n")
        while try next.observectl("get", "job").output != "{\"b\":2}\n" {}
        child.signal(SIGKILL)
        #expect(try child.wait() == .signalled(SIGKILL))
        try next.wait("job", "gone")
    }

    @Test(.timeLimit(.minutes(15)))
    func `publish --keep removes a member whose line came while the daemon was away`() throws {
        let directory = try TemporaryDirectory()
        let arguments = ["--config", "none", "--state", directory.path("state")]
        let daemon = try DaemonUnderTest(in: directory, arguments)
        let child = try start(["publish", "--keep", "job"], on: daemon)
        try child.send("{\"a\":1,\"b\":2,\"c\":{\"d\":1,\"e\":2}}\n")
        try daemon.wait("job", "exists")
        _ = try daemon.stop()
        try child.readLine(containing: "waiting for it", from: .errors)
        try child.send("{\"b\":null,\"c\":{\"e\":null}}\n{\"f\":3}\n")
        let next = try DaemonUnderTest(in: directory, arguments)
        try next.wait("job.f", "=", "3")
        #expect(try next.observectl("get", "job").output == "{\"a\":1,\"c\":{\"d\":1},\"f\":3}\n")
    }

    @Test(.timeLimit(.minutes(15)))
    func `a line that is not JSON is named`() throws {
        let finished = try run(["publish", "job"], on: daemon(), input: "{}\n\noops\n")
        #expect(finished.status == .exited(2))
        #expect(finished.errors.hasPrefix("observectl: line 3 is not JSON: "))
    }

    @Test(.timeLimit(.minutes(15)))
    func `a line without end is named`() throws {
        let daemon = try daemon()
        let child = try ChildProcess(
            "sh",
            ["-c", "exec observectl publish job < /dev/zero"],
            environment: [
                "OBSERVED_SOCKET": daemon.socket, "PATH": "\(BuiltProducts.folder):\(variable("PATH") ?? "")",
            ]
        )
        let errors = "observectl: line 1 has more than 64 MiB\n"
        #expect(try child.finish() == Finished(status: .exited(1), output: "", errors: errors))
    }

    // MARK: toggle and pipe

    @Test(.timeLimit(.minutes(15)))
    func `no toggle of many processes is lost`() throws {
        let daemon = try DaemonUnderTest()
        let loop = "for i in 1 2 3 4 5 6 7 8 9 10; do observectl toggle muted; done"
        let shells = try (0..<5).map { _ in
            try ChildProcess(
                "sh",
                ["-ec", loop],
                environment: [
                    "OBSERVED_SOCKET": daemon.socket,
                    "PATH": "\(BuiltProducts.folder):\(variable("PATH") ?? "")",
                ]
            )
        }
        for shell in shells { #expect(try shell.finish().status == .exited(0)) }
        #expect(try daemon.observectl("get", "muted").output == "false\n")
        // Each was one commit.
        #expect(try daemon.observectl("status").output.contains(#""revision":50,"#))
    }

    @Test(.timeLimit(.minutes(15)))
    func `pipe passes requests and answers on at once, and ends with its input`() throws {
        let daemon = try DaemonUnderTest()
        let child = try start(["pipe"], on: daemon)
        try child.send(#"{"id":1,"method":"subscribe","params":{"path":"a","initial":false}}"# + "\n")
        #expect(try child.readLine()?.contains(#""subscription":1"#) == true)
        _ = try daemon.observectl("set", "a", "1")
        #expect(try child.readLine()?.contains(#""new":1"#) == true)
        try child.send(#"{"id":2,"method":"unsubscribe","params":{"subscription":1}}"# + "\nnonsense")
        #expect(try child.readLine() == #"{"jsonrpc":"2.0","id":2,"result":{}}"#)
        child.closeInput()
        let finished = try child.finish()
        #expect(finished.output.contains("-32700"))
        #expect(finished.status == .exited(0))
        let idle = try start(["pipe"], on: daemon)
        try idle.send(#"{"id":1,"method":"ping"}"# + "\n")
        #expect(try idle.readLine() == #"{"jsonrpc":"2.0","id":1,"result":{}}"#)
        _ = try daemon.stop()
        #expect(try idle.wait() == .exited(69))
    }
}
