// SPDX-License-Identifier: MIT
// The limits of the tree. Independent of where they are configured.

/// The limits of sizes and depths: "Limits" in docs/protocol.md has their names and defaults.
package struct TreeLimits: Sendable {
    /// The most bytes of one rendering.
    package var maxRenderedBytes = 1 << 20
    /// The most components of a path, and levels of a value or rendering. At most 256: some walks recurse that deep.
    package var maxDepth = 64
    /// The most paths that one pattern may match.
    package var maxMatches = 65536
    /// The most elements and properties that the operators and conditions of one request may look at. The same for the bindings
    /// and operators of one commit, for an array that a binding carries, and for the places that a pattern leads through.
    package var maxElements = 1 << 17
    /// The most bindings that clients may make, those of the configuration included.
    package var maxBindings = 4096

    /// The most temporary values of one property.
    package var maxLifetimes = 1 << 14
    /// The most commits of the history.
    package var maxHistoryCommits = 1000
    /// The most bytes of text, arrays and long names that only the history holds.
    package var maxHistoryBytes = 1 << 20
    /// The most bytes of memory that models, properties, names and values may take: see ``ModelTree/usedBytes``.
    package var maxTreeBytes = 1 << 30

    package init() {}

    @inline(__always) func mayRender(_ byteCount: Int) -> Bool { byteCount <= maxRenderedBytes }

    var computing: ComputingLimits {
        get { ComputingLimits(maxElements: maxElements, maxRenderedBytes: maxRenderedBytes) }
        set { (maxElements, maxRenderedBytes) = (newValue.maxElements, newValue.maxRenderedBytes) }
    }
}

/// What decides whether a computed property has a value.
struct ComputingLimits: Equatable {
    let maxElements: Int
    let maxRenderedBytes: Int
    /// Whether a commit since had too few looks to compute all. A start may give these looks to other properties.
    var ranShort = false
}
