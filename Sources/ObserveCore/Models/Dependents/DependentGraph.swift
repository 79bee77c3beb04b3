// SPDX-License-Identifier: MIT
// The dependency graph: dependents, and edges to the properties that they read.

/// Bindings and computed properties, and the edges from the properties that they read.
struct DependentGraph: ~Copyable {
    var updates = UpdateQueue()
    var bindings = BindingTable()
    var records = Arena(blank: DependentRecord())
    var edges = Arena(blank: EdgeRecord())
    /// The first edge of each property that a dependent reads.
    var edgeIndex = HashIndex<EdgeRecord>()
    /// The dependent of each computed property.
    var dependentIndex = HashIndex<DependentRecord>()
    /// How many dependents are stale or maybe stale; the commit updates all of them before it ends.
    var staleCount = 0
    /// The compiled templates.
    var computations: [Computation] = []
    // Queues of dependents, and their state until the commit ends: see `ModelTree+Updating`.
    var staleComputed = Scratch<DependentID>()
    var staleBindings: [DependentID] = []
    var areBindingsSorted = true
    /// How many bindings are stale or maybe stale, and those of them whose ends are not located yet.
    var pendingBindings = 0
    var unlocated = Scratch<DependentID>()
    /// Counts the updates of dependents.
    var updateCount: UInt32 = 1
    /// Dependents whose own dependents become maybe stale next.
    var spreading = Scratch<DependentID>()
    /// Computed properties that were updated in the middle of the commit.
    var refreshed: [DependentID] = []
    let templateText = ByteBuffer()
    /// The name of an always absent property, which stands for the set of a model's properties. No other name
    /// begins like this, since it is not UTF-8.
    let membersName = ByteBuffer(capacity: 16)

    init() {
        membersName.append(OperatorName.mark)
        membersName.append("members")
    }

    /// Drops stale computed properties whose records were freed.
    mutating func forgetFreed() {
        var left: [DependentID] = []
        while let dependent = staleComputed.popLast() {
            if records[dependent].property != .noRecord { left.append(dependent) }
        }
        for dependent in left.reversed() { staleComputed.append(dependent) }
    }

    /// The binding with that number.
    func binding(_ number: Int32) -> Binding? {
        bindings.byNumber[number].flatMap { records[$0].binding }
    }
}
