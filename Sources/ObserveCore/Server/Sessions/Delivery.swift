// SPDX-License-Identifier: MIT
// Whether a client accepts events now, and what delays them. Independent of sockets and of the events' contents.

/// Decides how a session's events leave: at once, through its outbox, or later.
///
/// - Invariant: ``isFree`` combines four fields in one byte, which deliveries read for each subscriber of each
///   change.
struct Delivery: ~Copyable {
    /// The newest revision that an event or answer to the client names, sent or not; valid while there are
    /// ``pacers``.
    var lastRevision: UInt64 = 0
    private var further = Rare<FurtherDelivery>()
    /// The last moment in which the output got an event of a frame: see ``FrameTracker``.
    var frameMoment: UInt32 = 0
    /// Set with the `goodbye`: nothing is sent after it, and no request is read.
    var closing: CloseReason? { didSet { updateFree() } }
    /// The session's outbox has entries; new events queue behind them.
    var isQueueing = false { didSet { updateFree() } }
    /// The socket accepted less than it was offered. The transport learns when it accepts more.
    var isBlocked = false { didSet { updateFree() } }
    /// No output is queued, the socket accepts bytes, no `goodbye` was sent, and no subscription is paced. The last field, since
    /// deliveries also read the output, which follows.
    private(set) var isFree = true

    private mutating func updateFree() {
        isFree = !isQueueing && !isBlocked && closing == nil && !hasPacers
    }

    /// The batch (see ``JournalGate``) in which the `goodbye` was sent; valid while ``closing`` is set.
    var closedInBatch: UInt64 {
        get { further.isMade ? further.value.closedInBatch : 0 }
        set { further.value.closedInBatch = newValue }
    }

    // MARK: Pacing

    private var hasPacers: Bool { further.isMade && !further.value.pacers.isEmpty }

    /// The pacers of subscriptions with `throttle` or `debounce`, by the subscriptions' numbers.
    var pacers: NumberMap<Pacer?> {
        _read { yield further.value.pacers }
        _modify {
            defer { updateFree() }
            yield &further.value.pacers
        }
    }

    /// The bytes of the events that the pacers delay.
    var delayedBytes: Int {
        get { further.isMade ? further.value.delayedBytes : 0 }
        set { further.value.delayedBytes = newValue }
    }

    /// Moves all pacers to the ended ones, which wait until their memory is freed.
    ///
    /// - Returns: those that were moved.
    mutating func popPacers() -> [Pacer] {
        guard hasPacers else { return [] }
        let popped = pacers.all.compactMap(\.value)
        further.value.ended += popped
        pacers.removeAll()
        return popped
    }

    /// Removes and returns an ended pacer; nil without any.
    mutating func popEnded() -> Pacer? { further.isMade ? further.value.ended.popLast() : nil }
}

/// What only clients with paced subscriptions and closed ones need: see ``Delivery``.
private struct FurtherDelivery: Blank, ~Copyable {
    var closedInBatch: UInt64 = 0
    var pacers = NumberMap<Pacer?>(absent: nil)
    var ended: [Pacer] = []
    var delayedBytes = 0
}
