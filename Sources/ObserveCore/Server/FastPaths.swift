// SPDX-License-Identifier: MIT
// Switches for the hub's fast paths. Tests run with each of them off and compare.

/// The fast paths that a hub may take. Each gives the same answers and events as the general path.
struct FastPaths {
    /// A line of a known shape is recognized rather than parsed.
    var shapes = true
    /// A `set` of a scalar commits without the steps of other writes.
    var scalarSets = true
    /// A path that was resolved before is looked up by its text.
    var knownPaths = true
    /// The records of sets further back in the input are loaded early.
    var prefetching = true
    /// Subscribers without options share the lines of an event.
    var sharedDelivery = true
    /// Sessions refer to shared lines rather than copying them.
    var broadcast = true
    /// A large batch syncs while the next one is made.
    var overlappedSync = true
}
