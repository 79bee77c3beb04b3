// SPDX-License-Identifier: MIT
// The digits of a number that counts up, jumps and decreases.

import Testing

@testable import ObserveCore

@Suite struct DecimalTextTests {
    /// The digits, appended to a buffer that is nearly full.
    private func text(_ number: borrowing DecimalText) -> String {
        let out = ByteBuffer(capacity: 16)
        out.append("revision:")
        out.append(atMost: DecimalText.maxBytes) { $0.put(number) }
        return String(out.string.dropFirst("revision:".count))
    }

    @Test func `the first number is zero`() {
        #expect(text(DecimalText()) == "0")
    }

    @Test(arguments: [0, 5, 95, 990, 99_999_980, 9_999_999_990, 18_446_744_073_709_551_580] as [UInt64])
    func `counts up`(start: UInt64) {
        var number = DecimalText()
        for offset in 0..<30 as Range<UInt64> {
            number.show(start + offset)
            #expect(text(number) == String(start + offset))
            #expect(number.value == start + offset)
        }
    }

    @Test func `jumps, stays and decreases`() {
        var number = DecimalText()
        for value in [7, 7, 8, 6, 1_000_000, 9, 10, 9, .max, 0, .max - 1, .max] as [UInt64] {
            number.show(value)
            #expect(text(number) == String(value))
        }
    }
}
