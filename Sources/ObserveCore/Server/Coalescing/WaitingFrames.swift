// SPDX-License-Identifier: MIT
// Which waiting entries of an outbox belong to one frame. Independent of their contents.

/// The waiting entries of each subscription whose events come in frames, by their numbers in the outbox.
///
/// - Bounds: one number for each entry, and one for each that has left or was dropped since the last compaction.
struct WaitingFrames {
    private struct Numbers {
        var numbers: [Int] = []
        var head = 0

        var isEmpty: Bool { head == numbers.count }

        mutating func removeAllIfEmpty() {
            guard isEmpty else { return }
            numbers.removeAll(keepingCapacity: true)
            head = 0
        }
    }

    private var bySubscription: [Int32: Numbers] = [:]

    /// Adds an entry; its number is the highest.
    mutating func append(_ number: Int, to subscription: Int32) {
        bySubscription[subscription, default: Numbers()].numbers.append(number)
    }

    func first(of subscription: Int32) -> Int? {
        guard let frame = bySubscription[subscription], !frame.isEmpty else { return nil }
        return frame.numbers[frame.head]
    }

    func last(of subscription: Int32) -> Int? {
        guard let frame = bySubscription[subscription], !frame.isEmpty else { return nil }
        return frame.numbers.last
    }

    mutating func removeFirst(of subscription: Int32) {
        bySubscription[subscription]?.head += 1
        bySubscription[subscription]?.removeAllIfEmpty()
    }

    mutating func removeLast(of subscription: Int32) {
        bySubscription[subscription]?.numbers.removeLast()
        bySubscription[subscription]?.removeAllIfEmpty()
    }

    /// Forgets all numbers, before the outbox gives others.
    mutating func removeAll() { bySubscription = [:] }
}
