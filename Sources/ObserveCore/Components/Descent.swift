// SPDX-License-Identifier: MIT
// The way from a touched property down to an observed path.

/// A path node bound to a touched property.
struct Affected {
    let node: NodeID
    /// Twice the depth, and 1 more for a selection.
    let order: Int32
    let touch: Int32
}

/// The state of the way from a touched property down to a node.
struct Descent {
    /// The first node on the way with a changed value; `noRecord` for the node itself.
    var changedAt = NodeID.noRecord
    /// The first node on the way that the commit assigned, even if the value is equal.
    var assignedAt = NodeID.noRecord
    /// The first node on the way that is not a container.
    var nilAt = NodeID.noRecord
    var isSourceDeleted = false
    /// The cause of the assignment at which the way begins.
    var cause = ChangeCause.writer
    /// The number of the touch on the way whose elements have causes of their own, else 0. See ``Touch/elementCauses``.
    var mixedTouch: Int32 = 0
}
