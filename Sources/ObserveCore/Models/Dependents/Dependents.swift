// SPDX-License-Identifier: MIT
// Readers: what a computed property or a binding depends on, and how far it is behind. Data only.

/// A reader's number in its tree.
typealias DependentID = ID<DependentRecord>
/// An edge's number in its tree.
typealias EdgeID = ID<EdgeRecord>

/// Something that follows key paths, and is to be looked at again when a property on one of them was assigned: the
/// computed property of one model, or a binding.
struct DependentRecord {
    enum State: UInt8 {
        case fresh
        /// Something that it depends on may come to change: a reader that feeds it is behind.
        case maybeStale
        /// Something that it depends on has changed.
        case stale
    }

    var state = State.fresh
    /// It stands in the list of those to be looked at.
    var isQueued = false
    /// It is being brought up to date: it waits for those that feed it.
    var isActive = false
    /// A binding that stands in the list of those to be located.
    var isUnlocated = false
    /// One whose ends may lead elsewhere now.
    var hasMoved = false
    var isTwoWay = false
    /// The binding's number: of several the lowest goes first. 0 for a computed property.
    var number: Int32 = 0
    /// The computed property.
    var property: PropertyID = .noRecord
    /// Where a binding's ends lead, as far as is known: the properties, or those with the arrays.
    var target = Slot()
    var source = Slot()
    var isTargetElement = false
    var isSourceElement = false
    var firstEdge: EdgeID = .noRecord
    /// The search that has been here last.
    var search: UInt32 = 0
    var computation: Computation?
    var binding: Binding?
}

/// A property's place, whether or not there is a record of it; without a name, any property of the model.
struct Slot: Hashable {
    var model: ModelID = .noRecord
    var name: NameID = .noRecord
}

/// The bindings that may yet write somewhere, the one with the lowest number last.
struct PendingWriters {
    var dependents: [DependentID] = []
    var isSorted = true

    mutating func add(_ dependent: DependentID) {
        dependents.append(dependent)
        isSorted = dependents.count == 1
    }
}

/// A property that a reader came through when it followed its paths last; absent ones are watched for.
struct EdgeRecord {
    var property: PropertyID = .noRecord
    var dependent: DependentID = .noRecord
    /// Neighbours among the edges of the property.
    var next: EdgeID = .noRecord
    var previous: EdgeID = .noRecord
    /// The reader's next edge, in the order in which it came through.
    var nextOfDependent: EdgeID = .noRecord
    /// Of a property's first edge: at which ``ModelTree/updateCount`` all of its readers were marked as suspect.
    var markedAt: UInt32 = 0
    /// On the way to a binding's target.
    var isTarget = false
}

/// Where a reader that follows its paths anew stands in its edges: as long as it comes through the same properties,
/// they stay as they are.
struct EdgeCursor {
    let dependent: DependentID
    var isTarget = false
    var last: EdgeID = .noRecord
    var next: EdgeID
    /// Some have to be brought up to date first, and wait in the list of those to be looked at.
    var mustWait = false
    /// One that waits for this reader was found on the way.
    var isCyclic = false
}

/// A key path as readers follow it: one without wildcards, whose names are held.
final class ReadPath {
    let names: ContiguousArray<NameID>
    /// The array index that each name is, or -1.
    let indices: ContiguousArray<Int>
    let observedOperator: ObservedOperator?

    init(names: ContiguousArray<NameID>, indices: ContiguousArray<Int>, observedOperator: ObservedOperator?) {
        self.names = names
        self.indices = indices
        self.observedOperator = observedOperator
    }
}

/// What a path led to when it was followed.
struct TracedPlace {
    var value: StoredValue = .absent
    /// The property that the last component names, or that holds the array which the last components index.
    var holder: PropertyID = .noRecord
    var indices: [Int] = []
}

/// A template made ready for one tree; all models of a type share it.
final class Computation {
    enum Part {
        /// As it stands in a JSON string.
        case text(StoredString)
        case path(ReadPath)
    }

    let parts: [Part]
    /// What it gives, or null: also where what it leads to is of another type.
    let type: ValueType
    /// The path that it is alone, if it is one.
    let onePath: ReadPath?

    init(as type: ValueType, _ parts: [Part]) {
        self.type = type
        self.parts = parts
        if parts.count == 1, case .path(let path) = parts[0] { onePath = path } else { onePath = nil }
    }
}

/// A value that is carried from one path to another.
final class Binding {
    let number: Int32
    let source: ParsedKeyPath
    let target: ParsedKeyPath
    let sourcePath: ReadPath
    let targetPath: ReadPath
    let isTwoWay: Bool
    /// What both ends read as when they were looked at last.
    var lastSource = StoredValue.absent
    var lastTarget = StoredValue.absent
    /// Where the target led then; nil at first, and where it led nowhere.
    var lastPlace: Place?
    var isNew = true
    /// It was made before the process began: what both ends are now is what they were when it was looked at last.
    var isRestored = false
    /// The commit that it wrote in last.
    var lastWrite: UInt64 = 0
    /// Why its last write could not be made, and which way that was to go.
    var failure: TreeError? {
        didSet { isFailing = failure != nil }
    }
    /// Whether there is a reason: asked far more often than for the reason.
    private(set) var isFailing = false
    var failedBackward = false

    /// Which property or element of which model, whatever their records' numbers.
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
        self.number = number
        self.source = source
        self.target = target
        self.sourcePath = sourcePath
        self.targetPath = targetPath
        self.isTwoWay = isTwoWay
    }
}
