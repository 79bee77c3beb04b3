// SPDX-License-Identifier: MIT
// A list that one owner fills, walks and empties repeatedly. Independent of the type of the elements.

/// An array for hot paths. It has one owner, so a read retains nothing and a change does not test for uniqueness.
/// With arrays, reference counting took 40 % of a pipelined `set`.
///
/// - Bounds: indexes must be in `0..<count` (checked in debug builds).
/// - Cost: that of an array; emptying keeps the memory.
@usableFromInline @safe package struct Scratch<Element>: ~Copyable {
    @usableFromInline var elements: UnsafeMutablePointer<Element>
    @usableFromInline var capacity: Int
    @usableFromInline package private(set) var count = 0

    @inlinable package init(capacity: Int = 16) {
        unsafe elements = .allocate(capacity: capacity)
        self.capacity = capacity
    }

    @inlinable deinit {
        unsafe elements.deinitialize(count: count)
        unsafe elements.deallocate()
    }

    @inlinable @inline(__always) package var isEmpty: Bool { count == 0 }
    @inlinable @inline(__always) package var indices: Range<Int> { 0..<count }
    @inlinable package var last: Element? { isEmpty ? nil : self[count - 1] }

    @inlinable package subscript(index: Int) -> Element {
        @inline(__always) unsafeAddress {
            assert(index >= 0 && index < count)
            return unsafe UnsafePointer(elements + index)
        }
        @inline(__always) unsafeMutableAddress {
            assert(index >= 0 && index < count)
            return unsafe elements + index
        }
    }

    @inlinable @inline(__always) package mutating func append(_ element: consuming Element) {
        if count == capacity { grow() }
        unsafe (elements + count).initialize(to: element)
        count &+= 1
    }

    @inlinable package mutating func popLast() -> Element? {
        guard count > 0 else { return nil }
        count &-= 1
        return unsafe (elements + count).move()
    }

    @inlinable @inline(__always) package mutating func removeAll() {
        // One by one: the compiler inlines this; for several at once the runtime would look up their type.
        for index in 0..<count { unsafe (elements + index).deinitialize(count: 1) }
        count = 0
    }

    /// Moves all elements to `body`, in order.
    @inlinable @inline(__always) package mutating func drain(_ body: (consuming Element) -> Void) {
        for index in 0..<count { body(unsafe (elements + index).move()) }
        count = 0
    }

    @inlinable @inline(__always) package mutating func truncate(to n: Int) {
        assert(n >= 0 && n <= count)
        unsafe (elements + n).deinitialize(count: count &- n)
        count = n
    }

    @inlinable package mutating func removeAll(where isUnwanted: (Element) -> Bool) {
        var kept = 0
        for index in 0..<count {
            if isUnwanted(self[index]) { continue }
            if kept != index { unsafe swap(&elements[kept], &elements[index]) }
            kept &+= 1
        }
        truncate(to: kept)
    }

    /// Sorts the elements. The sort is stable.
    @inlinable package mutating func sort(by comesFirst: (Element, Element) -> Bool) {
        var whole = unsafe UnsafeMutableBufferPointer(start: elements, count: count)
        unsafe whole.sort(by: comesFirst)
    }

    @inlinable package var array: [Element] {
        unsafe Array(UnsafeBufferPointer(start: elements, count: count))
    }

    @inlinable mutating func grow() {
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity * 2)
        unsafe larger.moveInitialize(from: elements, count: count)
        unsafe elements.deallocate()
        unsafe elements = larger
        capacity *= 2
    }
}
