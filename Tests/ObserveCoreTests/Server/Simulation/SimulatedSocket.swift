// SPDX-License-Identifier: MIT
// The bytes between one client and the server, in both directions. Independent of their contents.

@testable import ObserveCore

/// A connected socket: two queues of bytes, of which the server's output has a limit.
final class SimulatedSocket {
    let peer: PeerCredentials
    /// How many bytes may wait for the client.
    var capacity: Int
    var toServer: [UInt8] = []
    private(set) var toClient: [UInt8] = []
    /// What the server's loop waits for.
    var interest: EpollEvents = []
    /// The client sends no more.
    private(set) var hasEnded = false
    /// The client has closed its end.
    private(set) var isClientGone = false
    /// The client closed its end with unread bytes.
    private(set) var isReset = false
    /// The server has closed its end, or is dead.
    private(set) var isServerGone = false
    /// What must have come before the server closed its end.
    var owes = Owed.nothing

    enum Owed {
        case nothing
        case goodbye
        /// An answer to each request.
        case answers
    }

    init(_ peer: PeerCredentials, capacity: Int) {
        self.peer = peer
        self.capacity = capacity
    }

    var room: Int { capacity - toClient.count }

    /// The kinds of readiness that the server's loop is to learn of.
    var readiness: EpollEvents {
        var flags: EpollEvents = []
        if !toServer.isEmpty || hasEnded || isClientGone { flags.insert(.readable) }
        if room > 0 || isClientGone { flags.insert(.writable) }
        flags.formIntersection(interest)
        if isClientGone { flags.insert(.hangUp) }
        if isReset { flags.insert(.error) }
        return flags
    }

    // MARK: The server's end

    func receive(atMost count: Int) -> ArraySlice<UInt8> {
        let bytes = toServer.prefix(count)
        toServer.removeFirst(bytes.count)
        return bytes
    }

    func send(_ bytes: [UInt8]) { toClient += bytes }

    func closeServer() {
        isServerGone = true
        toServer = []
    }

    // MARK: The client's end

    /// The first bytes that wait for the client.
    func take(atMost count: Int) -> [UInt8] {
        let bytes = Array(toClient.prefix(count))
        toClient.removeFirst(bytes.count)
        return bytes
    }

    func endInput() { hasEnded = true }

    func vanish() {
        isReset = !toClient.isEmpty
        isClientGone = true
        toClient = []
    }
}
