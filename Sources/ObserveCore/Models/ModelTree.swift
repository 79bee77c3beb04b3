// SPDX-License-Identifier: MIT
// The tree: its components, and the map of how a commit works. Independent of clients, queues and threads.

/// Observable models with shared and weak references, and the index of all observed paths.
///
/// The roots are the properties of one model without a holder (``Records/root``). So a root is assigned,
/// observed and removed like any property.
///
/// Each stored property below is a component. Its type is in a room below: `Store` (``Records``), `Types` (``Typing``) or
/// `Components`; only ``CommitHooks``, whose protocols name the tree, is here. The rooms above hold the tree's methods, and each
/// calls only itself and those below it. From the lowest:
///
/// - `Paths`, `Assigning`: names of nodes; touches, assignments, released models, temporary values.
/// - `Dependents`, `Walking`, `Selections`, `Operators`: computed properties; walking a path, which updates them; conditions,
///   choices and collection operators.
/// - `Observing`, `Notifying`: observed paths and patterns; comparing their old and new values, and calling the sink.
/// - `Commits`, `Importing`, `Bindings`: writes by path, another tree's models, bindings.
/// - `Hosting`, `History`, `Adapting`: Swift models, past commits, other declared types.
/// - `Trees`: the cycle of a commit, and the interfaces for the owner (`ModelTree+Owning`), for programs (`+Layout`), for
///   other rooms (``TreeReader``) and for recovery (``TreeBuilder``).
/// - `Explaining`: reasons and references of one value.
///
/// A commit takes these steps (``commit(_:)`` has the order):
///
/// 1. Walk: ``walk(_:)`` finds the place that a path names (`Walking`).
/// 2. Assign: a write compares the values, assigns, counts references and notes each touched property
///    (`Commits/ModelTree+Writing`, `Assigning`; `Store/Records+References`).
/// 3. Release: the tree releases models without a strong reference, and nulls weak references to them
///    (`Assigning/ModelTree+Releasing`).
/// 4. Update dependents: the tree updates stale computed properties and bindings (`Bindings/ModelTree+Updating`).
/// 5. Record: the recorder gets the commit, and may refuse it (`Commits/ModelTree+Recording`).
/// 6. Notify: the tree visits the nodes of each touched property and rebinds branches that lead elsewhere. It
///    calls the sink once for each changed path (`Notifying/ModelTree+Notifying`).
/// 7. Remember: the history takes over the touches and the released models (`History/ModelTree+History`).
/// 8. Free: released models outside the history return to the arena.
///
/// A write of one scalar without other effects takes the fast path (`Trees/ModelTree+ScalarCommits`).
///
/// - Threading: none of its own. Its owner confines it to one queue. The tree calls the sink on that queue
///   during a commit, and the sink must not write.
package final class ModelTree {
    /// Whether clients can't write to the tree. Only such a tree may have the reserved root `observed`.
    let isReadOnly: Bool
    /// Counts commits: "Revisions" in docs/protocol.md.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe package internal(set) var revision: UInt64 = 0
    /// The Swift models in the tree.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe var hosted: (any CommitExchange)?
    // The buffers are not in components: reading them there would count a reference.

    /// Text for one call at a time; the next user overwrites it.
    let scratchText = ByteBuffer()
    /// The text of a computed property's template.
    let templateText = ByteBuffer()

    /// Models, properties, names and texts.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe var records: Records
    /// Observed paths, and the properties that they lead to now.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe var paths = PathIndex()
    /// Observed patterns.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe var wildcards = WildcardTable()
    /// Observed collection operators.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe var operators = OperatorTable()
    /// Bindings and computed properties.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe var dependents: DependentGraph
    /// Conditions and choices while past commits are replayed.
    var selections = SelectionTable()
    /// Temporary values, and the values they shadow.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe var temporary = TemporaryValues()
    /// The declared types.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe var typing = Typing()
    /// The result of the last walk.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe var walk = WalkState()
    /// The open commit.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe var pending = PendingCommit()
    /// The state of notifying observers of the open commit.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe var notification = Notification()
    /// The last commits.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe var history = History()
    /// The callbacks of a commit.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe var hooks = CommitHooks()

    package convenience init(limits: TreeLimits = TreeLimits()) {
        self.init(limits: limits, isReadOnly: false)
    }

    init(limits: TreeLimits, isReadOnly: Bool) {
        records = Records(limits: limits)
        dependents = DependentGraph(limits: limits)
        self.isReadOnly = isReadOnly
    }

    /// How many models exist, without the set of roots, staged models, and the released models in the history.
    package var modelCount: Int {
        records.models.count - 1 - records.staging.modelCount - history.released.count
            + history.livingAgain.count
            - history.unfreed.models.count
    }

    /// The revision that the open commit will have.
    var pendingRevision: UInt64 { revision + 1 }

    // Not copied: it is read for each value.
    package var limits: TreeLimits { _read { yield records.limits } }

    /// Whether ``layOut(_:)`` is running, so that all roots and links belong to one commit.
    package var isLayingOut: Bool { pending.isLayingOut }

    package var bindingCount: Int { dependents.bindings.byNumber.count }

    /// How many bindings failed at their last write, and how many writes of bindings have failed so far.
    package var failingBindings: Int { dependents.bindings.failing }
    package var failedBindingWrites: UInt64 { dependents.bindings.failedWrites }
}
