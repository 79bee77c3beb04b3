// SPDX-License-Identifier: MIT
// The state behind derived values: selections, and the last walk.

/// A tree with computed properties. A walk updates those that it reads, so paths are walked here as well.
package class DerivingTree: AssigningTree {
    /// Conditions and choices while past commits are replayed.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe final var selections = SelectionTable()
    /// The result of the last walk.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe final var walk = WalkState()
    final let templateText = ByteBuffer()
    /// The value of an operator or a selection that would look at too much.
    final let excess = StoredValue.array(.makeExcess())
}
