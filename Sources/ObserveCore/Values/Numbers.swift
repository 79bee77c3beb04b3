// SPDX-License-Identifier: MIT
// When two numbers are the same number. Does not know where they come from.

/// Numeric equality without rounding: an integer equals a double only if the double is exactly that integer.
package enum Numbers {
    @inline(__always)
    package static func equal(_ int: Int64, _ double: Double) -> Bool { exactInt64(double) == int }

    /// The integer that `double` is; nil if it has a fraction, is out of range or is not finite.
    ///
    /// The initialiser for this, `Int64(exactly:)`, would call into the C library's mathematics.
    @inline(__always)
    package static func exactInt64(_ double: Double) -> Int64? {
        guard double >= -0x1p63, double < 0x1p63 else { return nil }
        let truncated = Int64(double)
        return Double(truncated) == double ? truncated : nil
    }
}
