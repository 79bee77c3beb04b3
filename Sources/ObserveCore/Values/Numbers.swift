// SPDX-License-Identifier: MIT
// Compares numbers by value.

/// Comparison without rounding: an integer equals a double only if the double is exactly that integer.
package enum Numbers {
    @inline(__always)
    package static func equal(_ int: Int64, _ double: Double) -> Bool { exactInt64(double) == int }

    /// `double` as an integer; nil if it has a fraction, is out of range or is not finite.
    ///
    /// `Int64(exactly:)` would call the C library's math functions.
    @inline(__always)
    package static func exactInt64(_ double: Double) -> Int64? {
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
