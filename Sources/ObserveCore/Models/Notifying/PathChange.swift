// SPDX-License-Identifier: MIT
// One change of one observed path, as observers are notified of it.

/// One observed path and what a commit did to its value.
struct PathChange {
    var node: NodeID
    var reason: ChangeReason
    /// The first component that was assigned, where that is an earlier one than the last.
    var changedAt: NodeID = .noRecord
    /// The first component that is null (or a scalar that something was read through), where it is an earlier one.
    var nilAt: NodeID = .noRecord
    /// The value before the commit; of an array that was edited, see ``edit``.
    var old: StoredValue
    var new: StoredValue
    /// The one change to an array: then ``old`` is not given, ``ModelTree/oldValue(of:)`` makes it.
    var edit: ArrayEdit?
    /// Where below the node's path the change was, for observers that are ``ObservingOptions/deep``: as it follows
    /// the path's text in a JSON string. Nil for the path itself. Valid as long as the change is told.
    var suffix: ByteBuffer?
    /// False for an assignment of an equal value: only observers that are not `distinct` want that.
    var differs: Bool
    /// Who made it.
    var cause = ChangeCause.writer
}
