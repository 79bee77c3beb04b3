// SPDX-License-Identifier: MIT
// One connection of the load generator: lines out, counted lines in. Independent of their contents.

import ObserveCore

final class LoadConnection {
    private let link: ByteLink
    let number: Int32
    private(set) var lines = 0
    private(set) var firstError: String?
    private(set) var hasEnded = false

    init(path: String) throws(SocketError) {
        let socket = try UnixSocket.connect(path: path, timeoutMilliseconds: 5000)
        try socket.setNonBlocking(true)
        number = socket.number
        link = ByteLink(owning: socket)
    }

    var wantsToWrite: Bool { !link.unsent.isEmpty }

    /// The process at the other end; nil if the system does not say.
    var peer: Int32? { try? UnixSocket.peerCredentials(number).pid }

    /// Appends lines with `body`; ``flush()`` sends them.
    func write(_ body: (ByteBuffer) -> Void) { body(link.unsent) }

    func write(_ line: String) { link.unsent.append(utf8: "\(line)\n") }

    func flush() { link.flush() }

    /// Reads the bytes that have arrived, as far as they fit into `buffer`, and counts their lines.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        switch unsafe ByteIO.read(number, into: buffer) {
        case .bytes(let count):
            return unsafe countLines(in: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        case .wouldBlock: break
        case .endOfInput, .failed: hasEnded = true
        }
        return 0
    }

    private func countLines(in bytes: UnsafeRawBufferPointer) -> Int {
        var found = 0
        for index in bytes.indices { found &+= unsafe bytes[index] == 0x0A ? 1 : 0 }
        // A wrong request is among the first, so only the first lines are searched.
        if lines < 64, firstError == nil { unsafe noteError(bytes) }
        lines += found
        return found
    }

    private func noteError(_ bytes: UnsafeRawBufferPointer) {
        let text = unsafe String(decoding: bytes.prefix(4096), as: UTF8.self)
        firstError = text.split(separator: "\n").first { $0.hasPrefix("{") && $0.contains(#""error":{"#) }
            .map { (try? RawJSON(validating: $0.bytes))?.member("error")?.string("message") ?? String($0) }
    }
}
