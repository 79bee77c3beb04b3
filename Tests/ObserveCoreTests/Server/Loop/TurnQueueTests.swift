// SPDX-License-Identifier: MIT
// Who has the next turn, and who waits until output has been sent.

import Testing

@testable import ObserveCore

@Suite struct TurnQueueTests {
    @Test func `turns are held while output is unsent, and not for ever`() {
        var turns = TurnQueue()
        turns.beginRound()
        #expect(!turns.isHeld)
        turns.hasUnsent = true
        for round in 1...3 * (TurnQueue.mostHeldRounds + 1) {
            turns.beginRound()
            #expect(turns.isHeld == !round.isMultiple(of: TurnQueue.mostHeldRounds + 1), "round \(round)")
        }
        turns.beginRound()
        #expect(turns.isHeld && turns.hasWork)
        turns.hasUnsent = false
        turns.beginRound()
        #expect(!turns.isHeld && !turns.hasWork)
    }

    @Test func `clients that feed many are held for fewer rounds, others not at all`() {
        var turns = TurnQueue()
        turns.beginRound()
        #expect(!turns.holds(true, feedsMany: true))
        turns.hasUnsent = true
        for round in 1...TurnQueue.mostHeldRounds {
            turns.beginRound()
            #expect(
                turns.holds(true, feedsMany: false) && !turns.holds(false, feedsMany: false),
                "round \(round)"
            )
            #expect(
                turns.holds(false, feedsMany: true) == (round <= TurnQueue.mostRoundsOfFeeders),
                "round \(round)"
            )
        }
    }

    @Test func `turns are put off after slow reading, but not twice in a row`() {
        var turns = TurnQueue()
        let begins = [true, true, true, false, true, true].map { turns.mayBegin(afterSlowReading: $0) }
        #expect(begins == [false, true, false, true, false, true])
    }

    @Test func `those that wait keep their order`() {
        var turns = TurnQueue()
        for token in [3, 1, 2] as [UInt64] { turns.wait(token) }
        let tokens = turns.popAll()
        #expect(tokens == [3, 1, 2] && !turns.hasWork)
        turns.wait(4)
        turns.postpone(tokens[1...])
        #expect(turns.popAll() == [1, 2, 4])
    }
}
