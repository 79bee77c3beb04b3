// SPDX-License-Identifier: MIT
// Whether a client accepts events now, and what delays them. Independent of sockets and of the events' contents.

/// Decides whether a session's events leave at once.
///
/// - Invariant: ``isFree`` combines four of them in one byte, which deliveries read for each subscriber of each
///   change.
struct Delivery: ~Copyable {
    private var further = Rare<FurtherDelivery>()
    /// The last moment in which the output got an event of a frame: see ``FrameTracker``.
    var frameMoment: UInt32 = 0
    /// Set when the connection is to end: no request is read any more. See ``isOver``.
    var closing: CloseReason? { didSet { updateFree() } }
    /// Some marks of the session are due: see ``SessionMarks``.
    var isBehind = false { didSet { updateFree() } }
    /// The socket accepted less than it was offered. The transport learns when it accepts more.
    var isBlocked = false { didSet { updateFree() } }
    /// Nothing is due or held, the socket accepts bytes, and the connection is not to end. The last field, since deliveries
    /// also read the output, which follows.
    private(set) var isFree = true

    private mutating func updateFree() {
        isFree = !isBehind && !isBlocked && closing == nil && !isHolding
    }

    /// The batch (see ``JournalGate``) in which the `goodbye` was sent; valid while ``closing`` is set.
    var closedInBatch: UInt64 {
        get { further.isMade ? further.value.closedInBatch : 0 }
        set { further.value.closedInBatch = newValue }
    }

    /// Whether new subscriptions wait for the answer of their batch: see ``Clients/holdInitial(of:)``.
    var isHolding: Bool {
        get { further.isMade && further.value.isHolding }
        set {
            further.value.isHolding = newValue
            updateFree()
        }
    }

    /// Whether the `goodbye` waits until the client has caught up.
    var awaitsGoodbye: Bool {
        get { further.isMade && further.value.awaitsGoodbye }
        set { if newValue || further.isMade { further.value.awaitsGoodbye = newValue } }
    }

    /// Whether the `goodbye` is written: no event follows it.
    var isOver: Bool { closing != nil && !awaitsGoodbye }

    /// Whether the session's buffers were freed: it has only the rest of a line and the `goodbye`.
    var isRelieved: Bool {
        get { further.isMade && further.value.isRelieved }
        set { further.value.isRelieved = newValue }
    }

    /// The last moment in which this client was sent an event while it was slow and little waited: see ``FrameTracker``.
    var begunMoment: UInt32 {
        get { further.isMade ? further.value.begunMoment : 0 }
        set { further.value.begunMoment = newValue }
    }

    /// The bytes of the session's marks.
    var markedBytes: Int {
        get { further.isMade ? further.value.markedBytes : 0 }
        set { further.value.markedBytes = newValue }
    }
}

/// What only clients with marks and closed ones need: see ``Delivery``.
private struct FurtherDelivery: Blank, ~Copyable {
    var closedInBatch: UInt64 = 0
    var isHolding = false
    var awaitsGoodbye = false
    var isRelieved = false
    var begunMoment: UInt32 = 0
    var markedBytes = 0
}
