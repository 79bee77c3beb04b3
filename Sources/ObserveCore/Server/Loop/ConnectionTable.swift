// SPDX-License-Identifier: MIT
// Sessions with their sockets, by tokens. Independent of the contents of their lines.

@safe final class Connection {
    let session: Session
    var descriptor: FileDescriptor
    var interest: EpollEvents = .readable
    var pending = Pending.nothing
    /// The client used up its last turn, or has had none. When a round is over, only the others still have turns.
    var hasUsedUpTurn = true
    /// The client's last turn sent events to many: see ``TurnQueue/holds(_:feedsMany:)``.
    var feedsMany = false
    /// The client has shut down its writing side. Its socket then stays readable for ever, so the loop stops asking.
    var hasSeenEnd = false
    var isClosed = false

    /// Why the loop reads no request: others that it has read are still to be executed.
    enum Pending {
        case nothing
        /// The client's turn is over, and these have the next one.
        case turn
        /// Too many answers wait, until the client has read some.
        case reader
    }

    init(session: Session, descriptor: consuming FileDescriptor) {
        self.session = session
        self.descriptor = descriptor
    }

    var number: Int32 { descriptor.number }

    var hasRequests: Bool { pending != .nothing }

    var wantsInput: Bool { !hasRequests && !hasSeenEnd && session.delivery.closing == nil }
}

/// Connections in slots. A token names a slot and a generation, so an event for a closed connection does not reach the next one.
struct ConnectionTable: ~Copyable {
    /// Tokens below this one are the loop's own.
    private let firstToken: UInt64
    private var slots: [Connection?] = []
    private var freeSlots: [Int] = []
    private var lastGeneration: UInt64 = 0
    var turns = TurnQueue()

    init(firstToken: UInt64) { self.firstToken = firstToken }

    var count: Int { slots.count - freeSlots.count }
    var all: some Sequence<Connection> { slots.compactMap { $0 } }

    mutating func nextToken() -> UInt64 {
        lastGeneration += 1
        return lastGeneration << 32 | (UInt64(freeSlots.last ?? slots.count) + firstToken)
    }

    /// Adds a connection whose token is the last one from ``nextToken()``.
    mutating func add(_ connection: Connection) {
        if let slot = freeSlots.popLast() { slots[slot] = connection } else { slots.append(connection) }
    }

    mutating func remove(_ token: UInt64) {
        let slot = slot(token)
        slots[slot] = nil
        freeSlots.append(slot)
    }

    subscript(token: UInt64) -> Connection? {
        let slot = slot(token)
        guard slot >= 0, slot < slots.count, let connection = slots[slot] else { return nil }
        return connection.session.token == token ? connection : nil
    }

    private func slot(_ token: UInt64) -> Int { Int(token & 0xFFFF_FFFF) - Int(firstToken) }
}
