// SPDX-License-Identifier: MIT
// Reads a duration of a command line: `200ms`, `2s`, `25m`, `1h30m`, `1d`. Independent of the options that take one.

/// Decimal numbers with units. A number without a unit is in seconds.
struct DurationArgument: Equatable {
    /// Longer units are before the units that begin them.
    private static let units: [(name: String, nanoseconds: Double)] = [
        ("ms", 1e6), ("s", 1e9), ("m", 60e9), ("h", 3600e9), ("d", 86_400e9),
    ]
    /// About a century, so that a time after it can't overflow.
    private static let longest: Double = 3e18

    let nanoseconds: UInt64
    let hasUnit: Bool

    /// Nil if the text is not a duration. A duration above 0 has at least a nanosecond.
    init?(_ text: String) {
        var rest = Substring(text)
        var sum: Double = 0
        var hasUnit = false
        repeat {
            let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            rest.removeFirst(digits.count)
            let unit = DurationArgument.units.first { rest.hasPrefix($0.name) }
            // Only one number may lack its unit.
            guard let number = Double(digits), unit != nil || rest.isEmpty && !hasUnit else { return nil }
            sum += number * (unit?.nanoseconds ?? 1e9)
            rest.removeFirst(unit?.name.count ?? 0)
            if unit != nil { hasUnit = true }
        } while !rest.isEmpty
        self.hasUnit = hasUnit
        nanoseconds = sum > 0 ? UInt64(max(min(sum, DurationArgument.longest), 1)) : 0
    }

    /// Nil if the duration is not a whole number of milliseconds.
    var milliseconds: Int64? { nanoseconds.isMultiple(of: 1_000_000) ? Int64(nanoseconds / 1_000_000) : nil }

    static let examples = "like 1.5 (seconds), 200ms, 2s, 25m, 1h or 1d"
    static let examplesWithUnit = "like 200ms, 2s, 25m, 1h or 1d"
}

// MARK: - Values of options

extension ParsedArguments {
    func duration(_ name: String, mayBeZero: Bool = false) throws(CommandError) -> DurationArgument? {
        guard let text = options[name] else { return nil }
        guard let duration = DurationArgument(text), duration.nanoseconds > 0 || mayBeZero else {
            let wanted = mayBeZero ? "a duration" : "a duration above 0"
            throw usage("\(name) takes \(wanted), \(DurationArgument.examples), not '\(text)'")
        }
        return duration
    }

    /// A duration in whole milliseconds, the unit of the protocol. It needs its unit: once, a bare number had this one.
    func milliseconds(_ name: String) throws(CommandError) -> Int64? {
        guard let text = options[name] else { return nil }
        guard let duration = DurationArgument(text)
        else { throw usage("\(name) takes a duration, \(DurationArgument.examplesWithUnit), not '\(text)'") }
        guard duration.hasUnit || duration.nanoseconds == 0 else { throw unitMissing(name) }
        if let milliseconds = duration.milliseconds { return milliseconds }
        throw usage("\(name) takes whole milliseconds, not '\(text)'")
    }

    func unitMissing(_ name: String) -> CommandError {
        let text = options[name] ?? ""
        return usage("\(name) \(text) has no unit: write \(text)ms or \(text)s")
    }
}
