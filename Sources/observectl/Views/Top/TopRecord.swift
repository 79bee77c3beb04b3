// SPDX-License-Identifier: MIT
// The figures of `top` as JSON, and the choice of its column. Independent of their drawing.

import ObserveCore

enum TopRecord {
    /// One object: the status, the load and the connections with their rates.
    static func json(_ figures: TopFigures) -> RawJSON {
        let sample = figures.sample
        let clients = figures.rows.map { row -> Value in
            let client = row.client
            return .object(
                ValueMembers([
                    ("connection", .int(client.connection)), ("pid", .int(client.pid)),
                    ("name", .string(client.name)),
                    ("user", .string(client.user)), ("seconds", .double(client.seconds)),
                    ("requests", .int(client.requests)), ("requestsPerSecond", .double(row.requestRate)),
                    ("eventsSent", .int(client.events)), ("eventsPerSecond", .double(row.eventRate)),
                    ("eventsCoalesced", .int(client.coalesced)), ("bytesWaiting", .int(client.waiting)),
                    ("lifetimes", .int(client.lifetimes)), ("subscriptions", .int(client.subscriptions)),
                ])
            )
        }
        return RawJSON(
            .object(
                ValueMembers([
                    ("load", figures.load.map(Value.double) ?? .null),
                    ("memoryBytes", sample.memory.map { .int(Int64($0)) } ?? .null),
                    ("commitsPerSecond", .double(figures.commitRate)),
                    ("eventsPerSecond", .double(figures.eventRate)), ("status", sample.status),
                    ("clients", .array(clients)),
                ])
            )
        )
    }
}

extension TopState {
    /// Chooses the next column, or the one before.
    mutating func choose(by step: Int) {
        let all = TopColumn.allCases
        let index = all.firstIndex(of: column) ?? 0
        column = all[(index + step + all.count) % all.count]
        isDescending = column.isNumber
    }

    /// Sorts by a column, or reverses the order if it is that one already.
    mutating func sort(by chosen: TopColumn) {
        if chosen == column {
            isDescending.toggle()
        } else {
            (column, isDescending) = (chosen, chosen.isNumber)
        }
    }
}
