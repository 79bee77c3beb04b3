// SPDX-License-Identifier: MIT
// The daemon's figures and connections at one time, and their rates between two. Independent of connections.

import ObserveCore

/// A connection, as `clients` describes it.
struct TopClient: Equatable, Sendable {
    private let members: Value
    /// The user's name, or the number of one without a name.
    let user: String
    let paths: String

    init(_ members: Value, userName: (Int64) -> String?) {
        self.members = members
        let uid = members["uid"]?.int ?? 0
        user = userName(uid) ?? String(uid)
        let listed = members["subscriptions"]?.array ?? []
        paths = listed.flatMap { $0["paths"]?.array ?? [] }.compactMap(\.string).joined(separator: " ")
    }

    subscript(name: String) -> Int64 { members[name]?.int ?? 0 }

    var name: String { members["name"]?.string ?? "" }
    var seconds: Double { members["seconds"]?.double ?? 0 }
    var subscriptions: Int64 {
        Int64(members["subscriptions"]?.array?.count ?? 0).adding(self["furtherSubscriptions"])
    }
}

struct TopSample: Equatable, Sendable {
    /// Nanoseconds on a clock that only counts up.
    var time: UInt64
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
        let seconds = before.map { Double(sample.time - $0.time) / 1e9 } ?? 0
        func rate(_ now: Double, _ then: Double?) -> Double {
            guard let then, seconds > 0 else { return 0 }
            return max(now - then, 0) / seconds
        }
        let known = Dictionary((before?.clients ?? []).map { ($0["connection"], $0) }) { $1 }
        rows = sample.clients.map { client in
            let then = known[client["connection"]].flatMap { $0["pid"] == client["pid"] ? $0 : nil }
            func rateOf(_ name: String) -> Double {
                let now = Double(client[name])
                return before == nil ? now / max(client.seconds, 0.001) : rate(now, Double(then?[name] ?? 0))
            }
            return TopRow(client: client, requestRate: rateOf("requests"), eventRate: rateOf("eventsSent"))
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

extension TopFigures {
    /// One object: the status, the load and the connections with their rates.
    var json: RawJSON {
        let clients = rows.map { row -> Value in
            let client = row.client
            return [
                "connection": .int(client["connection"]), "pid": .int(client["pid"]),
                "name": .string(client.name), "user": .string(client.user),
                "seconds": .double(client.seconds), "requests": .int(client["requests"]),
                "requestsPerSecond": .double(row.requestRate), "eventsSent": .int(client["eventsSent"]),
                "eventsPerSecond": .double(row.eventRate),
                "eventsCoalesced": .int(client["eventsCoalesced"]),
                "bytesWaiting": .int(client["bytesWaiting"]), "lifetimes": .int(client["lifetimes"]),
                "subscriptions": .int(client.subscriptions),
            ]
        }
        return RawJSON([
            "load": load.map(Value.double) ?? .null,
            "memoryBytes": sample.memory.map { .int(Int64($0)) } ?? .null,
            "commitsPerSecond": .double(commitRate), "eventsPerSecond": .double(eventRate),
            "status": sample.status, "clients": .array(clients),
        ])
    }
}
