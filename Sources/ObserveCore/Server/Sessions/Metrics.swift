// SPDX-License-Identifier: MIT
// The counters that `status` reports.

/// Counters, most of them since the start of the process.
struct Metrics: ~Copyable {
    let startedAt: MonotonicTime
    /// Lines received from clients.
    var linesRead = 0
    /// Subscriptions that are open now.
    var subscriptions = 0
    /// Events sent, except those of the root `observed`: counting these would cause further ones.
    var eventsSent: UInt64 = 0
    var eventsCoalesced: UInt64 = 0
    var sessionsOverflowed: UInt64 = 0

    init(startedAt: MonotonicTime) { self.startedAt = startedAt }
}
