// SPDX-License-Identifier: MIT
// Attachments connect observers in the tree with the sessions that subscribed. Also subscriptions with patterns.

/// An attachment's number in its server; the `tag` of its observer.
typealias AttachmentID = ID<AttachmentRecord>

/// The number of a ``CompoundSubscription`` in its server; the `tag` of its patterns.
typealias CompoundID = ID<CompoundSubscription>

/// A subscription with several paths, or with at least one pattern: then its attachments come and go.
@safe struct CompoundSubscription {
    private var unretainedSession: Unmanaged<Session>?
    var number: Int32 = 0
    var flags: AttachmentFlags = []
    /// Set while the subscription is being made: its matches get initial events.
    var wantsInitial = false
    /// Its frame has begun in the output, and has no end yet: see ``MarkedSubscription/hasOpenFrame``.
    var hasOpenFrame = false
    /// Its missed events follow the answer. Until then its paths get no other events.
    var isResuming = false
    /// Its patterns in the tree; none if all of its paths are literal.
    var patterns: [PatternID] = []
    /// Those in the tree of the root `observed`.
    var daemonPatterns: [PatternID] = []
    /// One of its patterns ends in `**`, and another may match the same paths, or some above or below.
    var isOverlapped: Bool { !shapes.isEmpty }
    /// If they do: the shapes of all its patterns.
    var shapes: [PathShape] = []
    /// Of its paths that match patterns.
    var first: AttachmentID = .noRecord
    var count = 0
    var lastEvent = FramedEvent()
    /// The events of paths that have ceased to match.
    var earlierEvents: UInt64 = 0

    var patternCount: Int { patterns.count + daemonPatterns.count }
    var hasSeveral: Bool { patternCount > 1 }

    var session: Session? {
        @inline(__always) get { unsafe unretainedSession?._withUnsafeGuaranteedRef { $0 } }
        set { unsafe unretainedSession = newValue.map { unsafe .passUnretained($0) } }
    }
}

struct AttachmentFlags: OptionSet {
    let rawValue: UInt8

    /// `"delivery": "every"`.
    static let every = AttachmentFlags(rawValue: 1)
    /// Its observer is in the tree of the root `observed`: see ``DaemonRoot/tree``.
    static let daemons = AttachmentFlags(rawValue: 2)
    /// Its subscription has `throttle` or `debounce`: see ``MarkedSubscription/pace``.
    static let paced = AttachmentFlags(rawValue: 4)
    /// Its first events follow the answer to the request. Until then it gets no other events.
    static let delayed = AttachmentFlags(rawValue: 8)
    /// Its subscription has a tag: see ``Subscriptions/tags``.
    static let tagged = AttachmentFlags(rawValue: 16)
    /// `"whole": true`.
    static let whole = AttachmentFlags(rawValue: 32)
    /// Its subscription has several paths or a pattern, so that its events come in frames.
    static let framed = AttachmentFlags(rawValue: 64)
    /// A change takes the general path to an attachment with one of these.
    static let general: AttachmentFlags = [.delayed, .daemons, .tagged, .paced]
}

/// One path of one subscription.
/// - Memory: does not retain its session, which outlives it: ``Hub/close(_:)`` removes the session's attachments.
@safe struct AttachmentRecord {
    private var unretainedSession: Unmanaged<Session>?
    var observer: ObserverID = .noRecord
    var subscription: Int32 = 0
    /// The subscription's next path. For patterns, ``previous`` is the one before.
    var next: AttachmentID = .noRecord
    var previous: AttachmentID = .noRecord
    /// The subscription that it belongs to, if that has several paths or a pattern.
    var compound: CompoundID = .noRecord
    /// The flags in the lowest byte, the number of sent events in the others.
    private var bits: UInt32 = 0

    var flags: AttachmentFlags {
        @inline(__always) get { AttachmentFlags(rawValue: UInt8(truncatingIfNeeded: bits)) }
        set { bits = bits & ~0xFF | UInt32(newValue.rawValue) }
    }

    /// How many events the server has sent of it, apart from broadcast ranges: below 2²⁴.
    var eventsSent: UInt64 { UInt64(bits &>> 8) }

    /// Counts a sent event. Returns whether ``eventsSent`` began again at 0 after 2²⁴ events.
    @inline(__always) mutating func countSent() -> Bool {
        let overflow: Bool
        (bits, overflow) = bits.addingReportingOverflow(0x100)
        return overflow
    }

    /// Calls `body` with the session, if that is free (``Delivery/isFree``) and no flag of the attachment demands the general
    /// path. False if it was not called.
    @inline(__always) func withFreeSession(_ body: (Session) -> Bool) -> Bool {
        guard flags.isDisjoint(with: .general) else { return false }
        return unsafe unretainedSession?._withUnsafeGuaranteedRef { $0.delivery.isFree && body($0) } ?? false
    }

    var session: Session? {
        @inline(__always) get { unsafe unretainedSession?._withUnsafeGuaranteedRef { $0 } }
        set { unsafe unretainedSession = newValue.map { unsafe .passUnretained($0) } }
    }
}

extension ObserverRecord {
    @inline(__always) var attachment: AttachmentID { AttachmentID(tag) }
}
