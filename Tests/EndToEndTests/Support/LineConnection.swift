// SPDX-License-Identifier: MIT
// A connection that sends and reads lines. Independent of JSON and of the product's own client.

import Glibc
import ObserveCore

/// A client as simple as `nc -U`.
final class LineConnection {
    private var socket: FileDescriptor
    private var received: [UInt8] = []

    init(path: String) throws {
        ignoreBrokenPipes()
        socket = try UnixSocket.connect(path: path)
    }

    func send(_ line: String) throws { try send(bytes: Array("\(line)\n".utf8)) }

    func send(bytes: [UInt8]) throws {
        let code = ByteIO.writeAll(socket.number, bytes)
        guard code == 0 else { throw ProcessError(description: "the daemon took no bytes: errno \(code)") }
    }

    /// Closes the sending side; the connection can still read.
    func finishSending() { _ = shutdown(socket.number, Int32(SHUT_WR)) }

    /// Closes the connection.
    func close() { socket.close() }

    /// The next line without its line feed, or nil when the daemon has closed.
    func readLine(within limit: Duration = ChildProcess.patience) throws -> String? {
        let deadline = Deadline(after: limit)
        while true {
            if let end = received.firstIndex(of: 0x0A) {
                defer { received.removeFirst(end + 1) }
                return String(decoding: received[..<end], as: UTF8.self)
            }
            var entries = [Deadline.entry(socket.number)]
            guard deadline.waitForInput(&entries) else {
                throw ProcessError(description: "no line came from the daemon in time")
            }
            let piece = ByteIO.read(socket.number, limitBytes: 65_536)
            guard case .bytes = piece.result else {
                guard received.isEmpty else { throw ProcessError(description: "the last line was cut off") }
                return nil
            }
            received += piece.bytes
        }
    }

    /// Sends a transcript's requests, and passes each line that it shows with the daemon's line.
    func replay(_ transcript: Block, _ check: (_ shown: String, _ said: String) -> Void) throws {
        for line in transcript.lines {
            if line.hasPrefix("> ") {
                try send(String(line.dropFirst(2)))
            } else {
                check(line, try readLine() ?? "nothing")
            }
        }
    }

    /// Sends a line and reads the next.
    func ask(_ line: String) throws -> String? {
        try send(line)
        return try readLine()
    }
}
