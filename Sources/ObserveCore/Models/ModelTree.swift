// SPDX-License-Identifier: MIT
// The tree itself: its records and how they are found, made and freed. Knows nothing of clients, queues or threads.

/// Observable models with shared and weak references, and the index of all paths that somebody observes.
///
/// The roots are the properties of one model that has no holder (``rootModel``), so a root is assigned, observed and
/// removed like any property. How it works, by file:
///
/// 1. ``walk(_:)`` finds the place that a path names (`+Walking`);
/// 2. a write compares, assigns, counts references and notes what it touched (`+Writing`, `+Commit`, `+References`);
/// 3. when the commit ends, what died is settled, and computed properties and bindings are brought up to date
///    (`+Settling`); then every touched property's path nodes are visited, branches that lead elsewhere are bound anew,
///    and each path that has observers is told once (`+Telling`);
/// 4. then the dead are freed.
///
/// What a model has, and what may stand in it, is declared for models that have a type (`Types/`); others are open.
///
/// - Threading: none of its own. Its owner confines it to one queue; the sink is called on it, in the middle of a
///   commit, and must not write.
package final class ModelTree {
    @safe @exclusivity(unchecked) package internal(set) var limits: TreeLimits
    /// Clients can't write it, and it may have the reserved root.
    let isReadOnly: Bool
    /// Told of every change on an observed path; it takes itself away before it goes.
    @safe @exclusivity(unchecked) unowned(unsafe) var sink: (any ChangeSink)?

    @safe @exclusivity(unchecked) var names: NameTable
    /// The texts of properties, of what the history keeps of those, and of observed paths.
    @safe @exclusivity(unchecked) var texts = TextPool()
    @safe @exclusivity(unchecked) var models = Arena(blank: ModelRecord())
    @safe @exclusivity(unchecked) var properties = Arena(blank: PropertyRecord())
    @safe @exclusivity(unchecked) var nodes = Arena(blank: PathNode())
    @safe @exclusivity(unchecked) var observers = Arena(blank: ObserverRecord())
    @safe @exclusivity(unchecked) var patterns = Arena(blank: PatternRecord())
    @safe @exclusivity(unchecked) var followers = Arena(blank: FollowerRecord())
    /// (model, name) → property, absent ones that are watched for included.
    @safe @exclusivity(unchecked) var propertyIndex = HashIndex()
    /// (parent node, name) → node.
    @safe @exclusivity(unchecked) var nodeIndex = HashIndex()
    /// The whole path's text → the node, where it has observers.
    @safe @exclusivity(unchecked) var pathIndex = HashIndex()
    /// Paths that were set lately, and where they lead.
    @safe @exclusivity(unchecked) var knownPaths = KnownPaths()
    @safe @exclusivity(unchecked) var readers = Arena(blank: ReaderRecord())
    @safe @exclusivity(unchecked) var edges = Arena(blank: EdgeRecord())
    /// A property that is read → the first of its edges.
    @safe @exclusivity(unchecked) var edgeIndex = HashIndex()
    /// A computed property → its reader.
    @safe @exclusivity(unchecked) var readerIndex = HashIndex()
    let seed: UInt64
    @safe @exclusivity(unchecked) var types = TypeTable()
    /// A default is being built, in which all types may be made.
    @safe @exclusivity(unchecked) var isMakingDefault = false
    /// The Swift models among the models.
    @safe @exclusivity(unchecked) var hosted: HostedModels?

    /// Counts commits (contract §4).
    @safe @exclusivity(unchecked) package internal(set) var revision: UInt64 = 0
    @safe @exclusivity(unchecked) var lastInstance: UInt64 = 0
    let rootModel: ModelID
    /// The node that all first components hang below; bound to nothing itself.
    @safe @exclusivity(unchecked) var rootNode: NodeID

    /// What the last commits replaced.
    @safe @exclusivity(unchecked) var history = History()
    /// Who asks for the commits that are made, or told again, now.
    @safe @exclusivity(unchecked) var author = CommitAuthor()
    /// Whether, while they are, a path has led to a computed property.
    @safe @exclusivity(unchecked) var hasReplayedComputed = false
    /// Whether commits of the past are being told again.
    @safe @exclusivity(unchecked) var isReplaying = false

    /// Who keeps a record of every commit, for when the process is gone; it takes itself away before it goes.
    @safe @exclusivity(unchecked) unowned(unsafe) var recorder: (any CommitRecorder)?
    /// Whether there is one.
    @safe @exclusivity(unchecked) var isRecorded = false
    /// What undoing the commits since ``pin()`` needs.
    @safe @exclusivity(unchecked) var undoing = UndoState()

    /// Who takes a picture of the tree now.
    @safe @exclusivity(unchecked) var witnesses: [any TreeWitness] = []
    /// Whether there is anybody.
    @safe @exclusivity(unchecked) var isWitnessed = false

    /// Where a snapshot that is being written stands.
    @safe @exclusivity(unchecked) var scan = ScanCursor()
    /// What is laid out is part of one commit: see ``layOut(_:)``.
    package internal(set) var isLayingOut = false

    // What the commit under way has done so far; empty between commits.
    @safe @exclusivity(unchecked) var touches = Scratch<Touch>()
    @safe @exclusivity(unchecked) var changedInCommit = false
    /// Who makes the changes that are being made now.
    @safe @exclusivity(unchecked) var cause = ChangeCause.writer
    /// What the commit did to the order of properties, to be undone backwards.
    @safe @exclusivity(unchecked) var orderChanges = Scratch<OrderChange>()
    /// How many readers are behind; the commit does not end before there are none.
    @safe @exclusivity(unchecked) var staleCount = 0
    /// Models that were without a strong reference at some moment of this commit.
    @safe @exclusivity(unchecked) var unreferenced = Scratch<ModelID>()
    @safe @exclusivity(unchecked) var dying = Scratch<ModelID>()
    /// Numbers the tellings, so that a node is visited once in each.
    @safe @exclusivity(unchecked) var visit: UInt32 = 0
    /// The nodes bound to what the commit touched, gathered before any is visited.
    @safe @exclusivity(unchecked) var affected = Scratch<Affected>()

    /// What lies below the values that end, the permanent value first; and where to find the overlays of each owner
    /// and those that end by time.
    @safe @exclusivity(unchecked) var overlays: [PropertyID: [Overlay]] = [:]
    @safe @exclusivity(unchecked) var overlayOwners: [Int32: Set<PropertyID>] = [:]
    @safe @exclusivity(unchecked) var timedOverlays: [UInt64: PropertyID] = [:]
    @safe @exclusivity(unchecked) var lastOverlay: UInt64 = 0
    /// The stacks that the commit under way has changed, as they were before it.
    @safe @exclusivity(unchecked) var savedOverlays: [PropertyID: [Overlay]] = [:]

    /// The properties that hold strong references beyond a model's first two.
    @safe @exclusivity(unchecked) var furtherHolders: Referrers
    /// The weak properties that refer to a model now.
    @safe @exclusivity(unchecked) var weakReferrers: Referrers
    /// The nodes with stars that follow each model, and the model that each such node is listed under.
    @safe @exclusivity(unchecked) var followingNodes: [ModelID: [NodeID]] = [:]
    @safe @exclusivity(unchecked) var followedModels: [NodeID: ModelID] = [:]
    /// What is computed at the nodes that stand for collection operators.
    @safe @exclusivity(unchecked) var derivations: [NodeID: Derivation] = [:]
    /// How many components the longest path behind an observed operator has had.
    @safe @exclusivity(unchecked) var longestDerivation = 0
    /// How often each name stands in a path behind an observed operator.
    @safe @exclusivity(unchecked) var lookedAt: [NameID: Int] = [:]
    /// The operators whose inputs the telling under way has found changed, in the order found.
    @safe @exclusivity(unchecked) var stale: [NodeID] = []
    @safe @exclusivity(unchecked) var staleness: [NodeID: Staleness] = [:]
    /// How often each observer that patterns made is wanted, as itself and with all below it.
    @safe @exclusivity(unchecked) var multiplicity: [ObserverID: Multiplicity] = [:]
    /// Nodes that were found to exist no more in the telling under way.
    @safe @exclusivity(unchecked) var vanished = Scratch<NodeID>()
    /// Nodes that the telling under way has made for properties that appeared.
    @safe @exclusivity(unchecked) var appeared = Scratch<NodeID>()
    /// All nodes that the telling under way has made, and some that are gone again.
    @safe @exclusivity(unchecked) var newborn = Scratch<NodeID>()
    /// Where models stand in the arrays that the telling under way has looked into.
    @safe @exclusivity(unchecked) var placeIndex: [PropertyID: [ModelID: [[Int]]]] = [:]
    /// Whether a telling is under way: then stars are expanded by the visits that it makes anyway.
    @safe @exclusivity(unchecked) var isTelling = false
    /// How many observers are ``ObservingOptions/deep``.
    @safe @exclusivity(unchecked) var deepObservers = 0
    /// Deeply observed nodes that this telling has told of another value than they had.
    @safe @exclusivity(unchecked) var reboundDeepNodes: Set<NodeID> = []
    /// What has been found below deeply observed nodes; empty between tellings.
    @safe @exclusivity(unchecked) var deep = DeepTelling()
    /// How many observers want to be told of equal assignments too.
    @safe @exclusivity(unchecked) var indistinctObservers = 0
    /// Whether equal assignments are noted: for such observers, or for the history while one of them may come back.
    @safe @exclusivity(unchecked) var notesEqualAssignments = false
    /// Since which revision they have been, and when the last such observer went.
    @safe @exclusivity(unchecked) var equalAssignmentsNotedSince: UInt64 = 0
    @safe @exclusivity(unchecked) var lastIndistinctObserver: UInt64 = 0

    /// The bindings by their numbers.
    @safe @exclusivity(unchecked) var bindings: [Int32: ReaderID] = [:]
    var lastBinding: Int32 = 0
    /// How many bindings could not make their last write, and how many of those would have closed a cycle.
    @safe @exclusivity(unchecked) package internal(set) var failingBindings = 0
    @safe @exclusivity(unchecked) var cyclicBindings = 0
    /// How many writes of bindings could not be made so far.
    package internal(set) var failedBindingWrites: UInt64 = 0

    /// All that was made of templates.
    @safe @exclusivity(unchecked) var computations: [Computation] = []

    // Readers that are behind, and what is known of them until the commit ends: see `+Settling`.
    @safe @exclusivity(unchecked) var staleComputed = Scratch<ReaderID>()
    @safe @exclusivity(unchecked) var staleBindings: [ReaderID] = []
    @safe @exclusivity(unchecked) var areBindingsSorted = true
    /// The bindings that may yet write each property in this commit.
    @safe @exclusivity(unchecked) var pendingWriters: [Slot: PendingWriters] = [:]
    /// How many bindings are behind, and those of them whose ends are yet to be entered there.
    @safe @exclusivity(unchecked) var pendingBindings = 0
    @safe @exclusivity(unchecked) var unlocated = Scratch<ReaderID>()
    /// How often a reader was brought up to date.
    @safe @exclusivity(unchecked) var updateCount: UInt32 = 1
    /// Readers whose own readers are to be suspected.
    @safe @exclusivity(unchecked) var spreading = Scratch<ReaderID>()
    /// Computed properties, and bindings, that are being brought up to date: each waits for those behind it.
    @safe @exclusivity(unchecked) var updating = Scratch<ReaderID>()
    @safe @exclusivity(unchecked) var waitingBindings = Scratch<ReaderID>()
    /// The computed properties that the search under way is yet to look behind, and its number.
    @safe @exclusivity(unchecked) var feeders = Scratch<ReaderID>()
    @safe @exclusivity(unchecked) var readerSearch: UInt32 = 0
    /// Computed properties that were brought up to date in the middle of the commit.
    @safe @exclusivity(unchecked) var refreshed: [ReaderID] = []
    @safe @exclusivity(unchecked) var isSettling = false
    /// An undone commit's computed properties are found out about anew, and keep their values.
    @safe @exclusivity(unchecked) var isRestoring = false
    /// The binding that is writing, to which end, and whether that was something it reads itself.
    @safe @exclusivity(unchecked) var writingReader: ReaderID = noRecord
    @safe @exclusivity(unchecked) var isWritingTarget = false
    @safe @exclusivity(unchecked) var hasWrittenItself = false
    let templateText = ByteBuffer()
    /// The name of the property, always absent, that stands for which properties a model has. No property's name can
    /// begin so, since it is not UTF-8.
    let membersName = ByteBuffer(capacity: 16)

    // Used again and again by one call at a time.
    let text = ByteBuffer()
    /// Records that were read early; and something that is made of them, since what nobody uses is not read.
    @safe @exclusivity(unchecked) var fetched = Scratch<Int32>(capacity: 64)
    @safe @exclusivity(unchecked) var fetchedSum: Int32 = 0
    /// From how many nodes on that pays: measured to, from about ten thousand on.
    @safe @exclusivity(unchecked) var sparseNodes = 8192
    /// Text that was replaced and is remembered no more: the next takes its place in memory.
    @safe @exclusivity(unchecked) var spareText: StoredString?
    /// The way to the value that is being checked against its type.
    @safe @exclusivity(unchecked) var trail = Scratch<TrailStep>()
    /// What was refused, where it is noted instead of thrown.
    var refusals: [TreeError]?
    /// Where ``walk(_:)`` stands inside the array that a property holds.
    @safe @exclusivity(unchecked) var walkedIndices: [Int] = []
    /// The present properties that ``walk(_:)`` came through, and the model that did not have the next one.
    @safe @exclusivity(unchecked) var walkedProperties = Scratch<PropertyID>()
    @safe @exclusivity(unchecked) var lackingModel: ModelID = noRecord

    package convenience init(limits: TreeLimits = TreeLimits()) {
        self.init(limits: limits, isReadOnly: false)
    }

    init(limits: TreeLimits, isReadOnly: Bool) {
        self.limits = limits
        self.isReadOnly = isReadOnly
        seed = UInt64.random(in: .min ... .max)
        names = NameTable(seed: seed)
        furtherHolders = Referrers(seed: seed)
        weakReferrers = Referrers(seed: seed)
        rootModel = models.allocate()
        rootNode = nodes.allocate()
        models[rootModel].strongReferences = 1
        membersName.append(OperatorName.mark)
        membersName.append("members")
    }

    /// How many models there are, the set of roots not counted, nor the dead that the history keeps.
    package var modelCount: Int { models.count - 1 - history.dead.count }

    // MARK: Models and properties

    func makeModel() -> ModelID {
        let model = models.allocate()
        lastInstance += 1
        models[model].instance = lastInstance
        if isRecorded { undoing.created.append(model) }
        return model
    }

    /// The record of that property, present or watched for.
    @inline(__always)
    func property(_ model: ModelID, _ name: NameID) -> PropertyID? {
        propertyIndex.find(pairHash(model, name, seed: seed)) {
            properties[$0].model == model && properties[$0].name == name
        }
    }

    /// The property of that name if it is present.
    @inline(__always)
    func presentProperty(_ model: ModelID, _ name: ByteView) -> PropertyID? {
        guard let known = names.find(name), let found = property(model, known) else { return nil }
        return properties[found].slot.isAbsent ? nil : found
    }

    /// The property's record, made absent if there is none; takes its own reference to the name.
    func propertyOrPlaceholder(_ model: ModelID, _ name: NameID) -> PropertyID {
        if let known = property(model, name) { return known }
        let fresh = properties.allocate()
        properties[fresh].model = model
        properties[fresh].name = name
        names.retain(name)
        if models[model].type != noRecord { properties[fresh].flags = declaredFlags(of: fresh) }
        propertyIndex.insert(pairHash(model, name, seed: seed), fresh)
        return fresh
    }

    /// Frees the record of a property that is absent, unwatched, unread, untouched, and in no commit that is remembered.
    func freeIfUnused(_ id: PropertyID) {
        guard properties[id].slot.isAbsent, properties[id].bound == noRecord, properties[id].touch == 0,
            !properties[id].flags.contains(.read), properties[id].revision <= history.horizon
        else { return }
        free(id)
    }

    func free(_ id: PropertyID) {
        let (model, name) = (properties[id].model, properties[id].name)
        propertyIndex.remove(pairHash(model, name, seed: seed), id)
        names.release(name)
        if case .text(let text) = properties[id].slot { texts.release(text) }
        properties.release(id)
    }

    /// Gives the property's record a value, and nothing else. Short text is copied to ``texts``.
    @inline(__always)
    func setValue(_ value: consuming StoredValue, of id: PropertyID) {
        let text = pooled(value)
        var new = StoredValue.absent
        if text.isNone {
            new = value
        } else {
            new = .text(text)
            recycle(string: value)
        }
        swap(&properties[id].slot, &new)
        if case .text(let replaced) = new { texts.release(replaced) }
    }

    /// A copy of text in ``texts``; none of what is no text, or is too long.
    @inline(__always)
    func pooled(_ value: borrowing StoredValue) -> PooledText {
        var copy = PooledText.none
        value.withText { if $0.count <= TextPool.longest { copy = texts.make($0) } }
        return copy
    }

    /// Puts the property after `previous` in its model's order.
    func enlist(_ id: PropertyID, after previous: PropertyID) {
        let model = properties[id].model
        let next = previous == noRecord ? models[model].first : properties[previous].next
        properties[id].previous = previous
        properties[id].next = next
        if previous == noRecord { models[model].first = id } else { properties[previous].next = id }
        if next == noRecord { models[model].last = id } else { properties[next].previous = id }
        models[model].count += 1
        if scan.model == model, scan.next == next { scan.next = id }
    }

    func delist(_ id: PropertyID) {
        let (model, next, previous) = (properties[id].model, properties[id].next, properties[id].previous)
        if scan.model == model, scan.next == id { scan.next = next }
        if previous == noRecord { models[model].first = next } else { properties[previous].next = next }
        if next == noRecord { models[model].last = previous } else { properties[next].previous = previous }
        properties[id].next = noRecord
        properties[id].previous = noRecord
        models[model].count -= 1
    }
}
