// SPDX-License-Identifier: MIT
// Converts short decimal numbers to doubles exactly.

/// A decimal number of at most 19 digits, as mantissa × 10^exponent.
///
/// - Threading: a value type.
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

    /// The number after an `e`, limited to a million.
    private static func exponent(_ text: ByteView) -> Int {
        var magnitude = 0
        for index in 0..<text.count {
            let byte = text[index]
            if byte &- 0x30 < 10 { magnitude = min(magnitude &* 10 &+ Int(byte &- 0x30), 1_000_000) }
        }
        return text.byteOrZero(0) == 0x2D ? -magnitude : magnitude
    }
}

/// All powers of ten that are exact doubles.
private let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
]
