// SPDX-License-Identifier: MIT
// Figures of one connection, which `clients` reports. Independent of what they count.

/// When a connection was opened, and counters since then. The events are counted where they are sent: see
/// ``AttachmentRecord/countSent()`` and ``Output/rangeEvents``.
struct ClientFigures {
    var openedAt = MonotonicTime(nanoseconds: 0)
    /// The same on the clock by which the kernel dates processes.
    let moment = ProcessMoment.now
    /// Requests and notifications, including each of a batch. While the hub executes the client's requests, without
    /// ``Metrics/linesRead``.
    var requests = 0
    var eventsCoalesced: UInt64 = 0
    /// The events of each subscription that its attachments no longer count, and those of ended subscriptions.
    var earlierEvents: [Int32: UInt64] = [:]
    var endedEvents: UInt64 = 0
}
