// SPDX-License-Identifier: MIT
// Times of day as text, and the zone in which people read them. Independent of clocks.

import ObserveCore

struct ClockTime: Equatable, Sendable {
    let milliseconds: Int64

    init(milliseconds: Int64) { self.milliseconds = milliseconds }

    static var now: ClockTime { ClockTime(milliseconds: Platform.timeOfDay) }

    /// Reads RFC 3339: `2026-01-31T23:59:59.999Z`, with or without the fraction, or with an offset like `+01:00` for the `Z`.
    /// Nil for other texts, and for days that do not exist.
    init?(rfc3339 text: String) {
        var bytes = text.bytes
        guard bytes.count >= 20, "Tt ".utf8.contains(bytes[10]), let year = Int64(decimal: bytes[0..<4]),
            let month = Int64(decimal: bytes[5..<7]),
            let day = Int64(decimal: bytes[8..<10]), let hour = Int64(decimal: bytes[11..<13]),
            let minute = Int64(decimal: bytes[14..<16]), let second = Int64(decimal: bytes[17..<19]),
            // A leap second is the first one after it.
            second <= 60
        else { return nil }
        var rest = bytes[19...]
        var fraction: Int64 = 0
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix(while: \.isDigit)
            guard let number = Int64(decimal: digits.prefix(3)) else { return nil }
            fraction = number * [100, 10, 1][min(digits.count, 3) - 1]
            rest = rest[digits.endIndex...]
        }
        guard let offset = ClockTime.offset(rest) else { return nil }
        // Years that begin in March, so that a leap day is the last day of its year.
        let shifted = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let leapDays = shifted >= 0 ? shifted / 4 - shifted / 100 + shifted / 400 : -1
        let days = shifted * 365 + leapDays + dayOfYear - 719_468
        let start = ((days * 24 + hour) * 60 + minute) * 60_000
        // Other separators, days and hours than there are give another text.
        bytes[10] = UInt8(ascii: "T")
        guard Platform.text(ofTime: start).utf8.prefix(17).elementsEqual(bytes[..<17]) else { return nil }
        milliseconds = start - offset * 60_000 + second * 1000 + fraction
    }

    /// The minutes of `Z`, `+01:00` or `+0100`.
    private static func offset(_ text: ArraySlice<UInt8>) -> Int64? {
        if text.count == 1, let byte = text.first, byte | 0x20 == UInt8(ascii: "z") { return 0 }
        let digits = text.dropFirst().filter { $0 != UInt8(ascii: ":") }[...]
        guard let sign = text.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
            digits.count == 4,
            text.count == 5 || text.count == 6 && text[text.startIndex + 3] == UInt8(ascii: ":"),
            let hours = Int64(decimal: digits.prefix(2)), let minutes = Int64(decimal: digits.suffix(2)),
            hours < 24, minutes < 60
        else { return nil }
        return (hours * 60 + minutes) * (sign == UInt8(ascii: "-") ? -1 : 1)
    }

    var day: Int64 { milliseconds >= 0 ? milliseconds / 86_400_000 : -1 - (-1 - milliseconds) / 86_400_000 }

    /// `23:59:59.999`
    var timeOfDay: String { String(Platform.text(ofTime: milliseconds).dropFirst(11).prefix(12)) }

    /// `2026-01-31`
    var date: String { String(Platform.text(ofTime: milliseconds).prefix(10)) }
}

/// The zone in which times show, and in which they are typed.
struct ClockZone: Sendable {
    /// The seconds ahead of UTC, and the zone's name, at a time in seconds since 1970.
    let at: @Sendable (Int64) -> (offset: Int64, name: String)

    static let utc = ClockZone { _ in (0, "UTC") }
    /// UTC where no zone is named.
    static let nameless = ClockZone { _ in (0, "") }
    static let local = ClockZone { Platform.zone(at: $0) }

    /// The time whose text in UTC is that of `time` in the zone.
    func shown(_ time: ClockTime) -> ClockTime {
        ClockTime(milliseconds: time.milliseconds + offset(at: time) * 1000)
    }

    /// The time that clocks of the zone show so.
    func time(shown: ClockTime) -> ClockTime {
        let near = ClockTime(milliseconds: shown.milliseconds - offset(at: shown) * 1000)
        return ClockTime(milliseconds: shown.milliseconds - offset(at: near) * 1000)
    }

    /// The zone's name as the end of a text; empty for one without a name.
    func suffix(at time: ClockTime) -> String {
        let name = at(time.milliseconds / 1000).name
        return name.isEmpty ? "" : " \(name)"
    }

    /// The time with its offset: `2026-01-31T23:59:59.999+01:00`.
    func rfc3339(_ time: ClockTime) -> String {
        let minutes = offset(at: time) / 60
        let text = Platform.text(ofTime: time.milliseconds + minutes * 60_000)
        guard minutes != 0 else { return text }
        let (hours, rest) = (minutes.magnitude / 60, minutes.magnitude % 60)
        let offset = [hours, rest].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
        return "\(text.dropLast())\(minutes < 0 ? "-" : "+")\(offset)"
    }

    private func offset(at time: ClockTime) -> Int64 { at(time.milliseconds / 1000).offset }
}
