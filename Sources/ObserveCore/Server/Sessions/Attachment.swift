// SPDX-License-Identifier: MIT
// One path of one subscription: what ties an observer in the tree to the session that hears of it.

/// An attachment's number in its hub; the `tag` of its observer.
typealias AttachmentID = ID<AttachmentRecord>

/// A pattern subscription's number in its hub; the `tag` of its patterns.
typealias PatternSubscriptionID = ID<PatternSubscription>

/// A subscription with at least one pattern: its attachments come and go.
@safe
struct PatternSubscription {
    private var unretainedSession: Unmanaged<Session>?
    var number: Int32 = 0
    var isEvery = false
    var isPaced = false
    /// While the subscription is being made: what matches gets an initial event.
    var wantsInitial = false
    var patterns: [PatternID] = []
    /// Those that match the daemon's own root.
    var daemonPatterns: [PatternID] = []
    /// One of its patterns ends in `**`, and another may match below there.
    var isOverlapped = false
    var first: AttachmentID = .noRecord
    var count = 0

    var hasSeveral: Bool { patterns.count + daemonPatterns.count > 1 }

    var session: Session? {
        @inline(__always) get { unsafe unretainedSession?._withUnsafeGuaranteedRef { $0 } }
        set { unsafe unretainedSession = newValue.map { unsafe .passUnretained($0) } }
    }
}

/// One path of one subscription.
///
/// Memory: the session is not retained here, once for each of its paths; it outlives them, since they are removed when
/// it ends (``Hub/close(_:)``).
@safe
struct AttachmentRecord {
    private var unretainedSession: Unmanaged<Session>?
    var observer: ObserverID = .noRecord
    /// The subscription's number on its connection.
    var subscription: Int32 = 0
    /// The subscription's next path, and, where patterns made it, the one before.
    var next: AttachmentID = .noRecord
    var previous: AttachmentID = .noRecord
    /// The pattern subscription that it belongs to; `noRecord` where all paths are literal.
    var pattern: PatternSubscriptionID = .noRecord
    var isEvery = false
    /// Its observer is in the tree of the root `observed`: see ``DaemonRoot/tree``.
    var isDaemons = false
    /// Its subscription has a pacer: see ``Delivery/pacers``.
    var isPaced = false
    /// Its initial event is delayed until a batch has been answered.
    var isDelayed = false

    /// Calls `body` with the session, if it is free (``Delivery/isFree``); false without it.
    @inline(__always)
    func withFreeSession(_ body: (Session) -> Bool) -> Bool {
        guard !isDelayed, !isDaemons else { return false }
        return unsafe unretainedSession?._withUnsafeGuaranteedRef { $0.delivery.isFree && body($0) } ?? false
    }

    var session: Session? {
        @inline(__always) get { unsafe unretainedSession?._withUnsafeGuaranteedRef { $0 } }
        set { unsafe unretainedSession = newValue.map { unsafe .passUnretained($0) } }
    }
}

extension ObserverRecord {
    /// The attachment that the hub gave as the observer's tag.
    @inline(__always) var attachment: AttachmentID { AttachmentID(tag) }
}
