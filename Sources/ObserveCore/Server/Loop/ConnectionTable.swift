// SPDX-License-Identifier: MIT
// The open connections of an event loop, by the tokens of their sockets. Independent of sockets.

/// Connections in slots. A token names a slot and the generation of its connection. So an event for a closed
/// connection does not reach the next one in its slot.
struct ConnectionTable: ~Copyable {
    /// Tokens below this one are the loop's own.
    private let firstToken: UInt64
    private var slots: [Connection?] = []
    private var freeSlots: [Int] = []
    private var lastGeneration: UInt64 = 0
    private(set) var count = 0
    var turns = TurnQueue()

    init(firstToken: UInt64) { self.firstToken = firstToken }

    var all: some Sequence<Connection> { slots.compactMap { $0 } }

    /// The token of the next connection.
    mutating func nextToken() -> UInt64 {
        lastGeneration += 1
        return lastGeneration << 32 | (UInt64(freeSlots.last ?? slots.count) + firstToken)
    }

    /// Adds a connection whose token is the last one from ``nextToken()``.
    mutating func add(_ connection: Connection) {
        if let slot = freeSlots.popLast() { slots[slot] = connection } else { slots.append(connection) }
        count += 1
    }

    mutating func remove(_ token: UInt64) {
        let slot = slot(token)
        slots[slot] = nil
        freeSlots.append(slot)
        count -= 1
    }

    /// The connection of that token, unless it is closed.
    subscript(token: UInt64) -> Connection? {
        let slot = slot(token)
        guard slot >= 0, slot < slots.count, let connection = slots[slot] else { return nil }
        return connection.session.token == token ? connection : nil
    }

    private func slot(_ token: UInt64) -> Int { Int(token & 0xFFFF_FFFF) - Int(firstToken) }
}
