// SPDX-License-Identifier: MIT
// Whether a client accepts events now, and what delays them. Independent of sockets and of the events' contents.

/// - Invariant: ``isFree`` combines four of them in one byte, which deliveries read for each subscriber of each change.
struct Delivery: ~Copyable {
    private var rare = Rare<FurtherDelivery>()
    /// The last group in which the output got an event of a frame: see ``FrameTracker``.
    var frameGroup: UInt32 = 0
    /// Set when the connection is to end: no request is read any more. See ``isOver``.
    var closing: CloseReason? { didSet { updateFree() } }
    /// Whether the `goodbye` waits until the client has caught up.
    var awaitsGoodbye = false
    /// Whether the session's buffers were freed: it has only the rest of a line and the `goodbye`.
    var isRelieved = false
    /// Whether new subscriptions wait for the answer of their batch: see ``Clients/holdInitial(of:)``.
    var isHolding = false { didSet { updateFree() } }
    /// Some marks of the session are due: see ``SessionMarks``.
    var isBehind = false { didSet { updateFree() } }
    /// The socket accepted less than it was offered. The transport learns when it accepts more.
    var isBlocked = false { didSet { updateFree() } }
    /// Nothing is due or held, the socket accepts bytes, and the connection is not to end. The last field, since deliveries
    /// also read the output, which follows.
    private(set) var isFree = true

    private mutating func updateFree() { isFree = !isBehind && !isBlocked && closing == nil && !isHolding }

    /// Whether the `goodbye` is written: no event follows it.
    var isOver: Bool { closing != nil && !awaitsGoodbye }

    var further: FurtherDelivery {
        _read { yield rare.value }
        _modify { yield &rare.value }
    }
}

/// What only clients with marks and closed ones need: see ``Delivery``.
struct FurtherDelivery: Blank, ~Copyable {
    /// The batch (see ``JournalGate``) in which the `goodbye` was sent; valid once it was.
    var closedInBatch: UInt64 = 0
    /// The last group in which this client was sent an event while it was slow and little waited: see ``FrameTracker``.
    var begunGroup: UInt32 = 0
    var markedBytes = 0
    /// The memory of ended subscriptions with a pace, in paths, that the timer queue may keep and has not counted as moot yet.
    var mootReleases = 0
}
