// SPDX-License-Identifier: MIT
// What the next event of one path needs besides the present value. Independent of where the path leads now.

/// It is made at the first change that the client does not hear of at once, and grows with the later ones. Its event shows the
/// value at the time when it is sent.
struct Mark {
    /// Why an event follows even if the client has seen the value. Of two reasons, the larger one counts.
    enum Debt: Comparable {
        case none
        /// The frame needs an event without `more`, this one or another.
        case end
        /// The client changed the value itself, with `own` false. It saw 0, others set 1, it set 5, others set 0: it has 5.
        case event
    }

    /// `pathChanged` from the first such change on.
    private(set) var reason: ChangeReason
    /// The root was removed, perhaps also restored: an event follows even if the client saw an equal value last.
    private(set) var isRootReplaced = false
    /// Whether an event follows also if the client saw an equal value last.
    private(set) var debt = Debt.none
    /// The length of the path that was assigned first, of those before the last component; -1 if there is none.
    private(set) var changedAt: Int32 = -1
    private(set) var coalesced = 0
    /// The value that the client saw last; nil if it can't be recognised.
    let seen: SeenValue?
    /// The same as JSON, for a subscriber with `old`.
    let old: ByteBuffer?
    /// The origin of the newest change, for a subscriber with `origin`.
    private(set) var origin: ValueOrigin?

    init(_ reason: ChangeReason, seen: SeenValue?, old: ByteBuffer? = nil) {
        (self.reason, self.seen, self.old) = (reason, seen, old)
    }

    mutating func add(_ reason: ChangeReason, changedAt: Int32, isOwn: Bool) {
        // An initial event shows the changes without counting them.
        if self.reason == .initial { return }
        if isOwn { owe(.event) } else { coalesced += 1 }
        if reason == .sourceDeleted { isRootReplaced = true }
        guard reason == .pathChanged else { return }
        self.reason = .pathChanged
        if self.changedAt < 0 { self.changedAt = changedAt }
    }

    mutating func owe(_ debt: Debt) { self.debt = max(self.debt, debt) }

    mutating func note(_ origin: ValueOrigin) { if reason != .initial { self.origin = origin } }

    /// The reason of its event, and the length of the path in `changedAt`; -1 without one.
    ///
    /// A root that was removed and restored has changed, also where its values are equal.
    func change(isRootThere: Bool, rootLength: Int) -> (ChangeReason, changedAt: Int) {
        if reason == .initial { return (.initial, -1) }
        if !isRootThere { return (.sourceDeleted, -1) }
        if reason == .pathChanged { return (.pathChanged, Int(changedAt)) }
        return isRootReplaced ? (.pathChanged, rootLength) : (.valueChanged, -1)
    }

    var extras: TreeReader.EventExtras {
        .init(withOld: old != nil, renderedOld: old, origin: origin, coalesced: coalesced)
    }

    /// Whether no event is needed if nothing is at the path, and nothing observes it any more.
    var isNeedlessIfAbsent: Bool { wasNull && debt == .none && reason != .initial }

    /// Whether the client saw null last, or nothing.
    var wasNull: Bool { if case .value(let value) = seen { value.isNull } else { false } }

    /// About how much memory it takes beyond its path.
    var heldBytes: Int { (seen?.heldBytes ?? 0) + (old?.capacity ?? 0) }
}

/// A value that can be recognised after its models are gone.
enum SeenValue: Equatable {
    case value(StoredValue)
    case instance(UInt64)
    /// An array that holds models.
    case array([SeenValue])

    /// About how many bytes of memory it takes beyond its mark.
    var heldBytes: Int {
        switch self {
        case .value(let value): value.heldBytes
        case .instance: 0
        case .array(let elements): elements.reduce(0) { $0 + 16 + $1.heldBytes }
        }
    }

    init(_ value: StoredValue, in tree: ModelTree) {
        switch value {
        case .model(let id): self = .instance(tree.reader.instance(of: id))
        case .array(let array):
            self = value.holdsModels ? .array(array.elements.map { SeenValue($0, in: tree) }) : .value(value)
        default: self = .value(value.kept)
        }
    }

    /// Compares a text in place, without a copy.
    func isSame(as value: StoredValue, in tree: ModelTree) -> Bool {
        if case .value(let seen) = self { return seen.equals(value) }
        return self == SeenValue(value, in: tree)
    }

    static func == (left: SeenValue, right: SeenValue) -> Bool {
        switch (left, right) {
        case (.value(let left), .value(let right)): left.equals(right)
        case (.instance(let left), .instance(let right)): left == right
        case (.array(let left), .array(let right)): left == right
        default: false
        }
    }
}

extension StoredValue {
    fileprivate var holdsModels: Bool {
        switch self {
        case .model: true
        case .array(let array): !array.isPlain && array.elements.contains(where: \.holdsModels)
        default: false
        }
    }
}
