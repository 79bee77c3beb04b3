// SPDX-License-Identifier: MIT
// What every storey of the tree reads: the models, the open commit, and the observed paths.

/// The state at the bottom of a ``ModelTree``.
///
/// A tree is built in storeys: each is a class with the state and the methods that it adds, and the next one inherits them.
/// So a method can't name what lies above it. From the lowest:
///
/// - `TreeState` (`Models`, `Paths`): records, the open commit, observed paths; names of nodes.
/// - ``AssigningTree`` (`Assigning`): touches, assignments, released models, temporary values; the callbacks of a commit.
/// - ``DerivingTree`` (`Dependents`, `Walking`, `Selections`): computed properties; walking a path, which updates them;
///   conditions and choices.
/// - ``OperatorTree`` (`Operators`): collection operators.
/// - ``ObservingTree`` (`Observing`): observing paths and patterns.
/// - ``NotifyingTree`` (`Notifying`): compares the old and new values of observed paths, and calls the sink.
/// - ``WritingTree`` (`Commits`, `Importing`): writes by path; another tree's models.
/// - ``BindingTree`` (`Bindings`): bindings.
/// - ``HistoryTree`` (`History`, `Adapting`): past commits; other declared types.
/// - ``ModelTree`` (`Trees`, `Hosting`, `Explaining`): the cycle of a commit, and the interfaces of the tree; Swift models.
///
/// Each stored property of a storey is a component. Its type is in a room below: `Store` (``Records``), `Types` (``Typing``) or
/// `Components`; only ``CommitHooks`` is here, since a ``CommitView`` reads the tree.
package class TreeState {
    /// Counts commits: "Revisions" in docs/protocol.md.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe package internal(set) final var revision: UInt64 = 0
    // A buffer is not in a component: reading it there would count a reference.

    /// Text for one call at a time; the next user overwrites it.
    final let scratchText = ByteBuffer()

    /// Models, properties, names and texts.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe final var records: Records
    /// The declared types.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe final var typing = Typing()
    /// Observed paths, and the properties that they lead to now.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe final var paths = PathIndex()
    /// The open commit.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe final var pending = PendingCommit()

    init(limits: TreeLimits) { records = Records(limits: limits) }

    /// The revision that the open commit will have.
    final var pendingRevision: UInt64 { revision + 1 }

    // Not copied: it is read for each value.
    package final var limits: TreeLimits { _read { yield records.limits } }

    /// Calls `body` with the model's properties in their order. It may free the one that it gets,
    /// but not the next one.
    @inline(__always)
    final func forEachProperty<E: Error>(of model: ModelID, _ body: (PropertyID) throws(E) -> Void) throws(E)
    {
        var id = records.models[model].first
        while id != .noRecord {
            let next = records.properties[id].next
            try body(id)
            id = next
        }
    }
}
