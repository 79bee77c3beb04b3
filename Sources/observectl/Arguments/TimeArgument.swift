// SPDX-License-Identifier: MIT
// Reads a past time of a command line: `5m` ago, `14:00`, `2026-01-31T14:00`. Independent of the options that take one.

import ObserveCore

enum TimeArgument {
    /// 31 years. A bare number above that is meant as seconds since 1970, and not as seconds before now.
    private static let longestBareNanoseconds: UInt64 = 1_000_000_000_000_000_000

    /// A time of day is the most recent one. Nil if the text is neither a duration nor a time, or is in seconds since 1970.
    static func past(_ text: String, now: ClockTime, zone: ClockZone) -> ClockTime? {
        if let duration = DurationArgument(text) {
            guard duration.nanoseconds > 0,
                duration.hasUnit || duration.nanoseconds < longestBareNanoseconds
            else { return nil }
            return ClockTime(milliseconds: now.milliseconds - Int64(duration.nanoseconds / 1_000_000))
        }
        let parts = text.split(separator: text.contains("T") ? "T" : " ", omittingEmptySubsequences: false)
        guard parts.count == 2 || text.contains("-") else { return latest(text, now, zone) }
        let date = parts[0]
        guard parts.count <= 2 else { return nil }
        let shown = parts.count == 2 ? parts[1] : "00:00"
        let end = shown.firstIndex { "Z+-".contains($0) } ?? shown.endIndex
        guard let clock = clock(shown[..<end]) else { return nil }
        let offset = shown[end...]
        let time = ClockTime(rfc3339: "\(date)T\(clock)\(offset.isEmpty ? "Z" : offset)")
        return offset.isEmpty ? time.map(zone.time) : time
    }

    private static func latest(_ text: String, _ now: ClockTime, _ zone: ClockZone) -> ClockTime? {
        guard let clock = clock(text[...]) else { return nil }
        let today = zone.shown(now)
        for days in [0, 1] as [Int64] {
            let day = ClockTime(milliseconds: today.milliseconds - days * 86_400_000)
            guard let shown = ClockTime(rfc3339: "\(day.date)T\(clock)Z") else { return nil }
            let time = zone.time(shown: shown)
            if time.milliseconds <= now.milliseconds { return time }
        }
        return nil
    }

    /// `9:30` or `09:30:15.5` with two digits for each number.
    private static func clock(_ text: Substring) -> String? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count) else { return nil }
        var numbers: [String] = []
        for (part, limit) in zip(parts, [24, 60, 61]) {
            let whole = part.split(separator: ".", omittingEmptySubsequences: false)[0]
            guard whole.utf8.allSatisfy(\.isDigit), (1...2).contains(whole.utf8.count),
                let number = Int(whole), number < limit
            else { return nil }
            numbers.append((whole.utf8.count == 1 ? "0" : "") + part)
        }
        return numbers.joined(separator: ":") + (parts.count == 2 ? ":00" : "")
    }
}
