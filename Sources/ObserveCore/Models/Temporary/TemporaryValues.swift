// SPDX-License-Identifier: MIT
// X

/// Stacks of temporary values and the values they shadow.
struct TemporaryValues: ~Copyable {
    /// What lies below the values that end, the permanent value first; and where to find the overlays of each owner
    /// and those that end by time.
    var stacks: [PropertyID: [TemporaryValue]] = [:]
    var owners: [Int32: Set<PropertyID>] = [:]
    var timed: [UInt64: PropertyID] = [:]
    var last: UInt64 = 0
    /// The stacks that the commit under way has changed, as they were before it.
    var saved: [PropertyID: [TemporaryValue]] = [:]
}
