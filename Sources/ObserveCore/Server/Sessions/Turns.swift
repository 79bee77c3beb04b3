// SPDX-License-Identifier: MIT
// Turns and rounds of turns, and the costs of work by which they end. Independent of who does it.

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
    mutating func endEarly() { if turnEnd != .max { turnEnd = 0 } }

    @inline(__always) var isTurnOver: Bool { work >= turnEnd }

    mutating func beginRound() { roundEnd = work &+ round }
    var hasRoundEnded: Bool { work >= roundEnd }
    var hasSecondRoundEnded: Bool { work >= roundEnd &+ round }
}

/// The costs of work, in units of about 100 ns on a machine of 2020. ``Clients/count(work:)`` counts them.
enum Cost {
    /// What a request costs besides its effects.
    static let request = 10
    /// What a path costs that is parsed, besides its conditions.
    static let path = 2
    /// What an observed path costs that is added or removed.
    static let attachment = 5
    /// What an event costs that is made for one subscriber alone.
    static let event = 1
    static let queuedEvent = 5
    /// What a write to a socket costs besides its bytes.
    static let write = 10
    /// How many bytes the server writes to sockets in a unit: the kernel copies them to fresh pages.
    static let sentBytes = 256
    /// What a connection costs that is opened or closed.
    static let connection = 100
    /// What a tree of the daemon's own figures costs, which serves one answer.
    static let daemonTree = 1400
    /// What each property of a type costs that is compared with an unknown name, for the nearest one.
    static let nearName = 30
    static let termEnd = 20
    /// How many bytes of buffers the server frees in a unit: the kernel takes each page back.
    static let freedBytes = 512
    /// How many bytes of paths an explanation looks up and names in a unit.
    static let explainedBytes = 16
    /// What a commit of the history costs that is rewound and done again to replay it.
    static let replayedCommit = 10
    static let replayedEvent = 8

    /// What an event costs that so many subscribers share. For a short line, the server does little more than read each session:
    /// an eighth of a unit. For a longer one, its bytes count: they are written later, but a turn must not leave more than
    /// the next rounds can write.
    @inline(__always) static func events(_ count: UInt64, bytes: Int) -> Int {
        1 &+ (Int(truncatingIfNeeded: count) &* max(bytes, 128)) >> 10
    }
}
