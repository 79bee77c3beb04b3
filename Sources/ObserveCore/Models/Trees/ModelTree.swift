// SPDX-License-Identifier: MIT
// The whole tree, and the map of how a commit works. Independent of clients, queues and threads.

/// Observable models with shared and weak references, and the index of all observed paths.
///
/// The roots are the properties of one model without a holder (``Records/root``). So a root is assigned, observed and removed
/// like any property.
///
/// The uppermost storey has no state: it calls those below in the order of ``commit(_:)``. ARCHITECTURE.md and
/// docs/internals/the-commit.md have the steps of a commit.
///
/// - Threading: its owner confines it to one queue. The tree calls the sink there during a commit, and the sink must not write.
package final class ModelTree: HistoryTree {
    /// How many models exist, without the set of roots, staged models, and the released models in the history.
    package var modelCount: Int {
        records.models.count - 1 - records.staging.modelCount - history.released.count
            + history.livingAgain.count - history.unfreed.models.count
    }

    /// Whether ``layOut(_:)`` is running, so that all roots and links belong to one commit.
    package var isLayingOut: Bool { pending.isLayingOut }

    /// How many bindings failed at their last write, and how many writes of bindings have failed so far.
    package var failingBindings: Int { dependents.bindings.failing }
    package var failedBindingWrites: UInt64 { dependents.bindings.failedWrites }
}
