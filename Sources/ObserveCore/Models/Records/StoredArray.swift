// SPDX-License-Identifier: MIT
// The value of an array, with an account of its memory. Independent of the tree.

/// An array's elements. The tree may share them with owners of an older value, so it copies shared ones before
/// a change.
final class StoredArray {
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe private(set) var elements: ElementList
    /// Whether all elements are numbers, booleans and null. Once false it stays false.
    private(set) var isPlain: Bool
    /// The bytes of memory that the elements take beyond their own places: see ``StoredValue/storageBytes``.
    private var contentBytes: Int

    init(_ elements: ContiguousArray<StoredValue>) {
        self.elements = ElementList(elements.withoutSlack)
        isPlain = elements.allSatisfy(\.isPlain)
        contentBytes = isPlain ? 0 : elements.reduce(0) { $0 + $1.storageBytes }
    }

    /// A copy to change.
    init(copying other: StoredArray) {
        elements = other.elements
        isPlain = other.isPlain
        contentBytes = other.contentBytes
    }

    /// About how many bytes of memory the array takes, with its elements.
    ///
    /// - Cost: O(1).
    var byteCount: Int {
        // An object is 48 bytes with what `malloc` adds, and so is the head of the elements.
        (elements.isEmpty ? 48 : 96 &+ elements.count &* MemoryLayout<StoredValue>.stride) &+ contentBytes
    }

    func insert(_ element: StoredValue, at index: Int) {
        elements.insert(element, at: index)
        if element.isPlain { return }
        isPlain = false
        contentBytes &+= element.storageBytes
    }

    func remove(at index: Int) -> StoredValue {
        let removed = elements.remove(at: index)
        contentBytes &-= removed.storageBytes
        return removed
    }

    /// Removes the last elements, at most `count` of them.
    func removeLast(atMost count: Int) {
        let removed = min(count, elements.count)
        if !isPlain { contentBytes &-= elements.suffix(removed).reduce(0) { $0 + $1.storageBytes } }
        elements.removeLast(removed)
    }

    func replace(at index: Int, with element: StoredValue) {
        if !isPlain { contentBytes &-= elements[index].storageBytes }
        elements[index] = element
        if element.isPlain { return }
        isPlain = false
        contentBytes &+= element.storageBytes
    }

    /// Lends an element that is an array to `body`, to change it in place.
    func withArray<Result>(at index: Int, _ body: (inout StoredValue) -> Result) -> Result {
        contentBytes &-= elements[index].storageBytes
        defer { contentBytes &+= elements[index].storageBytes }
        return body(&elements[index])
    }

    func equals(_ other: StoredArray) -> Bool {
        guard elements.count == other.elements.count else { return false }
        for index in elements.indices where !elements[index].equals(other.elements[index]) { return false }
        return true
    }

    /// The element at `index`, absent past the end.
    @inline(__always)
    func element(_ index: Int) -> StoredValue {
        index >= 0 && index < elements.count ? elements[index] : .absent
    }
}
