// SPDX-License-Identifier: MIT
// Writes pieces of bytes into reserved space. Independent of their contents.

/// Writes after the end of a ``ByteBuffer`` while ``ByteBuffer/append(atMost:_:)`` runs. The buffer reserves the
/// space once and updates its count once.
///
/// - Bounds: the written bytes must fit the reserved space (checked in debug builds).
@safe
struct ByteWriter: ~Copyable {
    fileprivate var next: UnsafeMutablePointer<UInt8>
    private let limit: UnsafeMutablePointer<UInt8>

    fileprivate init(_ start: UnsafeMutablePointer<UInt8>, space: Int) {
        unsafe next = start
        unsafe limit = start + space
    }

    @inline(__always)
    mutating func put(_ literal: StaticString) {
        put(ByteView(literal))
    }

    @inline(__always)
    mutating func put(_ bytes: ByteView) {
        assert(unsafe limit - next >= bytes.count)
        unsafe UnsafeMutableRawPointer(next).copyMemory(from: bytes.base, byteCount: bytes.count)
        unsafe next += bytes.count
    }

    /// Writes ``DecimalText/maxBytes`` bytes and keeps `number.count` of them, so it needs space for all.
    @inline(__always)
    mutating func put(_ number: borrowing DecimalText) {
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
    @inline(__always)
    func append(atMost space: Int, _ body: (inout ByteWriter) -> Void) {
        let start = unsafe end(withSpace: space)
        var writer = unsafe ByteWriter(start, space: space)
        body(&writer)
        unsafe grow(by: writer.next - start)
    }
}
