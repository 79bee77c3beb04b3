// SPDX-License-Identifier: MIT
// The whole tree, and the map of how a commit works. Independent of clients, queues and threads.

/// Observable models with shared and weak references, and the index of all observed paths.
///
/// The roots are the properties of one model without a holder (``Records/root``). So a root is assigned,
/// observed and removed like any property.
///
/// This is the uppermost of the storeys that ``TreeState`` lists. It has no state of its own: it calls the storeys below in order.
/// A commit takes these steps (``commit(_:)`` has the order):
///
/// 1. Walk: ``walk(_:)`` finds the place that a path names (`Walking`).
/// 2. Assign: a write compares the values, assigns, counts references and notes each touched property
///    (`Commits/WritingTree+Writing`, `Assigning`; `Store/Records+References`).
/// 3. Release: the tree releases models without a strong reference, and nulls weak references to them
///    (`Assigning/AssigningTree+Releasing`).
/// 4. Update dependents: the tree updates stale computed properties and bindings (`Bindings/BindingTree+Updating`).
/// 5. Record: the recorder gets the commit, and may refuse it (`Commits/WritingTree+Recording`).
/// 6. Notify: the tree visits the nodes of each touched property and rebinds branches that lead elsewhere. It
///    calls the sink once for each changed path (`Notifying/NotifyingTree+Notifying`).
/// 7. Remember: the history takes over the touches and the released models (`History/HistoryTree+History`).
/// 8. Free: released models outside the history return to the arena.
///
/// A write of one scalar without other effects takes the fast path (`Trees/ModelTree+ScalarCommits`).
///
/// - Threading: none of its own. Its owner confines it to one queue. The tree calls the sink on that queue
///   during a commit, and the sink must not write.
package final class ModelTree: HistoryTree {
    package convenience init(limits: TreeLimits = TreeLimits()) {
        self.init(limits: limits, isReadOnly: false)
    }

    /// How many models exist, without the set of roots, staged models, and the released models in the history.
    package var modelCount: Int {
        records.models.count - 1 - records.staging.modelCount - history.released.count
            + history.livingAgain.count
            - history.unfreed.models.count
    }

    /// Whether ``layOut(_:)`` is running, so that all roots and links belong to one commit.
    package var isLayingOut: Bool { pending.isLayingOut }

    /// How many bindings failed at their last write, and how many writes of bindings have failed so far.
    package var failingBindings: Int { dependents.bindings.failing }
    package var failedBindingWrites: UInt64 { dependents.bindings.failedWrites }
}
