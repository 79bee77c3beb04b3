// SPDX-License-Identifier: MIT
// What every storey of the tree reads: the models, the open commit, and the observed paths.

/// The state at the bottom of a ``ModelTree``.
///
/// A tree is built in storeys: each is a class with the state and the methods that it adds, and the next one inherits them.
/// docs/internals/rooms-and-storeys.md lists them. Each stored property of a storey is a component, whose type is in a room
/// below.
package class TreeState {
    /// Counts commits: "Revisions" in docs/protocol.md.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe package internal(set) final var revision: UInt64 = 0
    // A buffer is not in a component: reading it there would count a reference.

    /// Text for one call at a time; the next user overwrites it.
    final let scratchText = ByteBuffer()

    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe final var records: Records
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

    /// Calls `body` with the model's properties in their order. It may free the one that it gets, but not the next one.
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
