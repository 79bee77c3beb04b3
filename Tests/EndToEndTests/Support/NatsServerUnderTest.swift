// SPDX-License-Identifier: MIT
// Starts a real `nats-server` with JetStream on a port that the system chooses. Independent of bridges.

import Glibc

/// A running server. After ``restart()`` it has the same port and the same streams.
final class NatsServerUnderTest {
    /// The installed program. The user's path may lack its folder.
    private static let program = try? ChildProcess.run(
        "sh",
        ["-c", #"PATH="$PATH:/usr/sbin:/usr/local/sbin"; command -v nats-server"#]
    ).output.split(separator: "\n").first.map(String.init)

    static var isInstalled: Bool { program != nil }

    private let directory: TemporaryDirectory
    private var process: ChildProcess
    let address: String

    /// - Parameters:
    ///   - options: further options of the server.
    ///   - configuration: the text of its configuration file, if it has one.
    init(_ options: [String] = [], configuration: String? = nil) throws {
        let directory = try TemporaryDirectory()
        var options = ["-p", "-1"] + options
        if let configuration { options += ["-c", try directory.write(configuration, to: "nats.conf")] }
        (process, address) = try NatsServerUnderTest.start(directory, options)
        self.directory = directory
    }

    private static func start(
        _ directory: TemporaryDirectory,
        _ options: [String],
        hasJetStream: Bool = true
    ) throws -> (ChildProcess, address: String) {
        let process = try start(
            (hasJetStream ? ["-js", "-sd", directory.path("streams")] : []) + ["-a", "127.0.0.1"] + options
        )
        let line = try process.readLine(containing: "Listening for client connections on ", from: .errors)
        try process.readLine(containing: "Server is ready", from: .errors)
        return (process, String(line.split(separator: " ").last ?? ""))
    }

    /// Starts a server with these arguments alone.
    static func start(_ arguments: [String]) throws -> ChildProcess {
        try ChildProcess(program ?? "nats-server", arguments)
    }

    func kill() throws {
        process.signal(SIGKILL)
        _ = try process.finish()
    }

    /// Starts again after ``kill()``.
    func restart(hasJetStream: Bool = true) throws {
        let port = address.split(separator: ":").last.map(String.init) ?? ""
        process = try NatsServerUnderTest.start(directory, ["-p", port], hasJetStream: hasJetStream).0
    }
}
