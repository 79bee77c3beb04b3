// SPDX-License-Identifier: MIT
// The last changes of each path, and how long ago they were. Independent of drawing and of requests.

import ObserveCore

/// Changes for a live view: they glow and fade, and are listed for one path.
struct RecentChanges {
    struct Entry {
        let event: ChangeEvent
        let time: ClockTime
        let arrival: MonotonicTime
    }

    /// Of each path.
    static let mostEntries = 60
    private static let mostPaths = 2000
    private static let mostArrivals = 20_000
    /// A glow becomes weaker after each of these times.
    private static let fading: [UInt64] = [400_000_000, 900_000_000, 1_800_000_000]

    private var entries: [[UInt8]: [Entry]] = [:]
    /// The last change at or below a path.
    private var arrivals: [[UInt8]: MonotonicTime] = [:]

    mutating func add(_ event: ChangeEvent, at path: String, _ time: ClockTime, _ arrival: MonotonicTime) {
        let path = path.bytes
        var list = entries.removeValue(forKey: path) ?? []
        if list.count >= RecentChanges.mostEntries { list.removeFirst(RecentChanges.mostEntries / 4) }
        list.append(Entry(event: event, time: time, arrival: arrival))
        entries[path] = list
        if entries.count > RecentChanges.mostPaths { forgetOldest() }
        for ancestor in RecentChanges.ancestors(of: path) { arrivals[ancestor] = arrival }
        guard arrivals.count > RecentChanges.mostArrivals else { return }
        arrivals = arrivals.filter { $0.value.nanoseconds(until: arrival) < RecentChanges.fading[2] }
    }

    /// The path, and all that lead to a model on its way. A dot in a name has a backslash.
    private static func ancestors(of path: [UInt8]) -> [[UInt8]] {
        let dots = path.indices.dropFirst().filter { path[$0] == 0x2E && path[$0 - 1] != 0x5C }
        return dots.map { Array(path[..<$0]) } + [path]
    }

    private mutating func forgetOldest() {
        let order = entries.sorted { ($0.value.last?.arrival ?? .now) > ($1.value.last?.arrival ?? .now) }
        entries = Dictionary(uniqueKeysWithValues: order.prefix(RecentChanges.mostPaths / 2).map { ($0, $1) })
    }

    /// How recently a row has changed. A collapsed row shows the changes below it.
    func glow(of row: TreeRow, at now: MonotonicTime) -> UInt8 {
        let last = row.isCollapsed == true ? arrivals[row.path.bytes] : entries[row.path.bytes]?.last?.arrival
        guard let last else { return 0 }
        let age = last.nanoseconds(until: now)
        return UInt8(RecentChanges.fading.count { age < $0 })
    }

    func changes(of path: String, most count: Int, name: (Int64) -> String?) -> [LoggedChange] {
        var found = entries[path.bytes] ?? []
        let start = "\(path).".bytes
        for (other, list) in entries where other.starts(with: start) { found += list.suffix(count) }
        found.sort { $0.arrival > $1.arrival }
        return found.prefix(count).map { LoggedChange($0.event, at: $0.time, name: name) }
    }

    /// The last numbers at a path, the newest last; nil for other values.
    func numbers(of path: String) -> [Double?] {
        (entries[path.bytes] ?? []).map { (try? $0.event.new?.value())?.plotted }
    }
}
