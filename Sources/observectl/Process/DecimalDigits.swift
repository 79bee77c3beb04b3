// SPDX-License-Identifier: MIT
// Numbers in decimal digits. Independent of their source.

extension FixedWidthInteger {
    /// The number of decimal digits alone; nil for other bytes, none or more than 19, and numbers beyond `Int64` or this
    /// type.
    init?(decimal digits: ArraySlice<UInt8>) {
        // Nineteen digits fit into 64 bits.
        guard (1...19).contains(digits.count), digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }),
            let number = Int64(exactly: digits.reduce(0 as UInt64) { $0 * 10 + UInt64($1 - 0x30) })
        else { return nil }
        self.init(exactly: number)
    }
}
