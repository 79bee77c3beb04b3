// SPDX-License-Identifier: MIT
// Dependents: computed properties and bindings, their states, and the edges to their inputs. Data only.

typealias DependentID = ID<DependentRecord>
typealias EdgeID = ID<EdgeRecord>

/// The computed property of one model, or a binding. It becomes stale when a property on a path that it follows is assigned.
struct DependentRecord {
    enum State: UInt8 {
        case fresh
        /// An input may change: a dependent that feeds this one is not fresh.
        case maybeStale
        /// An input has changed.
        case stale
    }

    var state = State.fresh
    var isQueued = false
    /// Whether its update is under way: it waits for the dependents that feed it.
    var isActive = false
    /// Whether the binding is in ``DependentGraph/unlocated``.
    var isUnlocated = false
    /// Whether the binding's ends may lead elsewhere now.
    var hasMoved = false
    var isTwoWay = false
    /// Whether it stands for a selection on an observed path.
    var isSelection = false
    /// How many inputs it has in containers that a selection or an operator goes through.
    var elementInputs = 0
    /// The binding's number: the tree updates the lowest first. 0 for a computed property.
    var number: Int32 = 0
    var property: PropertyID = .noRecord
    /// The places that the binding's ends led to at its last trace.
    var target = BoundPlace()
    var source = BoundPlace()
    var firstEdge: EdgeID = .noRecord
    /// The last ``UpdateQueue/search`` that visited the computed property, or before which the binding found its ends again.
    var search: UInt32 = 0
    var computation: Computation?
    var binding: Binding?
}

/// The place that a binding's end leads to.
struct BoundPlace {
    /// The property there; for an array element, the array's property.
    var slot = Slot()
    /// How many indices lead from that property to the end: 0 unless the end is an array element.
    var depth = 0
}

/// The bindings that may still write to a place; once sorted, the lowest number is last.
struct PendingWriters {
    var dependents: [DependentID] = []
    var isSorted = true
    /// The fewest indices with which one of them leads into the place's array; 0 if it writes the whole place.
    var leastDepth = Int.max

    mutating func add(_ dependent: DependentID, depth: Int) {
        dependents.append(dependent)
        isSorted = dependents.count == 1
        leastDepth = min(leastDepth, depth)
    }
}

/// A property that a dependent read when it last followed its paths. Absent properties have edges too.
struct EdgeRecord {
    var property: PropertyID = .noRecord
    var dependent: DependentID = .noRecord
    /// Neighbours among the edges of the property.
    var next: EdgeID = .noRecord
    var previous: EdgeID = .noRecord
    /// The dependent's next edge, in the order of its reads.
    var nextOfDependent: EdgeID = .noRecord
    /// Of a property's first edge: the ``DependentGraph/updateCount`` at which all its dependents became maybe stale.
    var markedAt: UInt32 = 0
    /// Whether the property is on the way to a binding's target.
    var isTarget = false
}

/// The position in a dependent's edges while it follows its paths again: they stay while it reads the same properties.
struct EdgeCursor {
    let dependent: DependentID
    var isTarget = false
    var last: EdgeID = .noRecord
    var next: EdgeID
    /// Whether the tree must first update some computed properties, which are queued.
    var mustWait = false
    /// Whether a property on the way waits for this dependent.
    var isCyclic = false
    /// The highest revision among the properties read so far, while ``tracksAge``: see ``Choice/latest``.
    var age: UInt64 = 0
    var tracksAge = false
    /// Whether what it reads is listed in ``DependentGraph/reads``. Only while ``tracksAge``.
    var isListing = false
    /// Whether conditions have read more than they may.
    var isExcessive = false
    /// See ``DependentRecord/elementInputs``.
    var elementInputs = 0
    /// Whether the dependent may not have all of its inputs: see ``DependentGraph/mayHave(_:_:limit:)``.
    var isShort = false

    /// Whether what it reads becomes an input of a dependent.
    var isRecording: Bool { dependent != .noRecord }

    /// Reads without a dependent.
    static var none: EdgeCursor { EdgeCursor(dependent: .noRecord, next: .noRecord) }

    /// Lists what it reads, without a dependent.
    static var listing: EdgeCursor {
        EdgeCursor(dependent: .noRecord, next: .noRecord, tracksAge: true, isListing: true)
    }
}

/// The result of following a path.
struct TracedPlace {
    var value: StoredValue = .absent
    /// The property that the last component names, or that holds the array which the last components index.
    var holder: PropertyID = .noRecord
    var indices: [Int] = []
    /// Whether its operator or choice would look at too many elements.
    var isExcessive = false
    /// The component that breaks the path, if one before the last does.
    var broken: Int?
}

extension TracedPlace {
    /// The place of a model at which paths begin.
    init(_ model: ModelID) { self.init(value: .model(model)) }
}

final class Binding {
    let number: Int32
    let source: ParsedKeyPath
    let target: ParsedKeyPath
    let sourcePath: ReadPath
    let targetPath: ReadPath
    let isTwoWay: Bool
    /// What the last update found and did.
    struct State {
        var source = StoredValue.absent
        var target = StoredValue.absent
        /// The target's place; nil at first, and if the target led nowhere.
        var place: Place?
        var isNew = true
        /// Whether the binding propagates nothing: its source has been as it is since declared types took it away.
        var rests = false
        /// Whether the write failed. The tree reads this far more often than the error itself.
        var isFailing = false
        var failedBackward = false
    }

    var last = State()
    /// The error of the last write; nil if that succeeded.
    var failure: TreeError? { didSet { last.isFailing = failure != nil } }
    /// The state and the failure before the open commit; nil unless ``BindingTable/former`` has the binding.
    private(set) var former: State?
    private(set) var failureBefore: TreeError?
    /// The revision of the last commit in which the binding wrote.
    var lastWrite: UInt64 = 0
    /// Whether the binding comes from stored state or a dump: its first update only finds out whether the binding is failing.
    var isRestored = false

    /// The path whose value the binding propagates, and the path that gets it.
    func paths(isBackward: Bool) -> (from: ParsedKeyPath, to: ParsedKeyPath) {
        isBackward ? (target, source) : (source, target)
    }

    func keepFormer() {
        former = last
        if last.isFailing { failureBefore = failure }
    }

    func forgetFormer() {
        if former?.isFailing == true { failureBefore = nil }
        former = nil
    }

    /// A property or element of a model, independent of the numbers of their records.
    struct Place: Equatable {
        let instance: UInt64
        let indexCount: Int
    }

    init(
        number: Int32,
        source: ParsedKeyPath,
        target: ParsedKeyPath,
        sourcePath: ReadPath,
        targetPath: ReadPath,
        isTwoWay: Bool
    ) {
        (self.number, self.isTwoWay) = (number, isTwoWay)
        (self.source, self.target) = (source, target)
        (self.sourcePath, self.targetPath) = (sourcePath, targetPath)
    }
}
