// SPDX-License-Identifier: MIT
// Which messages of a stream are older than a week. Independent of clocks and keys.

/// For each day the last sequence of a stream. Its times grow with its sequences, so old messages are those up to one.
struct TombstoneAge {
    private static let nanosecondsADay: UInt64 = 86_400_000_000_000
    /// A day begins at any hour: the eighth day before is older than a week.
    private static let oldDays: UInt64 = 8

    /// Oldest first.
    private var days: [(day: UInt64, sequence: UInt64)] = []

    /// - Parameter time: in nanoseconds since 1970.
    mutating func note(_ sequence: UInt64, at time: UInt64) {
        let day = time / TombstoneAge.nanosecondsADay
        if let last = days.last, last.day >= day {
            days[days.count - 1].sequence = sequence
        } else {
            days.append((day, sequence))
            // Of that many days, the first is old.
            if days.count > Int(TombstoneAge.oldDays) + 1 { days.removeFirst() }
        }
    }

    /// The last sequence that is older than a week; zero if none is.
    func lastOld(at now: UInt64) -> UInt64 {
        days.last { $0.day + TombstoneAge.oldDays <= now / TombstoneAge.nanosecondsADay }?.sequence ?? 0
    }
}
