// SPDX-License-Identifier: MIT
// One change of one observed path, as observers are notified of it.

/// One observed path and what a commit did to its value.
struct PathChange {
    var node: NodeID
    var reason: ChangeReason
    /// The first assigned component, if it is an earlier one than the last.
    var changedAt: NodeID = .noRecord
    /// The first component that is null, or a scalar with components after it, if it is an earlier one than
    /// the last.
    var nilAt: NodeID = .noRecord
    /// The value before the commit; for an edited array, see ``edit``.
    var old: StoredValue
    var new: StoredValue
    /// The single edit of an array. Then ``old`` is absent, and ``ModelTree/oldValue(of:)`` computes it.
    var edit: ArrayEdit?
    /// The way below the node's path, for observers with ``ObservingOptions/deep``, as it follows the path's
    /// text in a JSON string. Nil for the path itself. Valid while the sink is called.
    var suffix: ByteBuffer?
    /// False for an assignment of an equal value: only observers without `distinct` get that.
    var differs: Bool
    /// The cause of the change.
    var cause = ChangeCause.writer
}
