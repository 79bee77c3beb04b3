// SPDX-License-Identifier: MIT
// A time as text after RFC 3339, in UTC. Independent of clocks.

extension ByteBuffer {
    /// Appends the member `time`, as `,"time":"2026-01-31T23:59:59.999Z"`.
    func appendTime(_ milliseconds: Int64) {
        append(",\"time\":\"")
        append(rfc3339: milliseconds)
        append(0x22)
    }

    /// Appends a time as `2026-01-31T23:59:59.999Z`.
    /// - Parameter milliseconds: since 1970. Of other years than 0 to 9999, the last four digits show, without a sign.
    func append(rfc3339 milliseconds: Int64) {
        let (day, inDay) = milliseconds.flooredDivision(by: 86_400_000)
        let date = CivilDate(daysSince1970: day)
        append(date.year, digits: 4, "-")
        append(date.month, digits: 2, "-")
        append(date.day, digits: 2, "T")
        append(inDay / 3_600_000, digits: 2, ":")
        append(inDay / 60_000 % 60, digits: 2, ":")
        append(inDay / 1000 % 60, digits: 2, ".")
        append(inDay % 1000, digits: 3, "Z")
    }

    private func append(_ number: Int64, digits: Int, _ end: StaticString) {
        var unit: UInt64 = 1
        for _ in 1..<digits { unit *= 10 }
        while unit > 0 {
            append(0x30 + UInt8(number.magnitude / unit % 10))
            unit /= 10
        }
        append(end)
    }
}

/// A day of the Gregorian calendar.
private struct CivilDate {
    let year: Int64
    let month: Int64
    let day: Int64

    /// Counts in years that begin in March, so that a leap day is the last day of its year.
    init(daysSince1970 days: Int64) {
        // 719,468 days lie between the first of March of the year 0 and 1970. 400 years have 146,097 days.
        let (era, dayOfEra) = (days + 719_468).flooredDivision(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }
}

extension Int64 {
    /// The quotient rounded down, and the remainder, which is not negative.
    fileprivate func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
