// SPDX-License-Identifier: MIT
// The way from a touched property down to an observed path.

/// A path node bound to something that the commit touched.
struct Affected {
    let node: NodeID
    let depth: Int32
    let touch: Int32
}

/// What the way from a touched property down to a node has shown so far.
struct Descent {
    /// The first node on the way that was given another value; `noRecord` at that node itself.
    var changedAt = NodeID.noRecord
    /// The first node on the way that was assigned at all, an equal value included.
    var assignedAt = NodeID.noRecord
    /// The first node on the way that leads no further.
    var nilAt = NodeID.noRecord
    var isSourceDeleted = false
    /// Who assigned what the way began with.
    var cause = ChangeCause.writer
}
