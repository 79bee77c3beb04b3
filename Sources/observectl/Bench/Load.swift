// SPDX-License-Identifier: MIT
// The works that bench puts on a daemon, by name. Independent of the load generator.

/// A piece of work: some connections set values, others listen.
struct Load: Equatable {
    let name: String
    let summary: String
    var setters = 1
    /// Connections that listen: each to the one key, or, with several keys, to its share of them.
    var subscribers = 0
    /// The maximum number of sets in flight for one setter. A set is over when its answer and its events have
    /// arrived; with several setters, when its answer has.
    var window = 1
    /// The number of keys; they are set in random order.
    var keys = 1
    var valueBytes = 32
    var seconds = 1.0

    var measuresLatency: Bool { window == 1 && setters == 1 }
    var eventsPerSet: Int { keys > 1 ? min(subscribers, 1) : subscribers }

    /// The standard loads, from one set at a time to many; modelled on `redis-benchmark`.
    static let all = [
        Load(name: "latency", summary: "from a set to its event, one at a time", subscribers: 1),
        Load(name: "clients", summary: "many clients, each waiting for its answer", setters: 50),
        Load(name: "pipeline", summary: "sets without a wait", window: 1024),
        Load(name: "events", summary: "the same with a subscriber", subscribers: 1, window: 1024),
        Load(name: "fanout", summary: "one key, many subscribers", subscribers: 100, window: 64),
        Load(
            name: "keys",
            summary: "many keys, each subscribed",
            subscribers: 100,
            window: 1024,
            keys: 100_000
        ),
    ]
}

struct LoadResult {
    var load: Load
    var sets = 0
    var events = 0
    /// The duration, until the last event arrived.
    var nanoseconds: UInt64 = 0
    /// The daemon's processor time meanwhile; nil if the system does not say.
    var daemonNanoseconds: UInt64?
    /// From before a set was written until its event was read (without subscribers, its answer); sorted.
    var latencies: [UInt32] = []

    var setsPerSecond: Double { Double(sets) * 1e9 / Double(max(nanoseconds, 1)) }
    var eventsPerSecond: Double { Double(events) * 1e9 / Double(max(nanoseconds, 1)) }
    var daemonNanosecondsPerSet: Double? { daemonNanoseconds.map { Double($0) / Double(max(sets, 1)) } }

    /// The time that `part` of the sets did not exceed, in nanoseconds.
    func latency(_ part: Double) -> UInt32 {
        latencies.isEmpty ? 0 : latencies[min(Int(Double(latencies.count) * part), latencies.count - 1)]
    }
}
