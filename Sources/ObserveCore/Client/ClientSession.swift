// SPDX-License-Identifier: MIT
// The client's side of the protocol: requests to bytes, bytes to messages. Independent of sockets; never waits.

/// The state of one connection. Its owner moves the bytes.
/// - Bounds: a line of the daemon has at most `limitBytes`.
/// - Errors: a line that is not a message sets ``failure``; no messages follow.
/// - Threading: confined to its owner; a copy would share its buffer.
/// - Order: messages come in the daemon's order.
/// - Cost: validates each line once, and copies the parts that a message keeps.
package struct ClientSession {
    private var reader: LineReader
    private var lastID: Int64 = 0
    /// The error that ended the connection; nil while it is usable.
    package private(set) var failure: ClientError?

    /// - Parameter limitBytes: by default far above the daemon's own default limits for a line.
    package init(limitBytes: Int = 256 << 20) { reader = LineReader(limitBytes: limitBytes) }

    /// Returns a request's number, from 1, and its line with a line feed.
    package mutating func request(_ method: String, _ params: RequestParams = [:]) -> (
        id: Int64, line: [UInt8]
    ) {
        lastID += 1
        let line = ByteBuffer()
        line.append("{\"jsonrpc\":\"2.0\",\"id\":", lastID)
        line.append(",\"method\":", method)
        if !params.isEmpty {
            line.append(",\"params\":")
            params.write(to: line)
        }
        line.append("}\n")
        return (lastID, line.array)
    }

    package mutating func receive(_ bytes: [UInt8]) -> [ClientMessage] {
        var messages: [ClientMessage] = []
        var failure = failure
        guard failure == nil else { return [] }
        let limit = reader.limitBytes
        ByteView.with(bytes) { view in
            _ = reader.read(view) { step in
                do throws(ClientError) {
                    guard case .line(let line) = step
                    else { throw .malformed("a line of more than \(limit) bytes") }
                    if !line.isBlank { messages.append(try ClientMessage(line: line)) }
                } catch { failure = error }
                return failure == nil
            }
        }
        self.failure = failure
        return messages
    }

    package mutating func receive(_ read: (result: ReadResult, bytes: [UInt8])) -> [ClientMessage] {
        read.result.end.map { receiveEnd(code: $0) } ?? receive(read.bytes)
    }

    /// Handles the end of input, or a read error with that `errno`. Returns a complete message in an unterminated last line.
    package mutating func receiveEnd(code: Int32 = 0) -> [ClientMessage] {
        guard failure == nil else { return [] }
        reader.endLine()
        let messages = receive([])
        failure = .connectionLost(code: code)
        return messages
    }
}

private extension ByteView {
    /// Whether the line has only whitespace, for example a carriage return.
    var isBlank: Bool {
        for index in 0..<count where self[index] > 0x20 { return false }
        return true
    }
}
