// SPDX-License-Identifier: MIT
// Work with due times. Independent of clocks and timers.

/// A binary heap of items by their due times. Of items with equal times, the oldest comes first.
///
/// An item can't be cancelled. When the queue is full, its owner recognizes the moot items and removes them all.
struct TimerQueue<Item> {
    private struct Entry: Comparable {
        let due: MonotonicTime
        let number: UInt64
        let item: Item

        static func < (left: Entry, right: Entry) -> Bool {
            (left.due, left.number) < (right.due, right.number)
        }

        static func == (left: Entry, right: Entry) -> Bool { left.number == right.number }
    }

    private var entries: [Entry] = []
    private var lastNumber: UInt64 = 0
    private var limit = 64

    /// When the first item is due; nil if there is none.
    var next: MonotonicTime? { entries.first?.due }

    var count: Int { entries.count }

    /// Whether to remove moot items before adding another: they may be half of the items.
    var isFull: Bool { entries.count >= limit }

    mutating func add(_ item: Item, due: MonotonicTime) {
        lastNumber += 1
        entries.append(Entry(due: due, number: lastNumber, item: item))
        var child = entries.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard entries[child] < entries[parent] else { return }
            entries.swapAt(child, parent)
            child = parent
        }
    }

    /// Removes the first item that is due at `now`.
    mutating func popDue(at now: MonotonicTime) -> Item? {
        guard let first = entries.first, first.due <= now else { return nil }
        entries.swapAt(0, entries.count - 1)
        entries.removeLast()
        siftDown()
        return first.item
    }

    /// Cost: O(n log n).
    mutating func removeAll(where isMoot: (Item) -> Bool) {
        entries.removeAll { isMoot($0.item) }
        // A sorted array is a heap.
        entries.sort()
        limit = max(64, entries.count * 2)
    }

    private mutating func siftDown() {
        var parent = 0
        while true {
            var smallest = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < entries.count && entries[child] < entries[smallest] {
                smallest = child
            }
            guard smallest != parent else { return }
            entries.swapAt(parent, smallest)
            parent = smallest
        }
    }
}
