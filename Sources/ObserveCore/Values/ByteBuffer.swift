// SPDX-License-Identifier: MIT
// A growing byte buffer: writers append at the end, readers consume at the front. Independent of JSON and sockets.

/// Bytes of an answer, of an event, or of unsent output.
///
/// - Threading: confined to its owner.
/// - Cost: appending is amortised O(1) per byte and allocates only beyond the capacity.
@safe
package final class ByteBuffer {
    @safe private var storage: UnsafeMutablePointer<UInt8>
    private(set) var capacity: Int
    /// The offset of the first unconsumed byte in `storage`.
    private var head: Int
    private var tail: Int

    package init(capacity: Int = 256) {
        self.capacity = max(capacity, 16)
        storage = unsafe GrowingMemory.allocate(self.capacity)
        head = 0
        tail = 0
    }

    deinit { unsafe GrowingMemory.free(storage) }

    @inline(__always) package var count: Int { tail &- head }
    @inline(__always) package var isEmpty: Bool { tail == head }

    /// How many bytes of memory are in use, consumed bytes included.
    @inline(__always) var heldBytes: Int { tail }

    /// The bytes in the buffer; valid until its next change.
    @inline(__always)
    var view: ByteView { unsafe ByteView(base: UnsafePointer(storage) + head, count: tail &- head) }

    package var array: [UInt8] { view.array }
    package var string: String { view.string }

    @inline(__always)
    package func removeAll() {
        head = 0
        tail = 0
    }

    /// Removes all bytes and frees most of the memory.
    func releaseMemory() {
        removeAll()
        unsafe GrowingMemory.free(storage)
        capacity = 64 << 10
        storage = unsafe GrowingMemory.allocate(capacity)
    }

    /// Removes the first `n` bytes.
    @inline(__always)
    package func consume(_ n: Int) {
        assert(n >= 0 && n <= count)
        head &+= n
        if head == tail { removeAll() }
    }

    /// Keeps the first `n` bytes: undoes appends.
    @inline(__always)
    func truncate(to n: Int) {
        assert(n >= 0 && n <= count)
        tail = head &+ n
    }

    @inline(__always)
    package func append(_ byte: UInt8) {
        if tail == capacity { reserve(1) }
        storage[tail] = byte
        tail &+= 1
    }

    /// Appends bytes of other memory, not of this buffer.
    @inline(__always)
    func append(_ bytes: ByteView) {
        if capacity &- tail < bytes.count { reserve(bytes.count) }
        unsafe (storage + tail).update(from: bytes.base, count: bytes.count)
        tail &+= bytes.count
    }

    @inline(__always)
    package func append(_ literal: StaticString) { append(ByteView(literal)) }

    package func append(contentsOf bytes: [UInt8]) { ByteView.with(bytes) { append($0) } }

    package func append(utf8 text: String) { ByteView.with(text) { append($0) } }

    package func append(decimal value: UInt64) {
        if capacity &- tail < 20 { reserve(20) }
        var position = tail &+ ByteBuffer.decimalDigits(value)
        tail = position
        var rest = value
        while rest >= 100 {
            position &-= 2
            let (quotient, pair) = rest.quotientAndRemainder(dividingBy: 100)
            put(pair: pair, at: position)
            rest = quotient
        }
        if rest >= 10 {
            put(pair: rest, at: position &- 2)
        } else {
            storage[position &- 1] = UInt8(truncatingIfNeeded: rest) &+ 0x30
        }
    }

    /// Writes two digits. For numbers below a hundred, 103/1024 is accurate enough for a tenth.
    @inline(__always)
    private func put(pair: UInt64, at position: Int) {
        let tens = (pair &* 103) &>> 10
        storage[position] = UInt8(truncatingIfNeeded: tens) &+ 0x30
        storage[position &+ 1] = UInt8(truncatingIfNeeded: pair &- tens &* 10) &+ 0x30
    }

    /// The end of the bytes, with `space` free bytes after it: for ``ByteWriter``.
    @inline(__always)
    func end(withSpace space: Int) -> UnsafeMutablePointer<UInt8> {
        if capacity &- tail < space { reserve(space) }
        return unsafe storage + tail
    }

    /// Adds the `n` bytes that a ``ByteWriter`` has written after the end.
    @inline(__always)
    func grow(by n: Int) {
        assert(n >= 0 && n <= capacity &- tail)
        tail &+= n
    }

    @inline(__always)
    private static func decimalDigits(_ value: UInt64) -> Int {
        // 1233/4096 approximates log₁₀ 2. From a power of ten on, the result is one too few.
        let fewest = ((64 &- (value | 1).leadingZeroBitCount) &* 1233) &>> 12
        return fewest &+ (value >= powerOfTen(fewest) ? 1 : 0)
    }

    @inline(__always)
    private static func powerOfTen(_ exponent: Int) -> UInt64 {
        switch exponent {
        case 0: 0
        case 1: 10
        case 2: 100
        case 3: 1000
        case 4: 1_0000
        case 5: 10_0000
        case 6: 100_0000
        case 7: 1000_0000
        case 8: 1_0000_0000
        case 9: 10_0000_0000
        case 10: 100_0000_0000
        case 11: 1000_0000_0000
        case 12: 1_0000_0000_0000
        case 13: 10_0000_0000_0000
        case 14: 100_0000_0000_0000
        case 15: 1000_0000_0000_0000
        case 16: 1_0000_0000_0000_0000
        case 17: 10_0000_0000_0000_0000
        case 18: 100_0000_0000_0000_0000
        default: 1000_0000_0000_0000_0000
        }
    }

    package func append(decimal value: Int64) {
        if value < 0 { append(0x2D) }
        append(decimal: value.magnitude)
    }

    /// Inserts the literal before each of the offsets, which ascend.
    ///
    /// - Returns: how many bytes longer the buffer is.
    /// - Cost: proportional to the bytes behind the first offset.
    func insert(_ literal: StaticString, before offsets: some BidirectionalCollection<Int>) -> Int {
        let text = ByteView(literal)
        let added = offsets.count * text.count
        if capacity - tail < added { reserve(added) }
        var (source, target) = (tail, tail + added)
        tail = target
        for offset in offsets.reversed() {
            let moved = source - (head + offset)
            precondition(moved >= 0 && offset >= 0, "an offset is outside the buffer, or not in order")
            source -= moved
            target -= moved
            unsafe (storage + target).update(from: storage + source, count: moved)
            target -= text.count
            unsafe (storage + target).update(from: text.base, count: text.count)
        }
        return added
    }

    func overwrite(at offset: Int, _ byte: UInt8) {
        precondition(offset >= 0 && offset < count, "an overwritten byte is outside the buffer")
        storage[head &+ offset] = byte
    }

    /// Overwrites the eight bytes at `offset` with hexadecimal digits.
    func overwrite(at offset: Int, hexadecimal value: UInt32) {
        precondition(offset >= 0 && offset + 8 <= count, "overwritten bytes are outside the buffer")
        // One digit in each byte, the first digit lowest; then add 0x30, and another 0x27 to digits from ten on.
        var digits = UInt64(value.byteSwapped)
        digits = (digits | digits &<< 16) & 0x0000_FFFF_0000_FFFF
        digits = (digits | digits &<< 8) & 0x00FF_00FF_00FF_00FF
        digits = (digits &>> 4 | digits &<< 8) & 0x0F0F_0F0F_0F0F_0F0F
        let letters = (digits &+ 0x0606_0606_0606_0606) &>> 4 & 0x0101_0101_0101_0101
        digits = digits &+ 0x3030_3030_3030_3030 &+ letters &* 0x27
        unsafe UnsafeMutableRawPointer(storage + head + offset)
            .storeBytes(of: digits.littleEndian, as: UInt64.self)
    }

    /// Makes space for `n` bytes: moves the bytes to the front if that frees enough, else makes the memory larger.
    private func reserve(_ n: Int) {
        let wanted = tail &- head
        guard head > 0, capacity &- wanted >= n, head >= wanted else {
            capacity = max(capacity &* 2, tail &+ n)
            storage = unsafe GrowingMemory.resize(storage, to: capacity)
            return
        }
        unsafe storage.update(from: storage + head, count: wanted)
        head = 0
        tail = wanted
    }
}
