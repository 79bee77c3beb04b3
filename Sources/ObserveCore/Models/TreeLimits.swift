// SPDX-License-Identifier: MIT
// The tree's limits. Knows nothing of where they are configured.

/// How large things may get; contract §8's names and defaults.
package struct TreeLimits: Sendable {
    /// Bytes of one rendering.
    package var maxRenderedBytes = 1 << 20
    /// Components of a path, and levels of a value or rendering. At most 256: some walks recurse that deep.
    package var maxDepth = 64
    /// Places that one pattern's stars are at, and paths that it matches: few links make many paths.
    package var maxMatches = 1 << 20

    package init() {}
}
