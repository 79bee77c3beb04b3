// SPDX-License-Identifier: MIT
// Decodes UTF-8 characters and hexadecimal digits. Independent of the source of the text.

extension ByteView {
    /// The length of the well-formed character beyond ASCII at `index`, 2 to 4 bytes; 0 if it is ill-formed or truncated. By
    /// table 3-7 of the Unicode standard: no overlong forms, no surrogates, nothing beyond U+10FFFF.
    @inline(__always) func lengthOfUTF8(at index: Int) -> Int {
        let second = byteOrZero(index &+ 1)
        switch byteOrZero(index) {
        case 0xC2...0xDF: return isContinuation(second) ? 2 : 0
        case let first where first & 0xF0 == 0xE0:
            if first == 0xE0 && second < 0xA0 || first == 0xED && second > 0x9F { return 0 }
            return isContinuation(second) && isContinuation(byteOrZero(index &+ 2)) ? 3 : 0
        case let first where first >= 0xF0 && first <= 0xF4:
            if first == 0xF0 && second < 0x90 || first == 0xF4 && second > 0x8F { return 0 }
            guard isContinuation(second), isContinuation(byteOrZero(index &+ 2)) else { return 0 }
            return isContinuation(byteOrZero(index &+ 3)) ? 4 : 0
        default: return 0
        }
    }

    /// The line separator beyond ASCII at `index`: U+0085, U+2028 or U+2029. JSON permits them in strings, but readers of
    /// lines may end a line there, so JSON output escapes them.
    @inline(__always) func lineSeparator(at index: Int) -> (scalar: UInt32, length: Int)? {
        switch self[index] {
        case 0xC2 where byteOrZero(index &+ 1) == 0x85: return (0x85, 2)
        case 0xE2 where byteOrZero(index &+ 1) == 0x80:
            let last = byteOrZero(index &+ 2)
            return last & 0xFE == 0xA8 ? (0x2028 &+ UInt32(last & 1), 3) : nil
        default: return nil
        }
    }

    var isUTF8: Bool {
        var index = 0
        while index < count {
            let length = byteOrZero(index) < 0x80 ? 1 : lengthOfUTF8(at: index)
            if length == 0 { return false }
            index &+= length
        }
        return true
    }

    @inline(__always) private func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

    /// The value of the four hexadecimal digits at `index`; nil if there are fewer.
    func hexadecimalUnit(at index: Int) -> UInt32? {
        var unit: UInt32 = 0
        for position in index..<index &+ 4 {
            let byte = byteOrZero(position)
            let lowered = byte | 0x20
            if byte &- 0x30 < 10 {
                unit = unit &<< 4 | UInt32(byte &- 0x30)
            } else if lowered >= 0x61 && lowered <= 0x66 {
                unit = unit &<< 4 | UInt32(lowered &- 0x57)
            } else {
                return nil
            }
        }
        return unit
    }
}
