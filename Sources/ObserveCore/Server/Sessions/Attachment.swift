// SPDX-License-Identifier: MIT
// Attachments connect observers in the tree with the sessions that subscribed. Also subscriptions with patterns.

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
    /// Set while the subscription is being made: its matches get initial events.
    var wantsInitial = false
    var patterns: [PatternID] = []
    /// Those in the tree of the root `observed`.
    var daemonPatterns: [PatternID] = []
    /// One of its patterns ends in `**`, and another may match the same paths, or some above or below.
    var isOverlapped = false
    /// If they do: the shapes of all its patterns.
    var shapes: [PatternShape] = []
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
/// - Memory: does not retain its session, which outlives it: ``Hub/close(_:)`` removes the attachments of a
///   session.
@safe
struct AttachmentRecord {
    private var unretainedSession: Unmanaged<Session>?
    var observer: ObserverID = .noRecord
    /// The subscription's number on its connection.
    var subscription: Int32 = 0
    /// The subscription's next path. For patterns, ``previous`` is the one before.
    var next: AttachmentID = .noRecord
    var previous: AttachmentID = .noRecord
    /// The pattern subscription that it belongs to; `noRecord` if all paths are literal.
    var pattern: PatternSubscriptionID = .noRecord
    var isEvery = false
    /// Its observer is in the tree of the root `observed`: see ``DaemonRoot/tree``.
    var isDaemons = false
    /// Its subscription has a pacer: see ``Delivery/pacers``.
    var isPaced = false
    /// Its first events follow the answer to the request. Until then it gets no other events.
    var isDelayed = false

    /// Calls `body` with the session, if that is free (``Delivery/isFree``).
    ///
    /// - Returns: the result of `body`; false if it was not called.
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
