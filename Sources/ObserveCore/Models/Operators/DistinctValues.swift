// SPDX-License-Identifier: MIT
// The different values of many operands, with their counts, extremes and first places. Independent of the tree.

/// The different values among the operands of one container.
///
/// A hash finds a value's entry, which counts the operands that have it. Heaps have the numbers, so that the first is
/// the minimum or the maximum. An entry has the places of its operands in a heap, so that the first is the value's
/// place in `@distinctUnionOfObjects`. No heap forgets at once: a number without operands, or a place that has another
/// value by now, is skipped when it comes first.
///
/// - Cost: O(log n) to add and to remove an operand, amortised. If this changes the order of the different values,
///   O(their count): so does showing them.
struct DistinctValues: ~Copyable {
    /// Which functions of the values are in use.
    struct Uses: OptionSet {
        let rawValue: UInt8
        static let minimum = Uses(rawValue: 1)
        static let maximum = Uses(rawValue: 2)
        static let order = Uses(rawValue: 4)
    }

    private struct Entry {
        var value: StoredValue
        let hash: UInt64
        /// How many operands have the value.
        var count = 0
        /// The next free entry; -1 for none.
        var next: Int32 = -1
        /// Whether the number is in a heap. Its entry stays while it is.
        var isInSmallest = false
        var isInLargest = false
        /// The place of the first operand, and candidates for those of the others.
        var first: UInt64 = 0
        var others = Heap<UInt64>()
    }

    private struct Number: Comparable {
        let value: StoredValue
        let entry: Int32

        static func < (left: Number, right: Number) -> Bool { left.value.isLess(than: right.value) }
        static func == (left: Number, right: Number) -> Bool { left.entry == right.entry }
    }

    private struct First {
        let place: UInt64
        let entry: Int32
    }

    let uses: Uses
    /// Whether the heaps wait for ``endBuilding()``.
    private var isBuilding = true
    private var entries: ContiguousArray<Entry> = []
    private var firstFree: Int32 = -1
    private var index = HashIndex<StoredValue>()
    /// How many entries have operands, and how many have none but are in a heap.
    private var livingCount = 0
    private var deadCount = 0
    private var smallest = Heap<Number>()
    private var largest = Heap<Descending<Number>>()
    /// The living entries by their first places.
    private var order: ContiguousArray<First> = []
    /// The last result of ``union()``, until the order changes.
    private var shown: StoredArray?

    /// Without values. Those of all operands come first, then ``endBuilding()``.
    ///
    /// - Parameter count: how many operands follow at once, for memory of that size until ``endBuilding()``.
    init(uses: Uses, of count: Int = 0) {
        self.uses = uses
        if uses.isEmpty { return }
        entries.reserveCapacity(count)
        index.reserve(count)
        if uses.contains(.order) { order.reserveCapacity(count) }
    }

    /// Puts the numbers into the heaps, all at once.
    mutating func endBuilding() {
        isBuilding = false
        (entries, order) = (entries.withoutSlack, order.withoutSlack)
        index.trim()
        guard uses.contains(.minimum) || uses.contains(.maximum) else { return }
        var numbers = ContiguousArray<Number>()
        for id in entries.indices where entries[id].count > 0 && entries[id].value.isNumber {
            numbers.append(Number(value: entries[id].value, entry: Int32(id)))
            entries[id].isInSmallest = uses.contains(.minimum)
            entries[id].isInLargest = uses.contains(.maximum)
        }
        if uses.contains(.minimum) { smallest = Heap(numbers) }
        if uses.contains(.maximum) {
            largest = Heap(ContiguousArray(numbers.lazy.map { Descending(base: $0) }))
        }
    }

    /// Adds an operand's value.
    ///
    /// - Parameter has: whether the operand at a place has a value, with this operand as it is now.
    /// - Returns: the value as the entry has it, so that equal operands share their text.
    mutating func add(
        _ value: StoredValue,
        hash: UInt64,
        at place: UInt64,
        where has: (UInt64, StoredValue) -> Bool
    ) -> StoredValue {
        let id = find(value, hash) ?? makeEntry(value, hash)
        entries[Int(id)].count += 1
        if entries[Int(id)].count == 1 {
            livingCount += 1
            rank(id)
            guard uses.contains(.order) else { return entries[Int(id)].value }
            entries[Int(id)].first = place
            list(id)
        } else if uses.contains(.order) {
            let first = entries[Int(id)].first
            if place < first {
                delist(first)
                entries[Int(id)].first = place
                list(id)
            }
            entries[Int(id)].others.insert(max(place, first))
            if entries[Int(id)].others.count > 2 * entries[Int(id)].count + 16 {
                let own = entries[Int(id)].value
                entries[Int(id)].others.filter { has($0, own) }
            }
        }
        return entries[Int(id)].value
    }

