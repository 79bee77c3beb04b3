// SPDX-License-Identifier: MIT
// A client's side of the protocol: requests to bytes, bytes to messages. Knows no socket, and never waits.

/// One connection's conversation. Whoever owns it moves the bytes: a blocking loop today, a queue or a task another day.
///
/// - Bounds: a line of the daemon's holds at most `limitBytes`.
/// - Errors: what is no message of the contract ends the conversation: ``failure`` says so, and nothing more comes out.
/// - Threading: a plain value; its owner is its only user.
/// - Order: messages come out in the order in which the daemon sent them.
/// - Cost: each line is validated once, and copied once for what a message keeps of it.
package struct ClientSession {
    /// Far above any rendering that a daemon sends unless its limits were raised very high.
    package static let defaultLimitBytes = 256 << 20

    private var reader: LineReader
    private var lastID: Int64 = 0
    /// Why nothing more will come; nil while the conversation goes on.
    package private(set) var failure: ClientError?

    package init(limitBytes: Int = defaultLimitBytes) {
        reader = LineReader(limitBytes: limitBytes)
    }

    /// A request's number and its line, line feed included. Numbers are counted from 1.
    package mutating func request(_ method: String, _ params: RequestParams = [:]) -> (
        id: Int64, line: [UInt8]
    ) {
        lastID += 1
        let line = ByteBuffer()
        line.append("{\"jsonrpc\":\"2.0\",\"id\":")
        line.append(decimal: lastID)
        line.append(",\"method\":")
        line.appendJSONString(utf8: method)
        if !params.isEmpty {
            line.append(",\"params\":")
            params.write(to: line)
        }
        line.append("}\n")
        return (lastID, line.array)
    }

    /// The messages that `bytes` complete.
    package mutating func receive(_ bytes: [UInt8]) -> [ClientMessage] {
        var messages: [ClientMessage] = []
        var failure = failure
        guard failure == nil else { return [] }
        let limit = reader.limitBytes
        ByteView.with(bytes) { view in
            _ = reader.read(view) { step in
                do throws(ClientError) {
                    guard case .line(let line) = step else {
                        throw .malformed("a line of more than \(limit) bytes")
                    }
                    if !line.isBlank { messages.append(try ClientMessage(line: line)) }
                } catch {
                    failure = error
                }
                return failure == nil
            }
        }
        self.failure = failure
        return messages
    }

    /// The input is over, or broke with that `errno`. An unterminated last line counts as a line if it is a whole
    /// message; what a dying daemon left half written does not.
    package mutating func receiveEnd(code: Int32 = 0) -> [ClientMessage] {
        guard failure == nil else { return [] }
        failure = .connectionLost(code: code)
        var messages: [ClientMessage] = []
        reader.readLast { step in
            guard case .line(let line) = step, let last = try? ClientMessage(line: line) else { return true }
            messages.append(last)
            return true
        }
        return messages
    }
}

private extension ByteView {
    /// Whether there is nothing in the line but whitespace, a carriage return for instance.
    var isBlank: Bool {
        for index in 0..<count where self[index] > 0x20 { return false }
        return true
    }
}
