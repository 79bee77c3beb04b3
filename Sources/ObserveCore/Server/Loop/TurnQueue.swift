// SPDX-License-Identifier: MIT
// Who has the next turn. Independent of the turns' work.

/// The connections with more requests than they could execute in their turn, and where a round of turns stopped.
struct TurnQueue {
    /// The tokens of the connections that wait, each once, the first to be served first.
    private var waiting: [UInt64] = []
    /// The place in the ready descriptors at which the next round begins.
    private var firstReady = 0
    /// Whether output was left for the next round.
    var hasUnsent = false
    /// Whether those that used up their last turns wait until that output is sent: they would add to it faster than it leaves.
    private(set) var isHeld = false
    private var heldRounds = 0
    /// Whether the last round took about as long as two.
    var isSlow = false
    /// Whether the turns of the last round were put off.
    private var wasPutOff = false
    /// After so many rounds, about 40 ms, they have a turn in any case: others may add output all the time.
    static let mostHeldRounds = 8
    /// Those whose last turns sent so many events wait likewise: a write to each reader costs more than a longer write.
    static let manyEvents: UInt64 = 1000
    /// But they wait for so many rounds only, about 15 ms.
    static let mostRoundsOfFeeders = 3

    /// Whether the loop has work although no descriptor is ready.
    var hasWork: Bool { !waiting.isEmpty || hasUnsent }

    mutating func beginRound() {
        isHeld = hasUnsent && heldRounds < TurnQueue.mostHeldRounds
        heldRounds = isHeld ? heldRounds + 1 : 0
    }

    /// Whether those that wait have their turns now. Once what was read has taken as long as two rounds, the loop first looks at
    /// the sockets again, but not twice in a row.
    mutating func mayBegin(afterSlowReading isSlow: Bool) -> Bool {
        wasPutOff = isSlow && !wasPutOff
        return !wasPutOff
    }

    /// Whether a client has no turn in this round.
    /// - Parameters:
    ///   - usesAll: whether it used up its last turn.
    ///   - feedsMany: whether it sent ``manyEvents`` in its last turn.
    func holds(_ usesAll: Bool, feedsMany: Bool) -> Bool {
        isHeld && (usesAll || feedsMany && heldRounds <= TurnQueue.mostRoundsOfFeeders)
    }

    mutating func wait(_ token: UInt64) { waiting.append(token) }

    mutating func popAll() -> [UInt64] {
        let tokens = waiting
        waiting.removeAll(keepingCapacity: true)
        return tokens
    }

    /// Lets these wait on, before those that began to wait later.
    mutating func postpone(_ tokens: some Collection<UInt64>) { waiting.insert(contentsOf: tokens, at: 0) }

    /// The ready descriptor that comes first. The kernel lists those that were not read at the same places again.
    mutating func popFirstReady(of count: Int) -> Int {
        defer { firstReady = 0 }
        return firstReady < count ? firstReady : 0
    }

    mutating func stopRound(before index: Int) { firstReady = index }
}