    /// Removes an operand's value.
    ///
    /// - Parameter has: whether the operand at a place has a value; false for this operand.
    mutating func remove(
        _ value: StoredValue,
        hash: UInt64,
        at place: UInt64,
        where has: (UInt64, StoredValue) -> Bool
    ) {
        guard let id = find(value, hash) else {
            preconditionFailure("a value was removed that was never added")
        }
        entries[Int(id)].count -= 1
        if entries[Int(id)].count == 0 {
            if uses.contains(.order) { delist(entries[Int(id)].first) }
            entries[Int(id)].others = Heap()
            livingCount -= 1
            deadCount += 1
            freeIfUnused(id)
            if deadCount > livingCount + 64 { forgetDead() }
        } else if uses.contains(.order), entries[Int(id)].first == place {
            delist(place)
            let own = entries[Int(id)].value
            repeat {
                entries[Int(id)].first = entries[Int(id)].others.removeFirst()
            } while !has(
                entries[Int(id)].first,
                own
            )
            list(id)
        }
    }

    /// The least number; nil if there is none.
    mutating func minimum() -> StoredValue? {
        while let first = smallest.first {
            if entries[Int(first.entry)].count > 0 { return first.value }
            _ = smallest.removeFirst()
            entries[Int(first.entry)].isInSmallest = false
            freeIfUnused(first.entry)
        }
        return nil
    }

    /// The greatest number; nil if there is none.
    mutating func maximum() -> StoredValue? {
        while let first = largest.first?.base {
            if entries[Int(first.entry)].count > 0 { return first.value }
            _ = largest.removeFirst()
            entries[Int(first.entry)].isInLargest = false
            freeIfUnused(first.entry)
        }
        return nil
    }

    /// The different values by their first places. The same object as long as they stay the same.
    mutating func union() -> StoredArray {
        if let shown { return shown }
        let fresh = StoredArray(ContiguousArray(order.map { entries[Int($0.entry)].value }))
        shown = fresh
        return fresh
    }

    // MARK: Entries

    private func find(_ value: StoredValue, _ hash: UInt64) -> Int32? {
        index.find(hash) { entries[$0.index].value.equals(value) }?.number
    }

    private mutating func makeEntry(_ value: StoredValue, _ hash: UInt64) -> Int32 {
        let entry = Entry(value: value, hash: hash)
        var id = firstFree
        if id < 0 {
            id = Int32(entries.count)
            entries.append(entry)
        } else {
            firstFree = entries[Int(id)].next
            entries[Int(id)] = entry
        }
        index.insert(hash, ID(id))
        deadCount += 1
        return id
    }

    /// Notes that a dead entry lives, and puts its number into the heaps that lack it.
    private mutating func rank(_ id: Int32) {
        deadCount -= 1
        guard !isBuilding, entries[Int(id)].value.isNumber else { return }
        let number = Number(value: entries[Int(id)].value, entry: id)
        if uses.contains(.minimum), !entries[Int(id)].isInSmallest {
            entries[Int(id)].isInSmallest = true
            smallest.insert(number)
        }
        if uses.contains(.maximum), !entries[Int(id)].isInLargest {
            entries[Int(id)].isInLargest = true
            largest.insert(Descending(base: number))
        }
    }

    private mutating func freeIfUnused(_ id: Int32) {
        let entry = entries[Int(id)]
        guard entry.count == 0, !entry.isInSmallest, !entry.isInLargest else { return }
        deadCount -= 1
        index.remove(entry.hash, ID(id))
        entries[Int(id)] = Entry(value: .absent, hash: 0, next: firstFree)
        firstFree = id
    }

    /// Removes the numbers without operands from the heaps.
    private mutating func forgetDead() {
        let isLiving = entries.map { $0.count > 0 }
        smallest.filter { isLiving[Int($0.entry)] }
        largest.filter { isLiving[Int($0.base.entry)] }
        for id in entries.indices where entries[id].count == 0 {
            guard entries[id].isInSmallest || entries[id].isInLargest else { continue }
            entries[id].isInSmallest = false
            entries[id].isInLargest = false
            freeIfUnused(Int32(id))
        }
    }

    // MARK: Order

    private mutating func list(_ id: Int32) {
        let first = First(place: entries[Int(id)].first, entry: id)
        order.insert(first, at: position(of: first.place))
        shown = nil
    }

    private mutating func delist(_ place: UInt64) {
        order.remove(at: position(of: place))
        shown = nil
    }

    /// The index of the first place in ``order`` that is not below this one.
    private func position(of place: UInt64) -> Int {
        var (low, high) = (0, order.count)
        if let last = order.last, last.place < place { return high }
        while low < high {
            let middle = (low + high) / 2
            if order[middle].place < place { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
