// SPDX-License-Identifier: MIT
// Figures of one connection, which `clients` reports, and of all, which `status` reports. Independent of what they count.

/// Figures since the connection was opened. ``AttachmentRecord/countSent()`` and ``Output/rangeEvents`` count its events.
struct ClientFigures: ~Copyable {
    var openedAt = MonotonicTime(nanoseconds: 0)
    /// The same on the clock by which the kernel dates processes.
    let openedSinceBoot = TimeSinceBoot.now
    /// Requests and notifications, including each of a batch. While the server executes the client's requests, without
    /// ``Metrics/linesRead``.
    var requests = 0
    var eventsCoalesced: UInt64 = 0
    /// The events sent of subscriptions that have ended.
    var earlierEvents: UInt64 = 0
}

/// Counters, most of them since the start of the process.
struct Metrics: ~Copyable {
    let startedAt: MonotonicTime
    var linesRead = 0
    var subscriptions = 0
    /// Events sent, except those of the root `observed`: counting these would cause further ones.
    var eventsSent: UInt64 = 0
    var eventsCoalesced: UInt64 = 0
    var sessionsOverflowed: UInt64 = 0
}
