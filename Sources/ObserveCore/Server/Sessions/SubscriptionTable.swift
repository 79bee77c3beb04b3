// SPDX-License-Identifier: MIT
// Finds a connection's subscriptions by their numbers. Independent of paths and patterns.

/// The first attachment of each subscription, by the subscription's number.
///
/// Numbers count up on each connection and are not reused. So the latest subscriptions are in an array, four bytes
/// each. When most of these are gone, the others move to a dictionary.
///
/// - Bounds: the array has at most five entries for each of its subscriptions, and 32 more.
/// - Cost: O(1), amortised.
struct SubscriptionTable {
    /// The number of `latest[0]`.
    private var base: Int32 = 1
    /// How many entries of ``latest`` have a subscription.
    private var latestCount: Int32 = 0
    /// `noRecord` for numbers without a subscription.
    private var latest: ContiguousArray<AttachmentID> = []
    private var lasting: [Int32: AttachmentID] = [:]

    var count: Int { Int(latestCount) + lasting.count }
    var isEmpty: Bool { count == 0 }

    subscript(number: Int32) -> AttachmentID? {
        guard number >= base else { return lasting[number] }
        let index = Int(number) - Int(base)
        return index < latest.count && latest[index] != .noRecord ? latest[index] : nil
    }

    /// Adds a subscription; its number is higher than any before.
    mutating func append(_ number: Int32, _ first: AttachmentID) {
        let gap = Int(number) - Int(base) - latest.count
        precondition(gap >= 0, "subscriptions are numbered upwards")
        if isSparse(latest.count + gap) {
            moveToDictionary()
            base = number
        } else {
            for _ in 0..<gap { latest.append(.noRecord) }
        }
        latest.append(first)
        latestCount += 1
    }

    /// Removes a subscription; nil if there is none of that number.
    mutating func remove(_ number: Int32) -> AttachmentID? {
        guard number >= base else { return lasting.removeValue(forKey: number) }
        guard let first = self[number] else { return nil }
        latest[Int(number) - Int(base)] = .noRecord
        latestCount -= 1
        if isSparse(latest.count) { moveToDictionary() }
        return first
    }

    /// Removes any subscription; nil if there is none.
    mutating func popAny() -> AttachmentID? {
        while let first = latest.popLast() {
            guard first != .noRecord else { continue }
            latestCount -= 1
            return first
        }
        return lasting.popFirst()?.value
    }

    func forEach(_ body: (AttachmentID) -> Void) {
        for first in lasting.values { body(first) }
        for first in latest where first != .noRecord { body(first) }
    }

    private func isSparse(_ room: Int) -> Bool { room > 5 * Int(latestCount) + 32 }

    /// Moves the remaining subscriptions to the dictionary.
    private mutating func moveToDictionary() {
        for (index, first) in latest.enumerated() where first != .noRecord {
            lasting[base + Int32(index)] = first
        }
        base += Int32(latest.count)
        latest = []
        latestCount = 0
    }
}
