// SPDX-License-Identifier: MIT
// Reads a duration of a command line: `200ms`, `2s`, `25m`, `1h`. Independent of the options that take one.

/// A decimal number with a unit. A bare number has the unit that its option always had.
struct DurationArgument: Equatable {
    /// The unit of a bare number.
    enum Unit: String {
        case milliseconds
        case seconds

        fileprivate var nanoseconds: Double { self == .milliseconds ? 1e6 : 1e9 }
    }

    /// About a century, so that a time after it can't overflow.
    private static let longest: Double = 3e18

    let nanoseconds: UInt64

    /// Nil if the text is not a duration. A duration above 0 has at least a nanosecond.
    init?(_ text: String, bare unit: Unit) {
        var digits = Substring(text)
        var factor = unit.nanoseconds
        // `ms` is before the units that end it.
        for (suffix, nanoseconds) in [("ms", 1e6), ("s", 1e9), ("m", 60e9), ("h", 3600e9)]
        where text.hasSuffix(suffix) {
            digits = text.dropLast(suffix.count)
            factor = nanoseconds
            break
        }
        let isDecimal = digits.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 || $0 == 0x2E }
        guard isDecimal, let number = Double(digits) else { return nil }
        let product = min(number * factor, DurationArgument.longest)
        nanoseconds = number > 0 ? UInt64(max(product, 1)) : 0
    }

    /// Nil if the duration is not a whole number of milliseconds.
    var milliseconds: Int64? {
        nanoseconds.isMultiple(of: 1_000_000) ? Int64(nanoseconds / 1_000_000) : nil
    }
}

// MARK: - Values of options

extension ParsedArguments {
    /// A duration, which may be 0.
    func duration(_ name: String, bare unit: DurationArgument.Unit) throws(CommandError) -> DurationArgument?
    {
        guard let text = options[name] else { return nil }
        guard let duration = DurationArgument(text, bare: unit) else {
            throw usage("\(name) takes a duration, like \(examples(unit)), not '\(text)'")
        }
        return duration
    }

    /// A duration above 0.
    func positiveDuration(
        _ name: String,
        bare unit: DurationArgument.Unit
    ) throws(CommandError) -> DurationArgument? {
        guard let text = options[name] else { return nil }
        guard let duration = DurationArgument(text, bare: unit), duration.nanoseconds > 0 else {
            throw usage("\(name) takes a duration above 0, like \(examples(unit)), not '\(text)'")
        }
        return duration
    }

    /// A duration in whole milliseconds, the unit of the protocol. A bare number has this unit.
    func milliseconds(_ name: String) throws(CommandError) -> Int64? {
        guard let duration = try duration(name, bare: .milliseconds) else { return nil }
        guard let milliseconds = duration.milliseconds else {
            throw usage("\(name) takes whole milliseconds, not '\(options[name] ?? "")'")
        }
        return milliseconds
    }

    private func examples(_ unit: DurationArgument.Unit) -> String {
        "\(unit == .seconds ? "1.5" : "200") (\(unit.rawValue)), 200ms, 2s, 25m or 1h"
    }
}
