// SPDX-License-Identifier: MIT
// How much the server does for one client before others have their turn. Independent of the work.

/// Counts work, and says when a client's turn and a round of turns are over.
///
/// The server counts what it does, in units of ``Cost``, and not the time that this takes. So a turn ends
/// at the same request on every machine.
struct Turns {
    /// A client's turn: about a millisecond. Tests make it shorter.
    var turn: UInt64 = 10_000
    /// All turns between two looks at the sockets: about five milliseconds. Tests make it shorter.
    var round: UInt64 = 50_000

    private var work: UInt64 = 0
    /// The work at which the turn ends. Without turns, never.
    private var turnEnd = UInt64.max
    private var roundEnd = UInt64.max

    mutating func count(_ units: Int) { work &+= UInt64(truncatingIfNeeded: units) }

    /// The work of the tree that is counted.
    private var treeWork: UInt64 = 0

    /// - Parameter total: ``TreeReader/work``.
    mutating func count(workOfTree total: UInt64) {
        work &+= total &- treeWork
        treeWork = total
    }

    mutating func beginTurn() { turnEnd = work &+ turn }
    mutating func endTurn() { turnEnd = .max }

    /// Ends the present turn, if there is one: its client waits for another's work.
    mutating func giveUp() { if turnEnd != .max { turnEnd = 0 } }

    @inline(__always) var isTurnOver: Bool { work >= turnEnd }

    mutating func beginRound() { roundEnd = work &+ round }
    var isRoundOver: Bool { work >= roundEnd }
    var isSecondRoundOver: Bool { work >= roundEnd &+ round }
}
