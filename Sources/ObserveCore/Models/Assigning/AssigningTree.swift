// SPDX-License-Identifier: MIT
// The state behind assignments: dependents, temporary values, the last commits, and the callbacks.

/// A tree whose properties are assigned, by ``WritingTree``: notes each touch, counts references, and releases models.
package class AssigningTree: TreeState {
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe final var dependents = DependentGraph()
    /// Temporary values, and the values they shadow.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe final var stacks = ValueStacks()
    /// The last commits, and released models that are not freed yet.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe final var history = History()
    /// The callbacks of a commit.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe final var hooks = CommitHooks()
}
