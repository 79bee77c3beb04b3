// SPDX-License-Identifier: MIT
// What the hub has to do at points in time. Knows no clock and no timer.

/// Things to be done later, the earliest first, and of those at one time the oldest: a binary heap.
///
/// Nothing is taken out for itself before its time: what has become moot is recognised by whoever does it.
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

    /// When the first is due; nil when there is nothing to do.
    var next: MonotonicTime? { entries.first?.due }

    var count: Int { entries.count }

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

    /// Takes out the first item that is due at `now`.
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
        // What is sorted is a heap.
        entries.sort()
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
