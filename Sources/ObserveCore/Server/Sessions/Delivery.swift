// SPDX-License-Identifier: MIT
// Whether a client accepts events now, and what delays them. Independent of sockets and of the events' contents.

/// Decides how a session's events leave: at once, through its outbox, or later.
///
/// - Invariant: ``isFree`` combines four fields in one byte, which deliveries read for each subscriber of each
///   change.
struct Delivery: ~Copyable {
    /// No output is queued, the socket accepts bytes, no `goodbye` was sent, and no subscription is paced.
    private(set) var isFree = true
    /// The session's outbox has entries; new events queue behind them.
    var isQueueing = false { didSet { updateFree() } }
    /// The socket accepted less than it was offered. The transport learns when it accepts more.
    var isBlocked = false { didSet { updateFree() } }
    /// Set with the `goodbye`: nothing is sent after it, and no request is read.
    var closing: CloseReason? { didSet { updateFree() } }
    /// The batch (see ``JournalGate``) in which the `goodbye` was sent; valid while ``closing`` is set.
    var closedInBatch: UInt64 = 0
    /// The last batch in which an event was queued.
    var queuedInBatch: UInt64 = 0
    /// The pacers of subscriptions with `throttle` or `debounce`, by the subscriptions' numbers.
    var pacers = NumberMap<Pacer?>(absent: nil) { didSet { updateFree() } }
    /// Former pacers, until their memory is freed.
    var endedPacers: [Pacer] = []
    /// The bytes of the events that the pacers delay.
    var delayedBytes = 0
    /// The last moment in which the output got an event of a frame: see ``FrameTracker``.
    var frameMoment: UInt32 = 0
    /// The newest revision that an event or answer to the client names, sent or not; valid while there are
    /// ``pacers``.
    var lastRevision: UInt64 = 0

    private mutating func updateFree() {
        isFree = !isQueueing && !isBlocked && closing == nil && pacers.isEmpty
    }
}
