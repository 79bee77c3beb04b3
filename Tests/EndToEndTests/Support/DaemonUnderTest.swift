// SPDX-License-Identifier: MIT
// A real `observed` on a socket in a fresh folder. Does not know what is asked of it.

import Glibc

/// The daemon as its users run it, ready for connections.
///
/// - Lifetime: freeing it kills it and removes its folder; ``stop(_:)`` ends it as its users would.
final class DaemonUnderTest {
    let directory: TemporaryDirectory
    let socket: String
    let process: ChildProcess

    /// Starts `observed` and waits until it says that it is ready.
    ///
    /// - `configuration`: the text of a configuration file; nil for `--config none`.
    /// - `arguments`: more of them.
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

    /// Starts another where one was that has ended.
    init(at former: DaemonUnderTest) throws {
        directory = former.directory
        socket = former.socket
        process = try ChildProcess(
            BuiltProducts.observed,
            ["--socket", socket, "--config", "none", "--state", "none"]
        )
        try process.readLine(containing: "ready on \(socket)", from: .errors)
    }

    /// Starts one in a folder that others have used, or will.
    init(in directory: TemporaryDirectory, _ arguments: [String], environment: [String: String] = [:]) throws
    {
        self.directory = directory
        socket = directory.path("observed.sock")
        process = try ChildProcess(
            BuiltProducts.observed,
            ["--socket", socket] + arguments,
            environment: environment
        )
        try process.readLine(containing: "ready on \(socket)", from: .errors)
    }

    /// A new connection to it.
    func connect() throws -> LineConnection { try LineConnection(path: socket) }

    /// Ends it with a signal, and returns how it ended and what it still said.
    func stop(_ number: Int32 = SIGTERM) throws -> Finished {
        process.signal(number)
        return try process.finish()
    }

    /// Runs `observectl` on its socket to the end.
    func observectl(
        _ arguments: String...,
        input: String? = nil
    ) throws -> Finished {
        try ChildProcess.run(BuiltProducts.observectl, ["--socket", socket] + arguments, input: input)
    }
}
