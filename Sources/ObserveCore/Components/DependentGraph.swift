// SPDX-License-Identifier: MIT
// The dependency graph: dependents, and edges to the properties that they read.

struct DependentGraph: ~Copyable {
    private let anchor = Anchor()
    var updates = UpdateQueue()
    var bindings = BindingTable()
    var records = Arena(blank: DependentRecord())
    var edges = Arena(blank: EdgeRecord())
    /// The first edge of each property that a dependent reads.
    var edgeIndex = HashIndex<EdgeRecord>()
    /// The dependent of each computed property.
    var dependentIndex = HashIndex<DependentRecord>()
    /// The sum of ``DependentRecord/elementInputs``, without those of declared computed properties.
    private(set) var elementInputs = 0
    /// How many dependents are stale or maybe stale; the commit updates all of them before it ends.
    var staleCount = 0
    /// What a listing cursor has read, in order.
    var reads: [PropertyID] = []
    /// Each evaluation gives it the bound of then: limits change.
    let evaluator = ExpressionEvaluator<StoredValue>(maxTextBytes: 0)
    /// The name of an absent property, which stands for the set of a model's properties: no client's, since it is not UTF-8.
    let membersName = ByteBuffer(capacity: 16)
    // Queues of dependents, and their state until the commit ends: see `BindingTree+Updating`.
    var staleComputed = Scratch<DependentID>()
    var staleBindings: [DependentID] = []
    var areBindingsSorted = true
    /// How many bindings are stale or maybe stale, and which of them must still locate their ends.
    var pendingBindings = 0
    var unlocated = Scratch<DependentID>()
    /// Counts the updates of dependents: see ``EdgeRecord/markedAt``.
    var updateCount: UInt32 = 1
    /// Dependents whose own dependents ``spread(in:)`` has yet to mark.
    var spreading = Scratch<DependentID>()
    /// Computed properties that a read updated in the middle of the commit.
    var refreshed: [DependentID] = []

    init() {
        membersName.append(OperatorName.mark)
        membersName.append("members")
    }

    @inline(__always) var isStale: Bool { staleCount > 0 }

    var isIdle: Bool {
        updates.isIdle && staleCount == 0 && staleComputed.isEmpty && staleBindings.isEmpty
            && pendingBindings == 0 && unlocated.isEmpty && spreading.isEmpty && refreshed.isEmpty
    }

    /// Whether a selection or a binding may have so many inputs in containers: clients make both, and a change of a common input
    /// visits all of them.
    func mayHave(_ inputs: Int, _ dependent: DependentID, limit: Int) -> Bool {
        guard records[dependent].isSelection || records[dependent].number != 0 else { return true }
        return elementInputs - records[dependent].elementInputs + inputs <= limit
    }

    mutating func setElementInputs(_ count: Int, of dependent: DependentID) {
        guard records[dependent].isSelection || records[dependent].number != 0 else { return }
        elementInputs += count - records[dependent].elementInputs
        records[dependent].elementInputs = count
    }

    /// Whether each change must update some dependents, also if none of their inputs changes.
    @inline(__always) var needsRetry: Bool { bindings.cyclic > 0 || !updates.unread.isEmpty }

    func exists(_ dependent: DependentID) -> Bool {
        records[dependent].property != .noRecord || records[dependent].number != 0
    }

    /// Drops freed records from the lists of computed properties.
    mutating func forgetFreed() {
        var left: [DependentID] = []
        while let dependent = staleComputed.popLast() {
            if exists(dependent) { left.append(dependent) }
        }
        for dependent in left.reversed() { staleComputed.append(dependent) }
        refreshed = refreshed.filter { exists($0) }
    }

    func binding(_ number: Int32) -> Binding? { bindings.byNumber[number].flatMap { records[$0].binding } }
}
