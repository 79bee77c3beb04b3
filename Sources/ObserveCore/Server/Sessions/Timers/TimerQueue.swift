// SPDX-License-Identifier: MIT
// Work with due times. Independent of clocks and timers.

/// Items by their due times. Of items with equal times, the oldest comes first.
///
/// An item can't be cancelled. When the queue is full, its owner recognizes the moot items and removes them all.
struct TimerQueue<Item> {
    /// An item's place in the order. The item is apart: to move it would count references.
    private struct Entry: Comparable {
        let due: MonotonicTime
        let number: UInt64
        /// Where ``items`` has the item.
        let slot: Int32

        static func < (left: Entry, right: Entry) -> Bool {
            left.due == right.due ? left.number < right.number : left.due < right.due
        }

        static func == (left: Entry, right: Entry) -> Bool { left.number == right.number }
    }

    private var entries = Heap<Entry>()
    private var items: ContiguousArray<Item?> = []
    private var freeSlots: ContiguousArray<Int32> = []
    private var lastNumber: UInt64 = 0
    private var limit = 64
    /// How many items were said to be moot since the last removal. Some may have left since, and a large one counts as several.
    private var mootCount = 0

    /// When the first item is due; nil if there is none.
    var next: MonotonicTime? { entries.first?.due }

    var count: Int { entries.count }

    /// Whether to remove moot items before adding another: they may be half of the items.
    var isFull: Bool { entries.count >= limit || mootCount > max(32, entries.count / 2) }

    mutating func add(_ item: Item, due: MonotonicTime) {
        lastNumber += 1
        let slot = freeSlots.popLast() ?? Int32(items.count)
        if slot == items.count { items.append(item) } else { items[Int(slot)] = item }
        entries.insert(Entry(due: due, number: lastNumber, slot: slot))
    }

    func firstDue(at now: MonotonicTime) -> Item? {
        guard let first = entries.first, first.due <= now else { return nil }
        return items[Int(first.slot)]
    }

    mutating func popDue(at now: MonotonicTime) -> Item? {
        guard let first = entries.first, first.due <= now else { return nil }
        _ = entries.removeFirst()
        defer { free(CollectionOfOne(first.slot)) }
        return items[Int(first.slot)]
    }

    mutating func noteMoot(_ count: Int) { mootCount += count }

    /// Cost: O(n).
    mutating func removeAll(where isMoot: (Item) -> Bool) {
        free(removeEntries(where: isMoot).map(\.slot))
        limit = max(64, entries.count * 2)
        mootCount = 0
    }

    /// Removes and returns some of the items, due or not, in their order.
    mutating func popAll(where isWanted: (Item) -> Bool) -> [Item] {
        let wanted = removeEntries(where: isWanted).sorted()
        defer { free(wanted.map(\.slot)) }
        return wanted.compactMap { items[Int($0.slot)] }
    }

    /// Their items keep their slots.
    private mutating func removeEntries(where isWanted: (Item) -> Bool) -> [Entry] {
        var wanted: [Entry] = []
        entries.removeAll { entry in
            guard let item = items[Int(entry.slot)], isWanted(item) else { return false }
            wanted.append(entry)
            return true
        }
        return wanted
    }

    private mutating func free(_ slots: some Collection<Int32>) {
        guard entries.count == 0 else {
            for slot in slots { items[Int(slot)] = nil }
            return freeSlots.append(contentsOf: slots)
        }
        items.removeAll(keepingCapacity: items.count <= 64)
        freeSlots = []
    }
}
