// SPDX-License-Identifier: MIT
// One run of one command: its arguments, the streams, the daemon. Does not know which command it is.

import ObserveCore

/// What a command works with.
struct Invocation {
    let arguments: ParsedArguments
    let tool: CommandLineTool
    /// When to give up; counted from the start, connecting included.
    let deadline: MonotonicTime?

    var operands: [String] { arguments.operands }
    var streams: StandardStreams { tool.streams }

    func operand(_ index: Int) -> RawJSON { RawJSON(.string(operands[index])) }

    func connect() throws(CommandError) -> ClientConnection {
        try attempt { () throws(ClientError) in try ClientConnection(path: socketPath(), until: deadline) }
    }

    private func socketPath() throws(ClientError) -> String {
        do throws(SocketError) {
            return try SocketPath.resolve(
                option: arguments.options["--socket"],
                environment: tool.environment,
                uid: tool.uid,
                makesFolder: false
            )
        } catch {
            throw .unreachable(error)
        }
    }

    /// Connects, asks once, and returns what the daemon answers.
    @discardableResult
    func request(_ method: String, _ params: RequestParams = [:]) throws(CommandError) -> RawJSON {
        let connection = try connect()
        return try attempt { () throws(ClientError) in
            try connection.call(method, params, until: deadline)
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

/// Makes what the client says an error of the command.
func attempt<R>(_ body: () throws(ClientError) -> R) throws(CommandError) -> R {
    do throws(ClientError) {
        return try body()
    } catch {
        throw .client(error)
    }
}

extension RawJSON {
    /// The member that the contract promises.
    func required(_ name: String) throws(CommandError) -> RawJSON {
        guard let member = member(name) else {
            throw .client(.malformed("an answer without \(name)"))
        }
        return member
    }

    func requiredInt(_ name: String) throws(CommandError) -> Int64 {
        guard let int = (try? required(name).value())?.int else {
            throw .client(.malformed("an answer without a number \(name)"))
        }
        return int
    }
}
