// SPDX-License-Identifier: MIT
// A connection that sends and reads lines. Knows nothing of JSON, and nothing of the product's own client.

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

    /// Says that nothing more will be sent; what comes can still be read.
    func finishSending() { _ = shutdown(socket.number, Int32(SHUT_WR)) }

    /// Goes without a word.
    func close() { socket.close() }

    /// The next line without its line feed, or nil when the daemon has closed.
    func readLine(within limit: Duration = ChildProcess.patience) throws -> String? {
        let deadline = ContinuousClock.now + limit
        while true {
            if let end = received.firstIndex(of: 0x0A) {
                defer { received.removeFirst(end + 1) }
                return String(decoding: received[..<end], as: UTF8.self)
            }
            try waitForBytes(until: deadline)
            let piece = ByteIO.read(socket.number, limitBytes: 65_536)
            guard case .bytes = piece.result else {
                guard received.isEmpty else { throw ProcessError(description: "the last line was cut off") }
                return nil
            }
            received += piece.bytes
        }
    }

    /// Sends a line and reads the next.
    func ask(_ line: String) throws -> String? {
        try send(line)
        return try readLine()
    }

    private func waitForBytes(until deadline: ContinuousClock.Instant) throws {
        let left = max(ContinuousClock.now.duration(to: deadline), .zero)
        let milliseconds = Int32(left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000)
        var entry = pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0)
        var ready = Int32(-1)
        repeat { ready = unsafe poll(&entry, 1, milliseconds) } while ready < 0 && errno == EINTR
        guard ready > 0 else { throw ProcessError(description: "no line came from the daemon in time") }
    }
}
