// SPDX-License-Identifier: MIT
// What the hub has to do at points in time. Knows no clock and no timer.

/// Things to be done later, the earliest first: a binary heap.
///
/// Nothing is taken out before its time: what has become moot is recognised by whoever does it.
struct Agenda<Item> {
    private var entries: [(due: MonotonicTime, item: Item)] = []

    /// When the first is due; nil when there is nothing to do.
    var next: MonotonicTime? { entries.first?.due }

    var count: Int { entries.count }

    mutating func add(_ item: Item, due: MonotonicTime) {
        entries.append((due, item))
        var child = entries.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard entries[child].due < entries[parent].due else { return }
            entries.swapAt(child, parent)
            child = parent
        }
    }

    /// Takes out the first item that is due at `now`.
    mutating func popDue(at now: MonotonicTime) -> Item? {
        guard let first = entries.first, first.due <= now else { return nil }
        entries.swapAt(0, entries.count - 1)
        entries.removeLast()
        sink()
        return first.item
    }

    private mutating func sink() {
        var parent = 0
        while true {
            var smallest = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < entries.count && entries[child].due < entries[smallest].due {
                smallest = child
            }
            guard smallest != parent else { return }
            entries.swapAt(parent, smallest)
            parent = smallest
        }
    }
}
