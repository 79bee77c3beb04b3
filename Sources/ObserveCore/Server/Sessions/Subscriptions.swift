// SPDX-License-Identifier: MIT
// The subscriptions of one connection by their numbers. Independent of paths and events.

/// Finds a connection's subscriptions by number. Numbers count up and are not reused.
struct Subscriptions: ~Copyable {
    /// The first attachment of each subscription whose paths are all literal.
    var literal = SubscriptionTable()
    /// The subscriptions that have a pattern.
    var patterns: [Int32: CompoundID] = [:]
    /// The tags of subscriptions, as JSON.
    var tags: [Int32: [UInt8]] = [:]
    /// How many paths and patterns the subscriptions observe.
    var pathCount = 0
    /// How many of them have `throttle` or `debounce`.
    var pacedCount = 0
    /// How much all patterns match, apart from those of the root `observed`.
    let matches = PatternAccount()
    /// The nodes for the patterns of the subscription that is being made.
    var preparation: PatternPreparation?
    /// The last number in use.
    var last: Int32 = 0

    var isEmpty: Bool { literal.isEmpty && patterns.isEmpty }
    /// Whether there is an open subscription of that number.
    func contains(_ number: Int32) -> Bool { patterns[number] != nil || literal[number] != nil }
    var count: Int { literal.count + patterns.count }
}
