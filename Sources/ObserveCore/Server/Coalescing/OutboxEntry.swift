// SPDX-License-Identifier: MIT
// One event or answer that waits for a slow client. Independent of the others.

/// Final lines, or a change of one attachment that is rendered when its turn comes.
///
/// A client may have very many, so what few entries need is apart, in ``Rare``.
struct OutboxEntry {
    /// The attachment of the change; `noRecord` for final lines and for dropped entries.
    var attachment: AttachmentID
    /// The number of a subscription whose events come in frames; otherwise 0.
    var subscription: Int32 = 0
    /// The number of answers that were queued before it, modulo 2³²: see ``Outbox/raiseBarrier()``.
    var segment: UInt32 = 0
    var changedAt: NodeID = .noRecord
    var nilAt: NodeID = .noRecord
    var reason: ChangeReason = .initial
    /// The subscriber last saw no value. If the path has none again, no event is sent.
    var wasAbsent = false
    /// Whether another event of its frame follows, or would without the `goodbye`.
    var hasMore = false
    var revision: UInt64 = 0
    /// How many changes it stands for.
    var coalesced = 0
    /// The final lines. If the entry belongs to a frame, they lack the end of the event.
    var lines: ByteBuffer?
    /// The value that the subscriber saw last; nil if it saw none. An event with the same value is not sent.
    var seen: SeenValue?
    private var rare: Rare?

    /// What few entries have.
    private final class Rare {
        /// About how many bytes an object takes, with the allocator's own.
        static let bytes = 96

        var deletion = -1
        var origin: ChangeOrigin?
        var old: ByteBuffer?
        var suffix: ByteBuffer?
        var new: ByteBuffer?

        init() {}

        init(_ other: Rare) {
            (deletion, origin) = (other.deletion, other.origin)
            (old, suffix, new) = (other.old, other.suffix, other.new)
        }
    }

    init(attachment: AttachmentID, lines: ByteBuffer? = nil) {
        self.attachment = attachment
        self.lines = lines
    }

    /// The number of an earlier entry, which reports that the root of this path was removed; -1 if there is none.
    var deletion: Int {
        get { rare?.deletion ?? -1 }
        set { if newValue != deletion { ownRare().deletion = newValue } }
    }

    /// The origin of its newest change, for a subscriber with `origin`.
    var origin: ChangeOrigin? {
        get { rare?.origin }
        set { if rare != nil || newValue != nil { ownRare().origin = newValue } }
    }

    /// The oldest unseen value as JSON, for a subscriber with `old`.
    var old: ByteBuffer? {
        get { rare?.old }
        set { if rare != nil || newValue != nil { ownRare().old = newValue } }
    }

    /// The changed path below the attachment's, for a deep observer.
    var suffix: ByteBuffer? {
        get { rare?.suffix }
        set { if rare != nil || newValue != nil { ownRare().suffix = newValue } }
    }

    /// The new value as JSON, rendered at once for mirrors, which apply later changes to it.
    var new: ByteBuffer? {
        get { rare?.new }
        set { if rare != nil || newValue != nil { ownRare().new = newValue } }
    }

    /// What this entry may change: copies share the object.
    private mutating func ownRare() -> Rare {
        let isOwn = isKnownUniquelyReferenced(&rare)
        if isOwn, let rare { return rare }
        let own = rare.map { Rare($0) } ?? Rare()
        rare = own
        return own
    }

    /// About how many bytes of memory it takes, apart from ``lines``.
    var heldBytes: Int {
        // With its share of ``Outbox``'s map of newest entries.
        let own = MemoryLayout<OutboxEntry>.stride + 24 + (seen?.heldBytes ?? 0)
        guard let rare else { return own }
        return own + Rare.bytes + (rare.old?.capacity ?? 0) + (rare.suffix?.capacity ?? 0)
            + (rare.new?.capacity ?? 0)
    }

    /// For a mirror: the path may have the same model again, while events of changes inside it were discarded.
    mutating func forgetSeenModels() {
        if case .value = seen { return }
        seen = nil
    }

    /// Whether it was dropped or has left.
    var isGone: Bool { attachment == .noRecord && lines == nil }
}

/// A value that can be recognised after its models are gone.
enum SeenValue {
    case value(StoredValue)
    case instance(UInt64)
    /// An array that holds models.
    case array([SeenValue])

    /// About how many bytes of memory it takes beyond its entry.
    var heldBytes: Int {
        switch self {
        case .value(let value): value.heldBytes
        case .instance: 0
        case .array(let elements): elements.reduce(0) { $0 + 16 + $1.heldBytes }
        }
    }
}
