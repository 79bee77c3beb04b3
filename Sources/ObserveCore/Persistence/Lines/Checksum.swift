// SPDX-License-Identifier: MIT
// CRC-32C, which distinguishes a damaged line from a whole one. Independent of the lines' contents.

/// The checksum of iSCSI and ext4 (Castagnoli's polynomial, reflected). It detects any single damaged byte.
/// - Cost: eight bytes at a time, with the processor's own instruction if there is one.
@safe struct Checksum: Sendable {
    /// One table of 256 for each of eight bytes.
    private let tables: [UInt32]

    private static let tables = Checksum()

    /// - Parameters:
    ///   - before: the checksum of the bytes before, which the result covers too.
    ///   - usesProcessor: whether to use the processor's instruction; tests compare both.
    @inline(__always) static func of(
        _ bytes: ByteView,
        after before: UInt32 = 0,
        usesProcessor: Bool = ProcessorChecksum.isThere
    ) -> UInt32 {
        if usesProcessor { return unsafe ProcessorChecksum.of(bytes.base, count: bytes.count, after: before) }
        return tables.of(bytes, after: before)
    }

    private init() {
        var tables = [UInt32](repeating: 0, count: 8 * 256)
        for byte in 0..<256 {
            var value = UInt32(byte)
            for _ in 0..<8 { value = value & 1 == 0 ? value >> 1 : value >> 1 ^ 0x82F6_3B78 }
            tables[byte] = value
        }
        for byte in 256..<8 * 256 {
            let before = tables[byte - 256]
            tables[byte] = before >> 8 ^ tables[Int(before & 0xFF)]
        }
        self.tables = tables
    }

    private func of(_ bytes: ByteView, after before: UInt32) -> UInt32 {
        unsafe tables.withUnsafeBufferPointer { tables in
            @inline(__always) func entry(_ table: Int, _ byte: UInt64) -> UInt32 {
                unsafe tables[table &* 256 &+ Int(truncatingIfNeeded: byte & 0xFF)]
            }
            var sum = ~before
            var next = 0
            while next &+ 8 <= bytes.count {
                let word = bytes.word(at: next) ^ UInt64(sum)
                sum =
                    entry(7, word) ^ entry(6, word &>> 8) ^ entry(5, word &>> 16) ^ entry(4, word &>> 24)
                    ^ entry(3, word &>> 32) ^ entry(2, word &>> 40) ^ entry(1, word &>> 48)
                    ^ entry(0, word &>> 56)
                next &+= 8
            }
            while next < bytes.count {
                sum = sum &>> 8 ^ entry(0, UInt64(sum) ^ UInt64(bytes[next]))
                next &+= 1
            }
            return ~sum
        }
    }
}
