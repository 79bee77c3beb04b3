// SPDX-License-Identifier: MIT
// Bytes of numbers in decimal digits, and of words. Independent of their source.

extension FixedWidthInteger {
    /// The number of decimal digits alone; nil for other bytes, none or over 19, and numbers beyond `Int64` or this type.
    init?(decimal digits: ArraySlice<UInt8>) {
        // Nineteen digits fit into 64 bits.
        guard (1...19).contains(digits.count), digits.allSatisfy({ $0.isDigit }),
            let number = Int64(exactly: digits.reduce(0 as UInt64) { $0 * 10 + UInt64($1 - 0x30) })
        else { return nil }
        self.init(exactly: number)
    }
}

extension UInt8 {
    var isDigit: Bool { self >= 0x30 && self <= 0x39 }

    /// Whether it is a letter, a digit or `_`.
    var isWord: Bool { isDigit || self == 0x5F || (0x61...0x7A).contains(self | 0x20) }
}
