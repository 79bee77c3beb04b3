// SPDX-License-Identifier: MIT
// Turns: the hub stops between two requests of a client that has had its share. Independent of sockets.

extension Hub {
    func beginTurn() { sessions.turns.beginTurn() }
    func endTurn() { sessions.turns.endTurn() }
    func beginRound() { sessions.turns.beginRound() }

    /// Whether the present client has had its share, so that the hub executes no further request of it now.
    @inline(__always)
    var isTurnOver: Bool { sessions.turns.isTurnOver }

    /// Whether it is time to look at the sockets again.
    var isRoundOver: Bool { sessions.turns.isRoundOver }

    /// Whether as much was done again since then.
    var isSecondRoundOver: Bool { sessions.turns.isSecondRoundOver }

    /// Counts the work of a request on the general path: its text, its answer, and what the tree did.
    ///
    /// - Parameters:
    ///   - answerCount: the length of its answer.
    ///   - before: ``TreeReader/work`` before the request.
    func countWork(of line: ByteView, _ answerCount: Int, since before: UInt64) {
        sessions.turns.count(Turns.request + line.count >> 4 + max(0, answerCount) >> 4)
        sessions.turns.count(tree.reader.work &- before)
    }
}
