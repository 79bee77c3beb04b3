// SPDX-License-Identifier: MIT
// A binary heap. Independent of what it orders.

/// A collection that gives its smallest element first. It does not find elements: an owner that must forget one skips it when it
/// comes first, or removes many at once.
/// - Cost: O(log n) to insert and to remove the first, O(n) to remove others. An empty heap has no memory.
@usableFromInline package struct Heap<Element: Comparable> {
    @usableFromInline var elements: ContiguousArray<Element> = []

    @inlinable package init() {}

    /// - Cost: O(n).
    @inlinable package init(_ elements: ContiguousArray<Element>) {
        self.elements = elements
        order()
    }

    @inlinable package var count: Int { elements.count }
    @inlinable package var first: Element? { elements.first }

    @inlinable package mutating func insert(_ element: Element) {
        elements.append(element)
        var child = elements.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard elements[child] < elements[parent] else { return }
            elements.swapAt(child, parent)
            child = parent
        }
    }

    @inlinable package mutating func removeFirst() -> Element {
        elements.swapAt(0, elements.count - 1)
        let first = elements.removeLast()
        siftDown(from: 0)
        return first
    }

    /// Keeps the elements for which `isKept` is true, and one of equal ones.
    @inlinable package mutating func filter(_ isKept: (Element) -> Bool) {
        elements.sort()
        var kept: ContiguousArray<Element> = []
        for element in elements where kept.last != element && isKept(element) { kept.append(element) }
        // A sorted array is a heap.
        elements = kept
    }

    /// - Cost: O(n).
    @inlinable package mutating func removeAll(where isMoot: (Element) -> Bool) {
        let former = count
        elements.removeAll(where: isMoot)
        if count < former { order() }
    }

    @inlinable mutating func order() {
        for index in stride(from: elements.count / 2 - 1, through: 0, by: -1) { siftDown(from: index) }
    }

    @inlinable mutating func siftDown(from index: Int) {
        var parent = index
        while true {
            var smallest = parent
            for child in (2 * parent + 1)...(2 * parent + 2)
            where child < elements.count && elements[child] < elements[smallest] { smallest = child }
            guard smallest != parent else { return }
            elements.swapAt(parent, smallest)
            parent = smallest
        }
    }
}
