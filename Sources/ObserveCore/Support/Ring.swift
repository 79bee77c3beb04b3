// SPDX-License-Identifier: MIT
// A queue whose elements keep their numbers. Independent of the type of the elements.

/// First in, first out, in memory that the ring reuses. An element keeps its number; the first one ever has 0.
/// - Bounds: numbers must be in `first..<end` (checked in debug builds).
/// - Cost: O(1); growing moves the elements.
@safe struct Ring<Element>: ~Copyable {
    private var elements: UnsafeMutablePointer<Element>
    /// The capacity minus one; the capacity is a power of two.
    private var mask: Int
    /// The number of the oldest element.
    private(set) var first = 0
    /// The number of the next element.
    private(set) var end = 0

    init() {
        unsafe elements = .allocate(capacity: 16)
        mask = 15
    }

    deinit {
        for number in first..<end { unsafe (elements + (number & mask)).deinitialize(count: 1) }
        unsafe elements.deallocate()
    }

    var count: Int { end &- first }
    @inline(__always) var isEmpty: Bool { first == end }

    subscript(number: Int) -> Element {
        @inline(__always) unsafeAddress {
            assert(number >= first && number < end)
            return unsafe UnsafePointer(elements + (number & mask))
        }
        @inline(__always) unsafeMutableAddress {
            assert(number >= first && number < end)
            return unsafe elements + (number & mask)
        }
    }

    @inline(__always) mutating func append(_ element: consuming Element) {
        if count > mask { grow() }
        unsafe (elements + (end & mask)).initialize(to: element)
        end &+= 1
    }

    /// Removes the oldest element. The ring must not be empty.
    @inline(__always) mutating func removeFirst() -> Element {
        assert(!isEmpty)
        defer { first &+= 1 }
        return unsafe (elements + (first & mask)).move()
    }

    /// Removes the oldest element without deinitializing it. The caller has moved its references out.
    @inline(__always) mutating func forgetFirst() {
        assert(!isEmpty)
        first &+= 1
    }

    private mutating func grow() {
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: (mask + 1) * 2)
        let largerMask = mask * 2 + 1
        for number in first..<end {
            unsafe (larger + (number & largerMask)).moveInitialize(from: elements + (number & mask), count: 1)
        }
        unsafe elements.deallocate()
        unsafe elements = larger
        mask = largerMask
    }
}
