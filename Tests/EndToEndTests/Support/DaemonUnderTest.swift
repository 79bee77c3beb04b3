// SPDX-License-Identifier: MIT
// Starts a real `observed` on a socket in a new folder. Independent of its requests.

import Glibc
import ObserveCore
import Testing

/// A running daemon, ready for connections.
///
/// - Lifetime: freeing it kills it and removes its folder; ``stop(_:)`` ends it as a user would.
final class DaemonUnderTest {
    let directory: TemporaryDirectory
    let socket: String
    let process: ChildProcess

    /// Starts `observed` and waits until it logs that it is ready.
    ///
    /// - `configuration`: the text of a configuration file; nil for `--config none`.
    /// - `arguments`: further arguments.
    init(
        configuration: String? = nil,
        arguments: [String] = [],
        environment: [String: String] = [:]
    ) throws {
        let directory = try TemporaryDirectory()
        let socket = directory.path("observed.sock")
        self.directory = directory
        self.socket = socket
        let file = try configuration.map { try directory.write($0, to: "observed.json") }
        process = try ChildProcess(
            BuiltProducts.observed,
            ["--socket", socket, "--config", file ?? "none", "--state", "none"] + arguments,
            environment: environment
        )
        try process.readLine(containing: "ready on \(socket)", from: .errors)
    }

    /// Starts a new daemon in the folder of one that has ended.
    init(at former: DaemonUnderTest) throws {
        directory = former.directory
        socket = former.socket
        process = try ChildProcess(
            BuiltProducts.observed,
            ["--socket", socket, "--config", "none", "--state", "none"]
        )
        try process.readLine(containing: "ready on \(socket)", from: .errors)
    }

    /// Starts a daemon in a folder that it shares with earlier or later ones.
    ///
    /// - `sentences`: parts of its log before it is ready, in their order.
    init(
        in directory: TemporaryDirectory,
        _ arguments: [String],
        environment: [String: String] = [:],
        logging sentences: [String] = []
    ) throws {
        self.directory = directory
        socket = directory.path("observed.sock")
        process = try ChildProcess(
            BuiltProducts.observed,
            ["--socket", socket] + arguments,
            environment: environment
        )
        for sentence in sentences { try process.readLine(containing: sentence, from: .errors) }
        try process.readLine(containing: "ready on \(socket)", from: .errors)
    }

    /// A new connection to it.
    func connect() throws -> LineConnection { try LineConnection(path: socket) }

    /// Ends it with a signal. Returns its status and its last output.
    func stop(_ number: Int32 = SIGTERM) throws -> Finished {
        process.signal(number)
        return try process.finish()
    }

    /// Runs `observectl` on its socket until it ends.
    func observectl(
        _ arguments: String...,
        input: String? = nil
    ) throws -> Finished {
        try observectl(arguments, input: input)
    }

    func observectl(_ arguments: [String], input: String? = nil) throws -> Finished {
        try ChildProcess.run(BuiltProducts.observectl, ["--socket", socket] + arguments, input: input)
    }

    /// Starts a bridge of its bucket `home`.
    func bridge(
        _ server: NatsServerUnderTest,
        _ arguments: String...,
        variables: [String: String] = [:]
    ) throws -> ChildProcess {
        try ChildProcess(
            BuiltProducts.observectl,
            ["--socket", socket, "bridge", "--nats", server.address, "--bucket", "home"] + arguments,
            environment: variables
        )
    }

    func value(_ path: String) throws -> Value { try Value(json: observectl("get", path).output) }

    /// Waits until the condition holds.
    func wait(_ condition: String...) throws {
        let run = try observectl(["--timeout", "60", "wait"] + condition)
        #expect(run.status == .exited(0), "\(condition): \(run.errors)")
    }
}
