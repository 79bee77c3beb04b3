// SPDX-License-Identifier: MIT
// Turns: the server stops between two requests of a client that has had its share. Independent of sockets.

extension ClientSessions {
    func beginTurn() {
        countTreeWork()
        sessions.turns.beginTurn()
    }

    func endTurn() { sessions.turns.endTurn() }
    func beginRound() { sessions.turns.beginRound() }

    /// Whether the present client has had its share, so that the server executes no further request of it now.
    @inline(__always) var isTurnOver: Bool { sessions.turns.isTurnOver }

    /// Whether it is time to look at the sockets again.
    var hasRoundEnded: Bool { sessions.turns.hasRoundEnded }

    /// Whether as much was done again since then.
    var hasSecondRoundEnded: Bool { sessions.turns.hasSecondRoundEnded }

    /// A request on the general path: its text, its answer, and what the tree did.
    func countWork(of line: ByteView, _ answerCount: Int) {
        count(work: Cost.request + line.count >> 4 + max(0, answerCount) >> 4)
        countTreeWork()
    }

    /// Counts work of the present client, in the units of ``Cost``.
    @inline(__always) func count(work units: Int) { sessions.turns.count(units) }

    /// Counts what the tree has done since the last call. Each loop over events or requests calls it before it asks whether a
    /// turn or a round is over.
    func countTreeWork() { sessions.turns.count(workOfTree: tree.reader.work) }
}
