// SPDX-License-Identifier: MIT
// Figures of one connection, which `clients` reports, and of all, which `status` reports. Independent of what they count.

/// When a connection was opened, and counters since then. The events are counted where they are sent: see
/// ``AttachmentRecord/countSent()`` and ``Output/rangeEvents``.
struct ClientFigures: ~Copyable {
    var openedAt = MonotonicTime(nanoseconds: 0)
    /// The same on the clock by which the kernel dates processes.
    let moment = ProcessMoment.now
    /// Requests and notifications, including each of a batch. While the server executes the client's requests, without
    /// ``Metrics/linesRead``.
    var requests = 0
    private var earlier = Rare<EarlierEvents>()

    var eventsCoalesced: UInt64 {
        get { earlier.isMade ? earlier.value.coalesced : 0 }
        set { earlier.value.coalesced = newValue }
    }

    /// The events of ended subscriptions.
    var endedEvents: UInt64 {
        get { earlier.isMade ? earlier.value.ended : 0 }
        set { earlier.value.ended = newValue }
    }

    /// The events of a subscription that its attachments no longer count.
    func earlierEvents(of number: Int32) -> UInt64 { earlier.isMade ? earlier.value.ofOpen[number] ?? 0 : 0 }

    mutating func addEarlier(_ events: UInt64, of number: Int32) {
        earlier.value.ofOpen[number, default: 0] &+= events
    }

    /// Moves the events of a subscription, which is about to end, to those of the ended ones.
    mutating func end(_ number: Int32, _ events: UInt64) {
        if events > 0 { endedEvents &+= events }
        if earlier.isMade { earlier.value.ofOpen[number] = nil }
    }
}

/// Figures that are 0 for most clients: see ``ClientFigures``.
private struct EarlierEvents: Blank, ~Copyable {
    var coalesced: UInt64 = 0
    var ofOpen: [Int32: UInt64] = [:]
    var ended: UInt64 = 0
}

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
}
