// SPDX-License-Identifier: MIT
// Switches for the server's fast paths. Each gives the same answers and events as the general path; tests compare.

struct FastPaths {
    /// Recognize a line of a known shape instead of parsing it.
    var shapes = true
    /// Commit a `set` of a scalar without the steps of other writes.
    var scalarSets = true
    /// Look up a known path by its text.
    var knownPaths = true
    /// Load the records of later sets in the input early.
    var prefetching = true
    /// Send shared event lines to free sessions without the steps of the general path.
    var sharedDelivery = true
    /// Let sessions refer to shared lines instead of copying them.
    var broadcast = true
}
