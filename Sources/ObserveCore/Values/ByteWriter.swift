// SPDX-License-Identifier: MIT
// Bytes put one behind the other where room was made for all of them. Knows nothing of what they say.

/// The end of a ``ByteBuffer`` while ``ByteBuffer/append(atMost:_:)`` runs: what is put there is not asked each time
/// whether there is room, and the buffer learns once how much it was.
///
/// - Bounds: more than there is room for is a broken internal rule (checked in debug builds).
@safe
struct ByteWriter: ~Copyable {
    fileprivate var next: UnsafeMutablePointer<UInt8>
    private let limit: UnsafeMutablePointer<UInt8>

    fileprivate init(_ start: UnsafeMutablePointer<UInt8>, room: Int) {
        unsafe next = start
        unsafe limit = start + room
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

    /// Wants room for 24 bytes, whatever comes of it.
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
    /// Makes room for so many bytes, and lets `body` put as many there as it likes.
    @inline(__always)
    func append(atMost room: Int, _ body: (inout ByteWriter) -> Void) {
        let start = unsafe end(withSpace: room)
        var writer = unsafe ByteWriter(start, room: room)
        body(&writer)
        unsafe grow(by: writer.next - start)
    }
}
