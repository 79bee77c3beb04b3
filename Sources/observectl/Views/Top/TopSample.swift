// SPDX-License-Identifier: MIT
// The daemon's figures and connections at one moment, and their rates between two. Independent of connections.

import ObserveCore

/// A connection, as `clients` describes it.
struct TopClient: Equatable, Sendable {
    let connection: Int64
    let pid: Int64
    /// The user's name, or the number of one without a name.
    let user: String
    let name: String
    let seconds: Double
    let requests: Int64
    let events: Int64
    let coalesced: Int64
    let waiting: Int64
    let lifetimes: Int64
    let subscriptions: Int64
    let paths: String

    init(_ client: Value, userName: (Int64) -> String?) {
        func int(_ name: String) -> Int64 { client[name]?.int ?? 0 }
        connection = int("connection")
        pid = int("pid")
        user = userName(int("uid")) ?? String(int("uid"))
        name = client["name"]?.string ?? ""
        seconds = client["seconds"]?.double ?? 0
        requests = int("requests")
        events = int("eventsSent")
        coalesced = int("eventsCoalesced")
        waiting = int("bytesWaiting")
        lifetimes = int("lifetimes")
        let listed = client["subscriptions"]?.array ?? []
        subscriptions = Int64(listed.count).adding(int("furtherSubscriptions"))
        paths = listed.flatMap { $0["paths"]?.array ?? [] }.compactMap(\.string).joined(separator: " ")
    }
}

/// All figures at one moment.
struct TopSample: Equatable, Sendable {
    /// Nanoseconds on a clock that only counts up.
    var moment: UInt64
    var status: Value
    var clients: [TopClient]
    /// Nanoseconds of processor time that the daemon has used; nil if it is unknown.
    var processorTime: UInt64?
    /// Bytes of the daemon in memory; nil if they are unknown.
    var memory: Int?
}

struct TopRow: Equatable, Sendable {
    let client: TopClient
    /// Requests and events a second.
    let requestRate: Double
    let eventRate: Double
}

/// The change between two samples.
struct TopFigures: Equatable, Sendable {
    let sample: TopSample
    let rows: [TopRow]
    /// The part of one processor that the daemon uses, 1 for all of it; nil if it is unknown.
    let load: Double?
    let commitRate: Double
    let eventRate: Double

    /// - Parameter former: the sample before; nil for none, then rates are averages since each connection began.
    init(_ sample: TopSample, after former: TopSample?) {
        self.sample = sample
        // A daemon that was restarted counts from the beginning.
        let isSame = former.map {
            $0.status["epoch"] == sample.status["epoch"]
                && TopFigures.count($0, "uptime") <= TopFigures.count(sample, "uptime")
        }
        let before = isSame == true ? former : nil
        let seconds = before.map { Double(sample.moment - $0.moment) / 1e9 } ?? 0
        func rate(_ now: Double, _ then: Double?) -> Double {
            guard let then, seconds > 0 else { return 0 }
            return max(now - then, 0) / seconds
        }
        let known = Dictionary((before?.clients ?? []).map { ($0.connection, $0) }) { $1 }
        rows = sample.clients.map { client in
            let then = known[client.connection].flatMap { $0.pid == client.pid ? $0 : nil }
            func clientRate(_ count: (TopClient) -> Int64) -> Double {
                let now = Double(count(client))
                return before == nil
                    ? now / max(client.seconds, 0.001) : rate(now, Double(then.map(count) ?? 0))
            }
            return TopRow(
                client: client,
                requestRate: clientRate(\.requests),
                eventRate: clientRate(\.events)
            )
        }
        if let now = sample.processorTime, let then = before?.processorTime, seconds > 0, now >= then {
            load = Double(now - then) / 1e9 / seconds
        } else {
            load = nil
        }
        func statusRate(_ name: String) -> Double {
            rate(TopFigures.count(sample, name), before.map { TopFigures.count($0, name) })
        }
        (commitRate, eventRate) = (statusRate("revision"), statusRate("eventsSent"))
    }

    private static func count(_ sample: TopSample, _ name: String) -> Double {
        sample.status[name]?.double ?? 0
    }
}

enum TopRecord {
    /// One object: the status, the load and the connections with their rates.
    static func json(_ figures: TopFigures) -> RawJSON {
        let sample = figures.sample
        let clients = figures.rows.map { row -> Value in
            let client = row.client
            return [
                "connection": .int(client.connection), "pid": .int(client.pid), "name": .string(client.name),
                "user": .string(client.user), "seconds": .double(client.seconds),
                "requests": .int(client.requests), "requestsPerSecond": .double(row.requestRate),
                "eventsSent": .int(client.events), "eventsPerSecond": .double(row.eventRate),
                "eventsCoalesced": .int(client.coalesced), "bytesWaiting": .int(client.waiting),
                "lifetimes": .int(client.lifetimes), "subscriptions": .int(client.subscriptions),
            ]
        }
        return RawJSON([
            "load": figures.load.map(Value.double) ?? .null,
            "memoryBytes": sample.memory.map { .int(Int64($0)) } ?? .null,
            "commitsPerSecond": .double(figures.commitRate), "eventsPerSecond": .double(figures.eventRate),
            "status": sample.status, "clients": .array(clients),
        ])
    }
}
