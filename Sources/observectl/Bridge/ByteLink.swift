// SPDX-License-Identifier: MIT
// A connected socket with output that waits. Independent of the bytes on it.

import ObserveCore

final class ByteLink {
    private let socket: FileDescriptor
    /// ``flush()`` sends them.
    let unsent = ByteBuffer()

    init(owning socket: consuming FileDescriptor) { self.socket = socket }

    /// What to wait for.
    var interest: (descriptor: Int32, events: PollEvents) {
        (socket.number, unsent.isEmpty ? .readable : [.readable, .writable])
    }

    func send(_ bytes: [UInt8]) {
        unsent.append(contentsOf: bytes)
        flush()
    }

    /// Sends as much as the socket takes. An error shows at the next ``receive()``.
    func flush() { while !unsent.isEmpty, case .bytes = unsent.send(to: socket.number) {} }

    /// The bytes that have come.
    func receive() -> (result: ReadResult, bytes: [UInt8]) { ByteIO.read(socket.number, limitBytes: 1 << 18) }
}
