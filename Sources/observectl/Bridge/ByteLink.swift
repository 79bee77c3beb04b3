// SPDX-License-Identifier: MIT
// A connected socket with output that waits. Independent of the bytes on it.

import ObserveCore

/// One non-blocking connection.
final class ByteLink {
    private let socket: FileDescriptor
    private var unsent: [UInt8] = []
    private var sent = 0

    init(owning socket: consuming FileDescriptor) { self.socket = socket }

    /// What to wait for.
    var interest: (descriptor: Int32, events: PollEvents) {
        (socket.number, sent < unsent.count ? [.readable, .writable] : .readable)
    }

    var unsentBytes: Int { unsent.count - sent }

    func send(_ bytes: [UInt8]) {
        unsent += bytes
        flush()
    }

    /// Sends as much as the socket takes. An error shows at the next ``receive()``.
    func flush() {
        while sent < unsent.count {
            guard case .bytes(let count) = ByteIO.write(socket.number, unsent[sent...])
            else {
                break
            }
            sent += count
        }
        if sent == unsent.count {
            unsent = []
            sent = 0
        } else if sent > 1 << 20 {
            unsent.removeFirst(sent)
            sent = 0
        }
    }

    /// The bytes that have come; nil if there are none. The code is that of an end: zero without an error.
    func receive() -> (bytes: [UInt8], end: Int32?) {
        let (result, bytes) = ByteIO.read(socket.number, limitBytes: 1 << 18)
        switch result {
        case .bytes, .wouldBlock: return (bytes, nil)
        case .endOfInput: return ([], 0)
        case .failed(let code): return ([], code)
        }
    }
}
