// SPDX-License-Identifier: MIT
// The state behind observed patterns.

/// A tree whose paths and patterns are observed. ``NotifyingTree`` notifies their observers.
package class ObservingTree: OperatorTree {
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe final var wildcards = WildcardTable()
}
