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
    private var rare = Rare<EarlierEvents>()

    /// The events that no attachment counts any more.
    var earlier: EarlierEvents {
        _read { yield rare.value }
        _modify { yield &rare.value }
    }

    /// Moves the events of a subscription, which is about to end, to those of the ended ones.
    mutating func end(_ number: Int32, _ events: UInt64) {
        if events > 0 { earlier.ended &+= events }
        if rare.isMade { earlier.ofOpen[number] = nil }
    }
}

/// Figures that are 0 for most clients: see ``ClientFigures``.
struct EarlierEvents: Blank, ~Copyable {
    var coalesced: UInt64 = 0
    /// By open subscription.
    var ofOpen: [Int32: UInt64] = [:]
    var ended: UInt64 = 0
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
