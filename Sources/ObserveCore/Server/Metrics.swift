// SPDX-License-Identifier: MIT
// The counters that `status` reports.

/// Counters since the start of the process.
struct Metrics: ~Copyable {
    let startedAt: MonotonicTime
    /// Lines from clients.
    var linesRead = 0
    /// Subscriptions that there are.
    var subscriptions = 0
    /// Events, without those about the daemon itself: sending them would change what they report.
    var eventsSent: UInt64 = 0
    var eventsCoalesced: UInt64 = 0
    var sessionsOverflowed: UInt64 = 0

    init(startedAt: MonotonicTime) { self.startedAt = startedAt }

    /// Counts the event of an attachment.
    @inline(__always)
    mutating func countSent(_ attachment: AttachmentRecord) {
        if !attachment.isDaemons { eventsSent &+= 1 }
    }

    /// Counts the changes that one event replaces.
    mutating func countCoalesced(_ changes: Int) {
        if changes > 1 { eventsCoalesced &+= UInt64(changes - 1) }
    }
}
