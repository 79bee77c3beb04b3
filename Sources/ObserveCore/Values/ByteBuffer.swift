// SPDX-License-Identifier: MIT
// A growing byte buffer: writers append at the end, readers consume at the front. Independent of JSON and sockets.

/// Bytes of an answer, of an event, or of unsent output.
/// - Cost: appending is amortised O(1) per byte and allocates only beyond the capacity.
@safe package final class ByteBuffer {
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

    @inline(__always) package func removeAll() {
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

    @inline(__always) package func consume(_ n: Int) {
        assert(n >= 0 && n <= count)
        head &+= n
        if head == tail { removeAll() }
    }

    @inline(__always) func truncate(to n: Int) {
        assert(n >= 0 && n <= count)
        tail = head &+ n
    }

    @inline(__always) package func append(_ byte: UInt8) {
        if tail == capacity { reserve(1) }
        storage[tail] = byte
        tail &+= 1
    }

    /// Appends bytes of other memory, not of this buffer.
    @inline(__always) func append(_ bytes: ByteView) {
        if capacity &- tail < bytes.count { reserve(bytes.count) }
        unsafe (storage + tail).update(from: bytes.base, count: bytes.count)
        tail &+= bytes.count
    }

    @inline(__always) package func append(_ literal: StaticString) { append(ByteView(literal)) }

    package func append(contentsOf bytes: [UInt8]) { ByteView.with(bytes) { append($0) } }

    package func append(utf8 text: String) { ByteView.with(text) { append($0) } }

    package func append(decimal value: UInt64) {
        if capacity &- tail < 24 { reserve(24) }
        let (upper, last) = value.quotientAndRemainder(dividingBy: 1_0000_0000)
        if upper == 0 { return put(significant: last) }
        let (first, middle) = upper.quotientAndRemainder(dividingBy: 1_0000_0000)
        if first == 0 {
            put(significant: middle)
        } else {
            put(significant: first)
            put(digits: ByteBuffer.digits(middle), from: 0)
        }
        put(digits: ByteBuffer.digits(last), from: 0)
    }

    /// Writes a number below 10⁸ without leading zeros.
    @inline(__always) private func put(significant value: UInt64) {
        let digits = ByteBuffer.digits(value)
        put(digits: digits, from: min(7, digits.trailingZeroBitCount &>> 3))
    }

    @inline(__always) private func put(digits: UInt64, from first: Int) {
        let text = ((digits | 0x3030_3030_3030_3030) &>> UInt64(truncatingIfNeeded: first &<< 3)).littleEndian
        unsafe UnsafeMutableRawPointer(storage + tail).storeBytes(of: text, as: UInt64.self)
        tail &+= 8 &- first
    }

    /// The eight digits of a number below 10⁸, a byte each, the first one lowest.
    @inline(__always) private static func digits(_ value: UInt64) -> UInt64 {
        // One word has two numbers of four digits, then four of two, then eight of one. 10486/2²⁰ and 103/2¹⁰ are accurate
        // enough for a hundredth of the former and a tenth of the latter.
        let (upper, lower) = value.quotientAndRemainder(dividingBy: 10_000)
        let fours = upper | lower &<< 32
        let hundreds = (fours &* 10486) &>> 20 & 0x7F_0000_007F
        let twos = hundreds | (fours &- hundreds &* 100) &<< 16
        let tens = (twos &* 103) &>> 10 & 0x000F_000F_000F_000F
        return tens | (twos &- tens &* 10) &<< 8
    }

    /// The end of the bytes, with `space` free bytes after it: for ``ByteWriter``.
    @inline(__always) func end(withSpace space: Int) -> UnsafeMutablePointer<UInt8> {
        if capacity &- tail < space { reserve(space) }
        return unsafe storage + tail
    }

    /// Adds the `n` bytes that a ``ByteWriter`` has written after the end.
    @inline(__always) func grow(by n: Int) {
        assert(n >= 0 && n <= capacity &- tail)
        tail &+= n
    }

    package func append(decimal value: Int64) {
        if value < 0 { append(0x2D) }
        append(decimal: value.magnitude)
    }

    /// Appends the head of a member, such as `,"index":`, or whatever precedes a number, the number, and what follows.
    @inline(__always)
    func append(_ head: StaticString, _ number: some FixedWidthInteger, _ tail: StaticString = "") {
        append(head)
        if number < 0 { append(0x2D) }
        append(decimal: UInt64(number.magnitude))
        append(tail)
    }

    /// Inserts the literal before each of the offsets, which ascend.
    /// - Cost: proportional to the bytes behind the first offset.
    func insert(_ literal: StaticString, before offsets: some BidirectionalCollection<Int>) {
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
