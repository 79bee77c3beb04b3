// SPDX-License-Identifier: MIT
// Times of day as text, in UTC. Independent of clocks.

import ObserveCore

/// A time in milliseconds since 1970.
struct ClockTime: Equatable, Sendable {
    let milliseconds: Int64

    init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Reads `2026-01-31T23:59:59.999Z`, with or without the fraction. Nil for other texts.
    init?(rfc3339 text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z"), bytes[10] == UInt8(ascii: "T"),
            [4, 7].allSatisfy({ bytes[$0] == UInt8(ascii: "-") }),
            [13, 16].allSatisfy({ bytes[$0] == UInt8(ascii: ":") }),
            let year = ClockTime.number(bytes[0..<4]), let month = ClockTime.number(bytes[5..<7]),
            let day = ClockTime.number(bytes[8..<10]), let hour = ClockTime.number(bytes[11..<13]),
            let minute = ClockTime.number(bytes[14..<16]), let second = ClockTime.number(bytes[17..<19])
        else { return nil }
        var fraction: Int64 = 0
        if bytes.count > 20 {
            let digits = bytes[20..<(bytes.count - 1)].prefix(3)
            guard bytes[19] == UInt8(ascii: "."), let number = ClockTime.number(digits) else { return nil }
            fraction = number * [100, 10, 1][digits.count - 1]
        }
        // Years that begin in March, so that a leap day is the last day of its year.
        let shifted = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let days = shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
        milliseconds = ((days * 24 + hour) * 60 + minute) * 60_000 + second * 1000 + fraction
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        guard !digits.isEmpty, digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    /// The whole days since 1970.
    var day: Int64 {
        milliseconds >= 0 ? milliseconds / 86_400_000 : -1 - (-1 - milliseconds) / 86_400_000
    }

    /// `23:59:59.999`
    var timeOfDay: String { String(Platform.text(ofTime: milliseconds).dropFirst(11).prefix(12)) }

    /// `2026-01-31`
    var date: String { String(Platform.text(ofTime: milliseconds).prefix(10)) }
}
