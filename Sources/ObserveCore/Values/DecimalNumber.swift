// SPDX-License-Identifier: MIT
// Short decimal numbers: converts them to doubles exactly, and rounds them to decimals. Compares numbers by value.

/// A decimal number of at most 19 digits, as mantissa × 10^exponent.
/// - Cost: one pass.
struct DecimalNumber {
    private var isNegative = false
    private var mantissa: UInt64 = 0
    private var exponent = 0

    /// Parses a validated JSON number; nil if it has too many digits.
    init?(_ number: ByteView) {
        var index = 0
        if number.byteOrZero(0) == 0x2D {
            isNegative = true
            index = 1
        }
        var digits = 0
        var isFraction = false
        scan: while index < number.count {
            let byte = number[index]
            switch byte {
            case 0x30...0x39:
                if digits > 0 || byte != 0x30 { digits &+= 1 }
                if digits > 19 { return nil }
                mantissa = mantissa &* 10 &+ UInt64(byte &- 0x30)
                if isFraction { exponent &-= 1 }
            case 0x2E:
                isFraction = true
            default:
                break scan
            }
            index &+= 1
        }
        if index < number.count { exponent &+= Self.exponent(number.dropFirst(index &+ 1)) }
    }

    /// The value as a double if both factors are exact doubles: the single rounding is then correct.
    var exactDouble: Double? {
        if mantissa == 0 { return isNegative ? -0.0 : 0.0 }
        guard mantissa <= 1 &<< 53, exponent >= -22, exponent <= 22 else { return nil }
        let power = powersOfTen[abs(exponent)]
        let double = exponent < 0 ? Double(mantissa) / power : Double(mantissa) * power
        return isNegative ? -double : double
    }

    init(_ int: Int64) { (isNegative, mantissa) = (int < 0, int.magnitude) }

    /// The number after an `e`, limited to more than a text can have digits.
    private static func exponent(_ text: ByteView) -> Int {
        var magnitude = 0
        for index in 0..<text.count {
            let byte = text[index]
            if byte &- 0x30 < 10 { magnitude = min(magnitude &* 10 &+ Int(byte &- 0x30), 1 << 40) }
        }
        return text.byteOrZero(0) == 0x2D ? -magnitude : magnitude
    }
}

// MARK: - Rounding

extension DecimalNumber {
    /// The number in units of the last decimal, half away from zero, and zeros behind them.
    private func units(decimals: Int) -> (count: UInt64, zeros: Int) {
        let dropped = -(exponent + decimals)
        guard dropped > 0 else { return (mantissa, mantissa == 0 ? 0 : -dropped) }
        guard dropped <= 19 else { return (0, 0) }
        let divisor = (0..<dropped).reduce(1 as UInt64) { power, _ in power * 10 }
        let (quotient, remainder) = mantissa.quotientAndRemainder(dividingBy: divisor)
        return (remainder >= divisor - remainder ? quotient + 1 : quotient, 0)
    }

    /// The nearest double to the number with so many decimals; nil if the number has no more of them.
    func rounded(decimals: Int) -> Double? {
        guard exponent + decimals < 0 else { return nil }
        let units = units(decimals: decimals).count
        let sign = isNegative ? "-" : ""
        guard units <= 1 &<< 53 else { return Double("\(sign)\(units)e-\(decimals)") }
        let double = Double(units) / powersOfTen[decimals]
        return isNegative ? -double : double
    }

    /// The number with so many decimals. Zero has no sign.
    func text(decimals: Int) -> String {
        let (count, zeros) = units(decimals: decimals)
        var digits = String(count) + String(repeating: "0", count: zeros)
        let missing = decimals + 1 - digits.utf8.count
        if missing > 0 { digits = String(repeating: "0", count: missing) + digits }
        let sign = isNegative && count > 0 ? "-" : ""
        return sign + digits.dropLast(decimals) + (decimals > 0 ? "." : "") + digits.suffix(decimals)
    }

    /// `3:07` or `1:02:03`, cut to whole seconds; nil from 10¹⁵ on.
    var clock: String? {
        guard mantissa == 0 || exponent < 15 else { return nil }
        var seconds = mantissa
        for _ in 0..<min(abs(exponent), 20) {
            seconds = exponent < 0 ? seconds / 10 : min(seconds, 1 << 60) * 10
        }
        guard seconds < 1_000_000_000_000_000 else { return nil }
        func two(_ number: UInt64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        let start =
            (isNegative && seconds > 0 ? "-" : "") + (hours > 0 ? "\(hours):\(two(minutes))" : "\(minutes)")
        return "\(start):\(two(seconds % 60))"
    }
}

/// All powers of ten that are exact doubles.
private let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
]

/// Comparison without rounding: an integer equals a double only if the double is exactly that integer.
package enum Numbers {
    @inline(__always)
    package static func equal(_ int: Int64, _ double: Double) -> Bool { exactInt64(double) == int }

    /// `double` as an exact integer, or nil. `Int64(exactly:)` would call the C library's math functions.
    @inline(__always) package static func exactInt64(_ double: Double) -> Int64? {
        guard double >= -0x1p63, double < 0x1p63 else { return nil }
        let truncated = Int64(double)
        return Double(truncated) == double ? truncated : nil
    }

    /// Compares without rounding: negative if the integer is smaller, 0 if they are equal, else positive.
    package static func compare(_ int: Int64, _ double: Double) -> Int {
        if double >= 0x1p63 { return -1 }
        if double < -0x1p63 { return 1 }
        let truncated = Int64(double)
        if int != truncated { return int < truncated ? -1 : 1 }
        let fraction = double - Double(truncated)
        return fraction > 0 ? -1 : fraction < 0 ? 1 : 0
    }
}
