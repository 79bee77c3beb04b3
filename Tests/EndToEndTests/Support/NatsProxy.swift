// SPDX-License-Identifier: MIT
// Stands between a bridge and a server, and does to the server's messages what a test orders. Independent of bridges.

import Dispatch
import Glibc
import ObserveCore
import Synchronization

/// A TCP proxy for one client at a time.
///
/// - Lifetime: freeing it ends its thread and its connections.
/// - Threading: any thread gives orders; the proxy follows them before it passes on the next message.
final class NatsProxy: Sendable {
    struct Orders {
        /// The most bytes that it sends at once.
        var pieceBytes = Int.max
        /// Whether it keeps the acknowledgements of puts.
        var keepsAcknowledgements = false
        /// Whether it replaces them by refusals, as of a put that expected another sequence.
        var refusesPuts = false
        /// How many days older the messages of a stream become.
        var ageDays = 0
        /// Whether each message of a stream says that more wait behind it. A server's own count may be wrong, too.
        var miscounts = false
        /// Whether it passes on nothing.
        var isSilent = false
        /// Bytes that it sends to the client, between two messages, once.
        var injection: [UInt8] = []
    }

    fileprivate final class Shared: Sendable {
        let orders = Mutex(Orders())
    }

    private let shared = Shared()
    private let wake: Int32
    let address: String

    /// - Parameter server: the address of the server; nil for none: it accepts clients, and says nothing.
    init(to server: String?) throws {
        ignoreBrokenPipes()
        let (listener, port) = try NatsProxy.listen()
        address = "127.0.0.1:\(port)"
        var ends: [Int32] = [-1, -1]
        guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
            throw ProcessError(description: "no pair of sockets: errno \(errno)")
        }
        wake = ends[0]
        let relay = NatsRelay(shared: shared, server: server, listener: listener, wake: ends[1])
        DispatchQueue(label: "proxy").async {
            var relay = relay
            relay.run()
        }
    }

    deinit { close(wake) }

    /// Gives orders, which hold from the next message on.
    func order(_ change: (inout Orders) -> Void) {
        shared.orders.withLock { change(&$0) }
        _ = ByteIO.writeAll(wake, [0])
    }

    /// A listening socket of this machine, on a port that the system chooses.
    private static func listen() throws -> (Int32, port: UInt16) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(descriptor, address, length) == 0 && Glibc.listen(descriptor, 8) == 0
                    && getsockname(descriptor, address, &length) == 0
            }
        }
        guard isListening else { throw ProcessError(description: "no listener: errno \(errno)") }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }
}

/// The thread of a proxy.
private struct NatsRelay: Sendable {
    let shared: NatsProxy.Shared
    let server: String?
    let listener: Int32
    let wake: Int32
    private var near: Int32 = -1
    private var far: Int32 = -1
    private var messages = NatsMessages()
    /// Acknowledgements that the client does not get yet.
    private var kept: [UInt8] = []

    init(shared: NatsProxy.Shared, server: String?, listener: Int32, wake: Int32) {
        (self.shared, self.server, self.listener, self.wake) = (shared, server, listener, wake)
    }

    mutating func run() {
        while true {
            let isSilent = shared.orders.withLock { $0.isSilent }
            var entries = [wake, listener, isSilent ? -1 : near, isSilent ? -1 : far].map(Deadline.entry)
            _ = Deadline(after: .seconds(3600)).waitForInput(&entries)
            if entries[0].revents != 0 {
                guard case .bytes = ByteIO.read(wake, limitBytes: 64).result else { break }
                obey()
            } else if entries[1].revents != 0 {
                accept()
            } else if entries[2].revents != 0 {
                passOn()
            } else if entries[3].revents != 0 {
                passBack()
            }
        }
        hangUp()
        close(listener)
        close(wake)
    }

    private mutating func obey() {
        let injection = shared.orders.withLock { orders in
            defer { orders.injection = [] }
            return orders.injection
        }
        if near >= 0, !injection.isEmpty { _ = ByteIO.writeAll(near, injection) }
        guard !kept.isEmpty, !shared.orders.withLock({ $0.keepsAcknowledgements }) else { return }
        _ = ByteIO.writeAll(near, kept)
        kept = []
    }

    private mutating func accept() {
        hangUp()
        near = Glibc.accept(listener, nil, nil)
        guard let server else { return }
        far = NatsMessages.connect(to: server)
        if far < 0 { hangUp() }
    }

    private mutating func hangUp() {
        if near >= 0 { close(near) }
        if far >= 0 { close(far) }
        (near, far, messages, kept) = (-1, -1, NatsMessages(), [])
    }

    private mutating func passOn() {
        let (result, bytes) = ByteIO.read(near, limitBytes: 65_536)
        guard case .bytes = result else { return hangUp() }
        if far >= 0 { send(bytes, to: far) }
    }

    private mutating func passBack() {
        let (result, bytes) = ByteIO.read(far, limitBytes: 65_536)
        guard case .bytes = result else { return hangUp() }
        messages.add(bytes)
        while let message = messages.next() {
            if message.isAcknowledgement, shared.orders.withLock({ $0.keepsAcknowledgements }) {
                kept += message.bytes
            } else if message.isAcknowledgement, shared.orders.withLock({ $0.refusesPuts }) {
                send(message.refusal, to: near)
            } else {
                let (days, miscounts) = shared.orders.withLock { ($0.ageDays, $0.miscounts) }
                send(message.bytes(olderByDays: days, miscounts: miscounts), to: near)
            }
        }
    }

    private func send(_ bytes: [UInt8], to descriptor: Int32) {
        let pieceBytes = shared.orders.withLock { $0.pieceBytes }
        var rest = bytes[...]
        while !rest.isEmpty {
            _ = ByteIO.writeAll(descriptor, Array(rest.prefix(pieceBytes)))
            rest = rest.dropFirst(pieceBytes)
        }
    }
}
