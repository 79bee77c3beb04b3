// SPDX-License-Identifier: MIT
// The marks of one connection. Independent of trees and sockets.

struct SessionMarks: Blank, ~Copyable {
    /// By number: those that are behind, paced ones, and those with paths that no longer match.
    private var subscriptions = NumberMap<MarkedSubscription>()
    private var paths = NumberMap<MarkedPath>()
    /// Those with due marks, the oldest first. Those before ``head`` are done.
    private var behind: ContiguousArray<MarkedSubscription> = []
    private var head = 0

    var isEmpty: Bool { subscriptions.isEmpty }

    func subscription(_ number: Int32) -> MarkedSubscription? { subscriptions[number] }

    mutating func add(_ subscription: MarkedSubscription) {
        subscriptions[subscription.number] = subscription
    }

    mutating func remove(_ subscription: MarkedSubscription) {
        subscription.end()
        subscriptions.remove(subscription.number)
    }

    func end() { for subscription in subscriptions.all { subscription.value.end() } }

    func path(of attachment: AttachmentID) -> MarkedPath? { paths[attachment.number] }

    mutating func add(_ path: MarkedPath) { paths[path.attachment.number] = path }

    mutating func forget(_ attachment: AttachmentID) { paths.remove(attachment.number) }

    // MARK: Behind

    mutating func noteBehind(_ subscription: MarkedSubscription) {
        guard !subscription.isBehind else { return }
        subscription.isBehind = true
        behind.append(subscription)
    }

    /// The subscription whose due events come first.
    mutating func firstBehind() -> MarkedSubscription? {
        while head < behind.count {
            let subscription = behind[head]
            if !subscription.isOver, subscription.hasDue { return subscription }
            subscription.isBehind = false
            if !subscription.isOver, subscription.isUseless { remove(subscription) }
            head += 1
        }
        behind.removeAll(keepingCapacity: behind.count <= 64)
        head = 0
        return nil
    }

    var hasOpenFrame: Bool { head < behind.count && behind[head].hasOpenFrame }
}
