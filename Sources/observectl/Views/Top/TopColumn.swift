// SPDX-License-Identifier: MIT
// The columns of `top`: titles, texts, order. Independent of their layout.

/// A column, by which rows can be sorted.
enum TopColumn: String, CaseIterable, Sendable {
    case id, pid, name, user, subscriptions, requests, events, waiting, coalesced, lifetimes, age, paths

    var title: String {
        switch self {
        case .id: "ID"
        case .pid: "PID"
        case .name: "NAME"
        case .user: "USER"
        case .subscriptions: "SUBS"
        case .requests: "REQ/S"
        case .events: "EV/S"
        case .waiting: "WAITING"
        case .coalesced: "COALESCED"
        case .lifetimes: "HOLDS"
        case .age: "AGE"
        case .paths: "PATHS"
        }
    }

    var isNumber: Bool { ![.name, .user, .paths].contains(self) }

    /// The order in which columns give way to a narrow terminal: higher ones first.
    var expendability: Int {
        switch self {
        case .id: 4
        case .user: 5
        case .coalesced: 6
        case .lifetimes: 3
        case .age: 2
        case .paths: 1
        default: 0
        }
    }

    func text(_ row: TopRow) -> String {
        let client = row.client
        switch self {
        case .id: return String(client.connection)
        case .pid: return String(client.pid)
        case .name: return client.name.isEmpty ? "-" : client.name
        case .user: return client.user
        case .subscriptions: return String(client.subscriptions)
        case .requests: return Magnitude.text(row.requestRate)
        case .events: return Magnitude.text(row.eventRate)
        case .waiting: return client.waiting == 0 ? "0" : Magnitude.bytes(Double(client.waiting))
        case .coalesced: return Magnitude.text(Double(client.coalesced))
        case .lifetimes: return String(client.lifetimes)
        case .age: return Countdown.text(seconds: client.seconds)
        case .paths: return client.paths
        }
    }

    /// Whether a row is before another one, in ascending order.
    func precedes(_ left: TopRow, _ right: TopRow) -> Bool {
        switch self {
        case .name: return left.client.name < right.client.name
        case .user: return left.client.user < right.client.user
        case .paths: return left.client.paths < right.client.paths
        default: return number(left) < number(right)
        }
    }

    private func number(_ row: TopRow) -> Double {
        let client = row.client
        switch self {
        case .id: return Double(client.connection)
        case .pid: return Double(client.pid)
        case .subscriptions: return Double(client.subscriptions)
        case .requests: return row.requestRate
        case .events: return row.eventRate
        case .waiting: return Double(client.waiting)
        case .coalesced: return Double(client.coalesced)
        case .lifetimes: return Double(client.lifetimes)
        case .age: return client.seconds
        case .name, .user, .paths: return 0
        }
    }
}

/// Numbers as people read them.
enum Magnitude {
    /// Three digits at most: `0`, `3.2`, `999`, `12k`, `3.4M`.
    static func text(_ number: Double) -> String {
        scaled(number, ["", "k", "M", "G", "T", "P", "E"], by: 1000)
    }

    /// `512 B`, `1.5 KiB`, `12 MiB`.
    static func bytes(_ count: Double) -> String {
        scaled(count, [" B", " KiB", " MiB", " GiB", " TiB", " PiB"], by: 1024)
    }

    private static func scaled(_ number: Double, _ units: [String], by factor: Double) -> String {
        guard number.isFinite else { return "-" }
        var (rest, unit) = (abs(number), 0)
        // Rounded as it is shown, 999.96 is the next unit's 1.
        while rest.rounded() >= factor, unit + 1 < units.count { (rest, unit) = (rest / factor, unit + 1) }
        let tenths = (rest * 10).rounded() / 10
        let hasTenth = tenths < 10 && tenths != tenths.rounded()
        let digits = hasTenth ? "\(tenths)" : String(Int64(nearest: rest))
        return (number < 0 ? "-" : "") + digits + units[unit]
    }
}
