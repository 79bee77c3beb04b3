// SPDX-License-Identifier: MIT
// One run of one command: its arguments, its process, the daemon. Independent of the command.

import ObserveCore

/// The arguments of a run, and the means to execute it.
struct Invocation {
    let arguments: ParsedArguments
    let process: ToolProcess
    /// The time at which the run times out. Connecting counts too.
    let deadline: MonotonicTime?

    var operands: [String] { arguments.operands }
    var streams: StandardStreams { process.streams }

    func operand(_ index: Int) -> RawJSON { RawJSON(.string(operands[index])) }

    func connect() throws(CommandError) -> ClientConnection {
        try attempt { () throws(ClientError) in try connect(until: deadline) }
    }

    /// Connects to the daemon, and gives up at a time of its own.
    func connect(until deadline: MonotonicTime?) throws(ClientError) -> ClientConnection {
        try ClientConnection(path: socketPath(), until: deadline)
    }

    private func socketPath() throws(ClientError) -> String {
        do throws(SocketError) {
            return try SocketPath.resolve(
                option: arguments.options["--socket"],
                environment: process.environment,
                uid: process.uid,
                makesFolder: false
            )
        } catch {
            throw .unreachable(error)
        }
    }

    /// Connects, sends one request, and returns the result. If the daemon is being upgraded, it has not executed the
    /// request, and the next one gets it.
    @discardableResult
    func request(_ method: String, _ params: RequestParams = [:]) throws(CommandError) -> RawJSON {
        while true {
            let connection = try connect()
            do throws(ClientError) { return try connection.call(method, params, until: deadline) } catch {
                guard CommandError.client(error).isUpgrade else { throw .client(error) }
            }
        }
    }

    /// All of standard input.
    func input(limitBytes: Int = 64 << 20) throws(CommandError) -> [UInt8] {
        let bytes: [UInt8]?
        do throws(SocketError) {
            bytes = try streams.readInput(limitBytes: limitBytes, until: deadline)
        } catch {
            throw .input(error)
        }
        guard let bytes else { throw .client(.timedOut) }
        return bytes
    }

    /// Writes a line to standard output, at once.
    func print(_ line: [UInt8]) throws(CommandError) { try write(line + [0x0A]) }

    /// Writes bytes to standard output, at once.
    func write(_ bytes: [UInt8]) throws(CommandError) {
        let outcome = streams.write(bytes, until: deadline)
        guard outcome == .done else { throw .output(outcome) }
    }
}

/// Converts an error of the client to one of the command.
func attempt<R>(_ body: () throws(ClientError) -> R) throws(CommandError) -> R {
    do throws(ClientError) {
        return try body()
    } catch {
        throw .client(error)
    }
}

extension RawJSON {
    /// A member that the protocol promises: see "Methods" in docs/protocol.md.
    func required(_ name: String) throws(CommandError) -> RawJSON {
        guard let member = member(name) else {
            throw .client(.malformed("an answer without \(name)"))
        }
        return member
    }
}
