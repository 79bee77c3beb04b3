// SPDX-License-Identifier: MIT
// Writes pieces of bytes, and the digits of a counter, into reserved space. Independent of their contents.

/// Writes after the end of a ``ByteBuffer`` while ``ByteBuffer/append(atMost:_:)`` runs. The buffer reserves the
/// space once and updates its count once.
///
/// - Bounds: the written bytes must fit the reserved space (checked in debug builds).
@safe struct ByteWriter: ~Copyable {
    fileprivate var next: UnsafeMutablePointer<UInt8>
    private let limit: UnsafeMutablePointer<UInt8>

    fileprivate init(_ start: UnsafeMutablePointer<UInt8>, space: Int) {
        unsafe next = start
        unsafe limit = start + space
    }

    @inline(__always) mutating func put(_ literal: StaticString) { put(ByteView(literal)) }

    @inline(__always) mutating func put(_ bytes: ByteView) {
        assert(unsafe limit - next >= bytes.count)
        unsafe UnsafeMutableRawPointer(next).copyMemory(from: bytes.base, byteCount: bytes.count)
        unsafe next += bytes.count
    }

    /// Writes ``DecimalText/maxBytes`` bytes and keeps `number.count` of them, so it needs space for all.
    @inline(__always) mutating func put(_ number: borrowing DecimalText) {
        assert(unsafe limit - next >= DecimalText.maxBytes)
        let end = unsafe UnsafeMutableRawPointer(next)
        unsafe end.storeBytes(of: number.words.0.littleEndian, as: UInt64.self)
        unsafe end.storeBytes(of: number.words.1.littleEndian, toByteOffset: 8, as: UInt64.self)
        unsafe end.storeBytes(of: number.words.2.littleEndian, toByteOffset: 16, as: UInt64.self)
        unsafe next += number.count
    }
}

extension ByteBuffer {
    /// Reserves `space` bytes and appends the bytes that `body` writes.
    @inline(__always) func append(atMost space: Int, _ body: (inout ByteWriter) -> Void) {
        let start = unsafe end(withSpace: space)
        var writer = unsafe ByteWriter(start, space: space)
        body(&writer)
        unsafe grow(by: writer.next - start)
    }
}

/// The decimal digits of a counter. The next number is most often one more, and then only the last digit changes.
struct DecimalText: ~Copyable {
    /// The space that ``ByteWriter`` needs: it writes all words and keeps the digits.
    static var maxBytes: Int { 24 }

    private(set) var value: UInt64 = 0
    private(set) var count = 1
    /// The digits; the first digit is the lowest byte of the first word.
    private(set) var words: (UInt64, UInt64, UInt64) = (0x30, 0, 0)

    @inline(__always) mutating func show(_ number: UInt64) {
        if number == value { return }
        if number == value &+ 1, count <= 8, (words.0 &>> shiftOfLast) & 0xFF != 0x39 {
            words.0 &+= 1 &<< shiftOfLast
            value = number
        } else {
            spell(number)
        }
    }

    @inline(__always) private var shiftOfLast: UInt64 { UInt64(truncatingIfNeeded: (count &- 1) &* 8) }

    @inline(never) private mutating func spell(_ number: UInt64) {
        value = number
        words = (0, 0, 0)
        count = 0
        var rest = number
        repeat {
            // Move the digits up by one byte, and insert the next one before them.
            words.2 = words.2 &<< 8 | words.1 &>> 56
            words.1 = words.1 &<< 8 | words.0 &>> 56
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            words.0 = words.0 &<< 8 | (digit &+ 0x30)
            count &+= 1
            rest = quotient
        } while rest > 0
    }
}
