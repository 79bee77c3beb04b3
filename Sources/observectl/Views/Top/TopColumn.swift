// SPDX-License-Identifier: MIT
// The columns of `top`: titles, texts, order. Independent of their layout.

enum TopColumn: String, CaseIterable, Sendable {
    case id, pid, name, user, subscriptions, requests, events, waiting, coalesced, lifetimes, age, paths

    /// The names of all, for a sentence.
    static let known = allCases.map(\.rawValue).joined(separator: ", ")

    var isNumber: Bool { ![.name, .user, .paths].contains(self) }
    var title: String { entry.title }
    /// The order in which columns give way to a narrow terminal: higher ones first.
    var expendability: Int { entry.expendability }

    func text(_ row: TopRow) -> String { entry.figure(row).text() }

    /// The place of a row in ascending order.
    func place(of row: TopRow) -> (Double, String) {
        let figure = entry.figure(row)
        return (figure.number, figure.word)
    }

    private struct Entry {
        let title: String
        var expendability = 0
        let figure: (TopRow) -> Figure
    }

    /// What a column shows of a row, and its place in the order.
    private struct Figure {
        var number = 0.0
        var word = ""
        let text: () -> String

        static func count(_ count: Int64) -> Figure { Figure(number: Double(count)) { String(count) } }
        static func rate(_ rate: Double) -> Figure { Figure(number: rate) { Magnitude.text(rate) } }
        static func bytes(_ count: Double) -> Figure {
            Figure(number: count) { count == 0 ? "0" : Magnitude.bytes(count) }
        }
        static func age(_ seconds: Double) -> Figure {
            Figure(number: seconds) { Countdown.text(seconds: seconds) }
        }
        static func word(_ word: String, ifEmpty other: String = "") -> Figure {
            Figure(word: word) { word.isEmpty ? other : word }
        }
    }

    private var entry: Entry {
        switch self {
        case .id: Entry(title: "ID", expendability: 4) { .count($0.client["connection"]) }
        case .pid: Entry(title: "PID") { .count($0.client["pid"]) }
        case .name: Entry(title: "NAME") { .word($0.client.name, ifEmpty: "-") }
        case .user: Entry(title: "USER", expendability: 5) { .word($0.client.user) }
        case .subscriptions: Entry(title: "SUBS") { .count($0.client.subscriptions) }
        case .requests: Entry(title: "REQ/S") { .rate($0.requestRate) }
        case .events: Entry(title: "EV/S") { .rate($0.eventRate) }
        case .waiting: Entry(title: "WAITING") { .bytes(Double($0.client["bytesWaiting"])) }
        case .coalesced:
            Entry(title: "COALESCED", expendability: 6) { .rate(Double($0.client["eventsCoalesced"])) }
        case .lifetimes: Entry(title: "HOLDS", expendability: 3) { .count($0.client["lifetimes"]) }
        case .age: Entry(title: "AGE", expendability: 2) { .age($0.client.seconds) }
        case .paths: Entry(title: "PATHS", expendability: 1) { .word($0.client.paths) }
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
