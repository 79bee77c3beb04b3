// SPDX-License-Identifier: MIT
// A view of bytes that another object owns. Independent of JSON.

/// A run of bytes in the memory of another object.
/// - Lifetime: valid during the call that passed the view. To keep the bytes, copy them.
/// - Threading: a value type; a read is as safe as a read of the owner.
@safe package struct ByteView {
    let base: UnsafePointer<UInt8>
    let count: Int

    @inline(__always) init(base: UnsafePointer<UInt8>, count: Int) {
        unsafe self.base = base
        self.count = count
    }

    @inline(__always) private init(_ buffer: UnsafeBufferPointer<UInt8>) {
        let empty: StaticString = ""
        unsafe self.init(base: buffer.baseAddress ?? empty.utf8Start, count: buffer.count)
    }

    @inline(__always) init(_ literal: StaticString) {
        unsafe self.base = literal.utf8Start
        self.count = literal.utf8CodeUnitCount
    }

    @inline(__always) var isEmpty: Bool { count == 0 }

    @inline(__always) subscript(index: Int) -> UInt8 {
        assert(index >= 0 && index < count)
        return unsafe base[index]
    }

    @inline(__always) func slice(_ range: Range<Int>) -> ByteView {
        assert(range.lowerBound >= 0 && range.upperBound <= count)
        return unsafe ByteView(base: base + range.lowerBound, count: range.count)
    }

    @inline(__always) func slice(from start: Int, count length: Int) -> ByteView {
        assert(start >= 0 && length >= 0 && start &+ length <= count)
        return unsafe ByteView(base: base + start, count: length)
    }

    /// The byte at `index`, or 0 past the end: for texts in which a zero byte has no meaning.
    @inline(__always) func byteOrZero(_ index: Int) -> UInt8 { index < count ? self[index] : 0 }

    /// The eight bytes at `index`, the first one lowest.
    @inline(__always) func word(at index: Int) -> UInt64 {
        assert(index >= 0 && index &+ 8 <= count)
        let raw = unsafe UnsafeRawPointer(base + index)
        return unsafe UInt64(littleEndian: raw.loadUnaligned(as: UInt64.self))
    }

    @inline(__always)
    func words(at index: Int) -> (ByteLanes.Pair, ByteLanes.Pair, ByteLanes.Pair, ByteLanes.Pair) {
        assert(index >= 0 && index &+ 64 <= count)
        let raw = unsafe UnsafeRawPointer(base + index)
        return unsafe (
            raw.loadUnaligned(as: ByteLanes.Pair.self),
            raw.loadUnaligned(fromByteOffset: 16, as: ByteLanes.Pair.self),
            raw.loadUnaligned(fromByteOffset: 32, as: ByteLanes.Pair.self),
            raw.loadUnaligned(fromByteOffset: 48, as: ByteLanes.Pair.self)
        )
    }

    @inline(__always) func dropFirst(_ n: Int) -> ByteView { slice(n..<count) }
    @inline(__always) func prefix(_ n: Int) -> ByteView { slice(0..<n) }

    @inline(__always) func firstIndex(of byte: UInt8, from start: Int) -> Int? {
        var index = start
        while index &+ 8 <= count {
            let found = ByteLanes.equal(word(at: index), byte)
            if found != 0 { return index &+ ByteLanes.indexOfFirst(found) }
            index &+= 8
        }
        while index < count {
            if self[index] == byte { return index }
            index &+= 1
        }
        return nil
    }

    /// Decodes as UTF-8; ill-formed bytes become U+FFFD.
    var string: String {
        unsafe String(decoding: UnsafeBufferPointer(start: base, count: count), as: UTF8.self)
    }

    var array: [UInt8] { unsafe Array(UnsafeBufferPointer(start: base, count: count)) }

    @inline(__always) static func == (left: ByteView, right: ByteView) -> Bool {
        let count = left.count
        guard count == right.count else { return false }
        let a = unsafe UnsafeRawPointer(left.base)
        let b = unsafe UnsafeRawPointer(right.base)
        if count >= 8 {
            var offset = 0
            while offset &+ 32 <= count {
                var difference: UInt64 = 0
                for lane in 0..<4 {
                    let x = unsafe a.loadUnaligned(fromByteOffset: offset &+ lane &* 8, as: UInt64.self)
                    let y = unsafe b.loadUnaligned(fromByteOffset: offset &+ lane &* 8, as: UInt64.self)
                    difference |= x ^ y
                }
                guard difference == 0 else { return false }
                offset &+= 32
            }
            while offset &+ 8 < count {
                let x = unsafe a.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                let y = unsafe b.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                guard x == y else { return false }
                offset &+= 8
            }
            // The last eight overlap the previous ones unless the count is a multiple of eight.
            let x = unsafe a.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
            let y = unsafe b.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
            return x == y
        }
        if count >= 4 {
            let x = unsafe a.loadUnaligned(as: UInt32.self)
            let y = unsafe b.loadUnaligned(as: UInt32.self)
            let z = unsafe a.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)
            let w = unsafe b.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)
            return x == y && z == w
        }
        for index in 0..<count where left[index] != right[index] { return false }
        return true
    }

    @inline(__always) static func == (left: ByteView, right: StaticString) -> Bool { left == ByteView(right) }

    /// For the cases of a switch.
    @inline(__always) static func ~= (pattern: StaticString, bytes: ByteView) -> Bool { bytes == pattern }

    /// The offset of `part`, which lies within this view.
    @inline(__always) func offset(of part: ByteView) -> Int { unsafe part.base - base }

    /// For tables whose keys a peer chooses: the hasher has a random seed for each process.
    func hash(into hasher: inout Hasher) {
        unsafe hasher.combine(bytes: UnsafeRawBufferPointer(start: base, count: count))
    }

    /// A hash of every byte, eight at a time by a 64 × 64 → 128 bit multiplication. A peer can choose colliding keys: use a
    /// random seed, or use the hash only where collisions cost that peer alone.
    @inline(__always) func hash(seed: UInt64 = 0) -> UInt64 {
        let raw = unsafe UnsafeRawPointer(base)
        var hash = seed ^ UInt64(truncatingIfNeeded: count) &* 0x9E37_79B9_7F4A_7C15
        var offset = 0
        while offset &+ 8 <= count {
            let word = unsafe raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            hash = mix(hash ^ word)
            offset &+= 8
        }
        return offset == count ? mix(hash) : mix(hash ^ rest(from: offset))
    }

    /// The last one to seven bytes in one word. From four bytes on, it consists of two halves that may overlap.
    @inline(__always) private func rest(from offset: Int) -> UInt64 {
        let raw = unsafe UnsafeRawPointer(base)
        let left = count &- offset
        if count >= 8 { return unsafe raw.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self) }
        if left >= 4 {
            let low = unsafe raw.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
            let high = unsafe raw.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)
            return UInt64(high) &<< 32 | UInt64(low)
        }
        let middle = UInt64(self[offset &+ (left &>> 1)]) &<< 8
        return UInt64(self[offset]) | middle | UInt64(self[count &- 1]) &<< 16
    }
}

/// Spreads each bit over the whole word, as a step of a hash.
@inline(__always) func mix(_ word: UInt64) -> UInt64 {
    let product = word.multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    return product.high ^ product.low
}

extension ByteView {
    @inline(__always)
    static func with<R, E: Error>(_ bytes: [UInt8], _ body: (ByteView) throws(E) -> R) throws(E) -> R {
        try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(E) -> R in
            try unsafe body(ByteView(buffer))
        }
    }

    @inline(__always) static func with<R, E: Error>(
        _ bytes: ArraySlice<UInt8>,
        _ body: (ByteView) throws(E) -> R
    ) throws(E) -> R {
        try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(E) -> R in
            try unsafe body(ByteView(buffer))
        }
    }

    @inline(__always)
    static func with<R, E: Error>(_ text: String, _ body: (ByteView) throws(E) -> R) throws(E) -> R {
        var text = text
        // `withUTF8` does not throw typed errors.
        let result: Result<R, E> = text.withUTF8 { buffer in
            do throws(E) { return unsafe .success(try body(ByteView(buffer))) } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}
