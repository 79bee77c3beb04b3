// SPDX-License-Identifier: MIT
// Durations as people read them, from any numbers. Independent of clocks.

enum Countdown {
    /// One unit, or two: `58 s`, `2 min 5 s`, `3 h 20 min`. Parts of a second count as one; a negative duration as none.
    static func text(milliseconds: Int64) -> String {
        let seconds = milliseconds > 0 ? (milliseconds - 1) / 1000 + 1 : 0
        let units: [(name: String, size: Int64)] = [("d", 86_400), ("h", 3600), ("min", 60), ("s", 1)]
        for (unit, part) in zip(units, units.dropFirst()) where seconds >= unit.size {
            let rest = seconds % unit.size / part.size
            return "\(seconds / unit.size) \(unit.name)" + (rest > 0 ? " \(rest) \(part.name)" : "")
        }
        return "\(seconds) s"
    }

    /// A whole duration, not a rest: below a second it is `250 ms`.
    static func lifetime(milliseconds: Int64) -> String {
        (1..<1000).contains(milliseconds) ? "\(milliseconds) ms" : text(milliseconds: milliseconds)
    }

    /// Whole seconds alone count.
    static func text(seconds: Double) -> String {
        text(milliseconds: Int64(nearest: seconds.rounded(.down) * 1000))
    }
}

extension Int64 {
    /// The nearest integer; 0 for what is not a number.
    init(nearest number: Double) {
        let rounded = number.rounded()
        self = Int64(exactly: rounded) ?? (rounded.isNaN ? 0 : rounded < 0 ? .min : .max)
    }

    /// The time from another one to this one; 0 if this one is earlier.
    func remaining(at now: Int64) -> Int64 {
        let (difference, overflows) = subtractingReportingOverflow(now)
        return overflows ? (self < 0 ? 0 : .max) : Swift.max(difference, 0)
    }

    /// The sum, or the bound that it exceeds.
    func adding(_ other: Int64) -> Int64 {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? (other < 0 ? .min : .max) : sum
    }
}
