// SPDX-License-Identifier: MIT
// The real `observed`: its start, its end, and the errors on the way. Independent of what it serves.

import Glibc
import ObserveCore
import Testing

struct DaemonTests {
    // MARK: Start and end

    @Test(.timeLimit(.minutes(15)), arguments: [SIGTERM, SIGINT])
    func `a signal ends the daemon with status 0, and it removes its socket`(signal: Int32) throws {
        let daemon = try DaemonUnderTest()
        #expect(FileKind.of(daemon.socket) == .socket)
        #expect(try daemon.stop(signal).status == .exited(0))
        #expect(FileKind.of(daemon.socket) == nil)
    }

    @Test(.timeLimit(.minutes(15)))
    func `a signal ends the daemon while clients are connected`() throws {
        let daemon = try DaemonUnderTest()
        let client = try daemon.connect()
        #expect(try daemon.stop().status == .exited(0))
        while let line = try client.readLine() { #expect(line.contains("goodbye")) }
    }

    @Test(.timeLimit(.minutes(15)))
    func `after a second signal the daemon does not wait for a client that reads nothing`() throws {
        let daemon = try DaemonUnderTest()
        let client = try daemon.connect()
        let text = String(repeating: "x", count: 500_000)
        _ = try client.ask(#"{"id":1,"method":"set","params":{"path":"text","value":"\#(text)"}}"#)
        // More answers than the kernel's buffers take, for a client that reads only the first.
        for _ in 1...8 { try client.send(#"{"id":2,"method":"get","params":{"path":"text"}}"#) }
        #expect(try client.readLine() != nil)
        daemon.process.signal(SIGTERM)
        try daemon.process.readLine(containing: "ending", from: .errors)
        let ended = try daemon.stop(SIGINT)
        #expect(ended.status == .exited(128 + SIGINT))
        #expect(ended.errors.contains("a second time"))
    }

    @Test(.timeLimit(.minutes(15)))
    func `a daemon without standard streams opens nothing else under their numbers`() throws {
        let directory = try TemporaryDirectory()
        let daemon = "\(BuiltProducts.observed) --socket \(directory.path("o.sock")) --config none"
        let process = try ChildProcess("sh", ["-c", "exec \(daemon) <&- >&-"])
        try process.readLine(containing: "ready on", from: .errors)
        for number in 0...1 {
            let link = try ChildProcess.run("readlink", ["/proc/\(process.pid)/fd/\(number)"])
            #expect(link.output == "/dev/null\n")
        }
    }

    @Test(.timeLimit(.minutes(15)))
    func `SIGHUP and SIGPIPE do not end the daemon`() throws {
        let daemon = try DaemonUnderTest()
        daemon.process.signal(SIGHUP)
        try daemon.process.readLine(containing: "no configuration to read again", from: .errors)
        daemon.process.signal(SIGPIPE)
        #expect(try daemon.connect().ask(#"{"id":1,"method":"ping"}"#)?.contains(#""id":1"#) == true)
        #expect(try daemon.stop().status == .exited(0))
    }

    @Test(.timeLimit(.minutes(15)))
    func `the daemon logs to standard error`() throws {
        let daemon = try DaemonUnderTest()
        #expect(try daemon.stop() == Finished(status: .exited(0), output: "", errors: "observed: ending\n"))
    }

    @Test(.timeLimit(.minutes(15)))
    func `without --state and a home the daemon logs that nothing persists`() throws {
        let directory = try TemporaryDirectory()
        let arguments = ["--socket", directory.path("o.sock"), "--config", "none"]
        let process = try ChildProcess(BuiltProducts.observed, arguments, environment: ["HOME": ""])
        let sentence = "nothing persists: neither HOME nor XDG_STATE_HOME names a folder"
        try process.readLine(containing: sentence, from: .errors)
        try process.readLine(containing: "ready on", from: .errors)
    }

    // MARK: The socket

    @Test(.timeLimit(.minutes(15)))
    func `a second daemon leaves the first one alone`() throws {
        let first = try DaemonUnderTest()
        let second = try start(socket: first.socket)
        #expect(second == failure("another daemon is already running on \(first.socket)"))
        #expect(FileKind.of(first.socket) == .socket)
        #expect(try first.connect().ask(#"{"id":1,"method":"ping"}"#) != nil)
    }

    @Test(.timeLimit(.minutes(15)))
    func `the daemon leaves another program's datagram socket alone`() throws {
        let other = try NotifySocket()
        let sentence = "\(other.address) exists and is not a stream socket; it was left as it is"
        #expect(try start(socket: other.address) == failure(sentence))
        #expect(FileKind.of(other.address) == .socket)
    }

    @Test(.timeLimit(.minutes(15)))
    func `the daemon replaces a stale socket file`() throws {
        let directory = try TemporaryDirectory()
        let socket = directory.path("o.sock")
        let arguments = ["--socket", socket, "--config", "none"]
        let killed = try ChildProcess(BuiltProducts.observed, arguments)
        try killed.readLine(containing: "ready on", from: .errors)
        killed.signal(SIGKILL)
        #expect(try killed.wait() == .signalled(SIGKILL))
        #expect(FileKind.of(socket) == .socket)

        let next = try ChildProcess(BuiltProducts.observed, arguments)
        try next.readLine(containing: "ready on", from: .errors)
        #expect(try LineConnection(path: socket).ask(#"{"id":1,"method":"ping"}"#) != nil)
    }

    @Test(.timeLimit(.minutes(15)))
    func `the daemon leaves an ordinary file in the socket's place alone`() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write("precious", to: "o.sock")
        let sentence = "\(path) exists and is not a stream socket; it was left as it is"
        #expect(try start(socket: path) == failure(sentence))
        #expect(try readText(path) == "precious")
        #expect(FileKind.of(path) == .regular)
    }

    @Test(.timeLimit(.minutes(15)), arguments: [107, 108])
    func `a path may have 107 bytes`(bytes: Int) throws {
        let directory = try TemporaryDirectory()
        let path = directory.path(String(repeating: "s", count: bytes - directory.path("").utf8.count))
        #expect(path.utf8.count == bytes)
        guard bytes > 107 else {
            let process = try ChildProcess(BuiltProducts.observed, ["--socket", path, "--config", "none"])
            try process.readLine(containing: "ready on \(path)", from: .errors)
            return
        }
        let sentence = "the socket path \(path) is 108 bytes long; the limit is 107"
        #expect(try start(socket: path) == failure(sentence))
        #expect(FileKind.of(path) == nil)
    }

    @Test(.timeLimit(.minutes(15)))
    func `the daemon does not create a missing folder`() throws {
        let directory = try TemporaryDirectory()
        let folder = directory.path("gone")
        let socket = "\(folder)/o.sock"
        let sentence = "the folder \(folder) does not exist, so \(socket) cannot be made in it"
        #expect(try start(socket: socket) == failure(sentence))
        #expect(FileKind.of(folder) == nil)
    }

    @Test(.timeLimit(.minutes(15)))
    func `environment variables set the socket's path`() throws {
        let directory = try TemporaryDirectory()
        let named = ["OBSERVED_SOCKET": directory.path("named.sock"), "XDG_RUNTIME_DIR": directory.path]
        let runtime = ["XDG_RUNTIME_DIR": directory.path]
        for (variables, name) in [(named, "named.sock"), (runtime, "observed.sock")] {
            let arguments = ["--config", "none"]
            let process = try ChildProcess(BuiltProducts.observed, arguments, environment: variables)
            try process.readLine(containing: "ready on \(directory.path(name))", from: .errors)
        }
    }

    // MARK: The command line and the configuration

    @Test(.timeLimit(.minutes(15)))
    func `a wrong command line exits with status 2 and one sentence`() throws {
        let finished = try ChildProcess.run(BuiltProducts.observed, ["--sockets"])
        let errors =
            "observed: error: unknown option --sockets (did you mean --socket?); see observed --help\n"
        #expect(finished == Finished(status: .exited(2), output: "", errors: errors))
    }

    @Test(.timeLimit(.minutes(15)))
    func `help and version go to standard output`() throws {
        let help = try ChildProcess.run(BuiltProducts.observed, ["--help"])
        #expect(help.status == .exited(0))
        #expect(help.output.hasPrefix("Usage: observed"))
        #expect(help.errors == "")
        let version = try ChildProcess.run(BuiltProducts.observed, ["--version"])
        #expect(version.status == .exited(0))
        #expect(version.output.hasPrefix("observed "))
    }

    @Test(.timeLimit(.minutes(15)))
    func `the daemon reports all faults of a configuration and does not start`() throws {
        let directory = try TemporaryDirectory()
        let faulty = #"{"models":{"app":{"valu":1}},"limits":{"maxDepth":0}}"#
        let file = try directory.write(faulty, to: "c.json")
        let socket = directory.path("o.sock")
        let started = try ChildProcess.run(BuiltProducts.observed, ["--socket", socket, "--config", file])
        let checked = try ChildProcess.run(BuiltProducts.observed, ["--check-config", file])
        let errors = """
            observed: error: \(file): limits.maxDepth: expected an integer from 1 to 256, found 0
            observed: error: \(file): models.app.valu: unknown key, expected one of value, type
            observed: error: \(file): models.app.value: missing, expected the root's value

            """
        #expect(started == Finished(status: .exited(1), output: "", errors: errors))
        #expect(checked == started)
        #expect(FileKind.of(socket) == nil)
    }

    @Test(.timeLimit(.minutes(15)))
    func `a missing configuration file is a fault only if --config names it`() throws {
        let directory = try TemporaryDirectory()
        let missing = directory.path("c.json")
        let finished = try ChildProcess.run(BuiltProducts.observed, ["--config", missing])
        #expect(finished == failure("\(missing) does not exist"))
        let arguments = ["--socket", directory.path("o.sock")]
        let environment = ["XDG_CONFIG_HOME": directory.path("nothing")]
        let process = try ChildProcess(BuiltProducts.observed, arguments, environment: environment)
        try process.readLine(containing: "no configuration", from: .errors)
        try process.readLine(containing: "ready on", from: .errors)
    }

    @Test(.timeLimit(.minutes(15)))
    func `the daemon starts with the sample configuration`() throws {
        let sample = "\(BuiltProducts.package)/config/observed.json"
        let checked = try ChildProcess.run(BuiltProducts.observed, ["--check-config", sample])
        #expect(checked == Finished(status: .exited(0), output: "", errors: ""))
        let text = try readText(sample)
        // A user who wants to admit others, or other limits, says so.
        for name in ["access", "limits"] { #expect(try Value(json: text)[name] == nil) }
        let daemon = try DaemonUnderTest(configuration: text)
        let request = #"{"id":1,"method":"get","params":{"path":"library.nowPlaying.videoTitle"}}"#
        #expect(try daemon.connect().ask(request)?.contains(#""value":"Alien""#) == true)
    }

    @Test(.timeLimit(.minutes(15)))
    func `a handover from a pipe is refused, though nothing ends it`() throws {
        let check = try ChildProcess(BuiltProducts.observed, ["--config", "none", "--check-upgrade"])
        try check.readLine(containing: "standard input is not a regular file", from: .errors)
        #expect(try check.wait() == .exited(1))
    }

    // MARK: Helpers

    /// Runs a daemon that must not start.
    private func start(socket: String) throws -> Finished {
        try ChildProcess.run(
            BuiltProducts.observed,
            ["--socket", socket, "--config", "none", "--state", "none", "--log-level", "warning"]
        )
    }

    private func failure(_ sentence: String) -> Finished {
        Finished(status: .exited(1), output: "", errors: "observed: error: \(sentence)\n")
    }
}

extension DaemonTests {
    @Test(.timeLimit(.minutes(15)))
    func `a small limit of descriptors leaves enough for the daemon itself`() throws {
        let directory = try TemporaryDirectory()
        let socket = directory.path("o.sock")
        let file = try directory.write("{}", to: "observed.json")
        let process = try ChildProcess(
            "bash",
            [
                // The daemon inherits forty.
                "-c", #"ulimit -n 128; for n in {1..40}; do exec {number}</dev/null; done; exec "$0" "$@""#,
                BuiltProducts.observed, "--socket", socket, "--config", file, "--state",
                directory.path("state"),
            ]
        )
        try process.readLine(containing: "only 128 descriptors may be open", from: .errors)
        try process.readLine(containing: "ready on", from: .errors)
        let ping = #"{"id":1,"method":"ping"}"#
        var clients = [try LineConnection(path: socket)]
        let first = try Value(json: clients[0].ask(#"{"id":1,"method":"status"}"#) ?? "")
        let most = try #require(first["result"]?["limits"]?["maxConnections"]?["max"]?.int)
        while clients.count < most { clients.append(try LineConnection(path: socket)) }
        for client in clients { #expect(try client.ask(ping)?.contains(#""id":1"#) == true) }
        let others = try (0..<100).map { _ in try LineConnection(path: socket) }
        for other in others { #expect(try other.readLine()?.contains("tooManyConnections") == true) }
        _ = try directory.write(#"{"limits":{"maxConnections":100}}"#, to: "observed.json")
        process.signal(SIGHUP)
        try process.readLine(containing: "maxConnections is \(most) instead of 100", from: .errors)
        try process.readLine(containing: "the configuration was read again", from: .errors)
        let status = try clients[0].ask(#"{"id":1,"method":"status"}"#)
        #expect(status?.contains(#""maxConnections":{"max":\#(most),"used":\#(most)}"#) == true)
        let upgraded = try clients[0].ask(#"{"id":2,"method":"upgrade"}"#)
        #expect(upgraded?.contains(#""version":"#) == true, "\(upgraded ?? "")")
        try process.readLine(containing: "ready again", from: .errors)
    }

    @Test(.timeLimit(.minutes(15)), arguments: ["--config", "--check-config"])
    func `a configuration that others can write ends the start`(option: String) throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("{}", to: "observed.json")
        try #require(unsafe chmod(file, 0o666) == 0)
        let run = try ChildProcess.run(BuiltProducts.observed, [option, file])
        #expect(run.status == .exited(1))
        let expected = "\(file) is writable by others (mode 666): remove that, as chmod go-w does"
        #expect(run.errors == "observed: error: \(expected)\n")
    }
}
