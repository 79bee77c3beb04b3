// SPDX-License-Identifier: MIT
// X

/// Bindings and computed properties, and the edges from the properties that they read.
struct DependentGraph: ~Copyable {
    var updates = UpdateQueue()
    var bindings = BindingTable()
    var records = Arena(blank: DependentRecord())
    var edges = Arena(blank: EdgeRecord())
    /// A property that is read → the first of its edges.
    var edgeIndex = HashIndex<EdgeRecord>()
    /// A computed property → its reader.
    var dependentIndex = HashIndex<DependentRecord>()
    /// How many readers are behind; the commit does not end before there are none.
    var staleCount = 0
    /// All that was made of templates.
    var computations: [Computation] = []
    // Readers that are behind, and what is known of them until the commit ends: see `+Settling`.
    var staleComputed = Scratch<DependentID>()
    var staleBindings: [DependentID] = []
    var areBindingsSorted = true
    /// How many bindings are behind, and those of them whose ends are yet to be entered there.
    var pendingBindings = 0
    var unlocated = Scratch<DependentID>()
    /// How often a reader was brought up to date.
    var updateCount: UInt32 = 1
    /// Readers whose own readers are to be suspected.
    var spreading = Scratch<DependentID>()
    /// Computed properties that were brought up to date in the middle of the commit.
    var refreshed: [DependentID] = []
    let templateText = ByteBuffer()
    /// The name of the property, always absent, that stands for which properties a model has. No property's name can
    /// begin so, since it is not UTF-8.
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
}
