// SPDX-License-Identifier: MIT
// The tree: its components, and the map of how a commit works. Independent of clients, queues and threads.

/// Observable models with shared and weak references, and the index of all observed paths.
///
/// The roots are the properties of one model without a holder (``Records/root``). So a root is assigned,
/// observed and removed like any property.
///
/// Each stored property below is a component, and a folder holds each component's code:
///
/// - `Records`: models, properties, names and texts as numbered records (``Records``).
/// - `Paths`: walking a path, and the trie of observed paths and patterns (``WalkState``, ``PathIndex``,
///   ``WildcardTable``).
/// - `Commits`: writing, counting references, committing, rolling back (``PendingCommit``, ``CommitHooks``).
/// - `Notifying`: comparing each observed path's old and new value, and calling the sink (``Notification``).
/// - `Operators`: collection operators, observed or evaluated once (``OperatorTable``).
/// - `Dependents`: computed properties and bindings (``DependentGraph``).
/// - `Temporary`: values with a lifetime, and the values they shadow (``TemporaryValues``).
/// - `Types`: declared model types, and the check of a value against them (``Typing``). Other models are
///   open.
/// - `History`: the last commits, to replay and to undo (``History``).
/// - `Hosting`: Swift models in the tree (``HostedModels``).
/// - `Reading`: values as JSON, and `describe`.
///
/// A commit takes these steps (``commit(_:)`` has the order):
///
/// 1. Walk: ``walk(_:)`` finds the place that a path names (`Paths/ModelTree+Walking`).
/// 2. Assign: a write compares the values, assigns, counts references and notes each touched property
///    (`Commits`: `+Writing`, `+Assigning`, `+References`).
/// 3. Release: models without a strong reference are released, and weak references to them become null
///    (`Commits/ModelTree+Releasing`).
/// 4. Update dependents: stale computed properties and bindings are updated
///    (`Dependents/ModelTree+Updating`).
/// 5. Notify: the tree visits the nodes of each touched property and rebinds branches that lead elsewhere. It
///    calls the sink once for each changed path (`Notifying/ModelTree+Notifying`).
/// 6. Remember: the history takes over the touches and the released models (`History/ModelTree+History`).
/// 7. Free: released models outside the history return to the arena.
///
/// A write of one scalar without other effects takes the fast path (`Commits/ModelTree+ScalarCommits`).
///
/// - Threading: none of its own. Its owner confines it to one queue. The tree calls the sink on that queue
///   during a commit, and the sink must not write.
package final class ModelTree {
    /// Clients can't write to the tree, and it may have the reserved root.
    let isReadOnly: Bool
    /// Counts commits: "Revisions" in docs/protocol.md.
    package internal(set) var revision: UInt64 = 0
    /// The Swift models in the tree.
    var hosted: HostedModels?

    /// Models, properties, names and texts.
    @safe @exclusivity(unchecked) var records: Records
    /// Observed paths, and the properties that they lead to now.
    @safe @exclusivity(unchecked) var paths = PathIndex()
    /// Observed patterns.
    @safe @exclusivity(unchecked) var wildcards = WildcardTable()
    /// Observed collection operators.
    @safe @exclusivity(unchecked) var operators = OperatorTable()
    /// Bindings and computed properties.
    @safe @exclusivity(unchecked) var dependents = DependentGraph()
    /// Temporary values, and the values they shadow.
    @safe @exclusivity(unchecked) var temporary = TemporaryValues()
    /// The declared types.
    @safe @exclusivity(unchecked) var typing = Typing()
    /// The result of the last walk.
    @safe @exclusivity(unchecked) var walk = WalkState()
    /// The open commit.
    @safe @exclusivity(unchecked) var pending = PendingCommit()
    /// The state of notifying observers of the open commit.
    @safe @exclusivity(unchecked) var notification = Notification()
    /// The last commits.
    @safe @exclusivity(unchecked) var history = History()
    /// The callbacks of a commit.
    @safe @exclusivity(unchecked) var hooks = CommitHooks()

    package convenience init(limits: TreeLimits = TreeLimits()) {
        self.init(limits: limits, isReadOnly: false)
    }

    init(limits: TreeLimits, isReadOnly: Bool) {
        records = Records(limits: limits)
        self.isReadOnly = isReadOnly
    }

    /// How many models exist, without the set of roots and the released models in the history.
    package var modelCount: Int { records.models.count - 1 - history.released.count }

    /// Whether ``layOut(_:)`` is running, so that all roots and links belong to one commit.
    package var limits: TreeLimits { records.limits }

    package var isLayingOut: Bool { pending.isLayingOut }

    package var bindingCount: Int { dependents.bindings.byNumber.count }

    /// How many bindings could not make their last write, and how many of their writes have failed so far.
    package var failingBindings: Int { dependents.bindings.failing }
    package var failedBindingWrites: UInt64 { dependents.bindings.failedWrites }
}
