// SPDX-License-Identifier: MIT
// The different values of many operands, with their counts and first places. Independent of the tree.

/// The different values among the operands of one container, by their first places.
///
/// A hash finds a value's entry, which counts its operands and has their places in a heap: the first is the value's place in
/// `@distinctUnionOfObjects`. The heap does not forget at once: a place that has another value by now is skipped when it comes first.
///
/// - Cost: O(log n) to add and to remove an operand, amortised. If this changes the order of the different values,
///   O(their count): so does showing them.
struct DistinctValues: ~Copyable {
    private struct Entry {
        var value: StoredValue
        /// How many operands have the value; 0 for a free entry.
        var count: Int32 = 1
        /// The place of the first operand, and candidates for those of the others.
        var first: UInt64
        var others = Heap<UInt64>()
    }

    private var entries: ContiguousArray<Entry> = []
    private var freeEntries: ContiguousArray<Int32> = []
    private var index = HashIndex<StoredValue>()
    /// The entries by their first places.
    private var order: ContiguousArray<Int32> = []
    /// The last result of ``union()``, until the order changes.
    private var shown: StoredArray?
    /// A sum of the prefetched data, so that the compiler keeps the reads.
    private var prefetched: UInt32 = 0

    /// The values of operands, in the order of their places. Null is not among them.
    /// - Parameters:
    ///   - operands: Equal ones share their text afterwards.
    ///   - hash: The hash of a value, as it is given to ``add(_:hash:at:where:)``.
    init(of operands: inout ContiguousArray<Operands.Operand>, hashedBy hash: (StoredValue) -> UInt64) {
        // All at once: growing would copy the entries again and again.
        entries.reserveCapacity(operands.count)
        order.reserveCapacity(operands.count)
        index.reserve(operands.count)
        var hashes = ContiguousArray<UInt64>(repeating: 0, count: 32)
        for start in stride(from: 0, to: operands.count, by: hashes.count) {
            let end = min(start + hashes.count, operands.count)
            for position in start..<end {
                hashes[position - start] = hash(operands[position].value)
                prefetched &+= index.glance(hashes[position - start])
            }
            for position in start..<end where !operands[position].value.isNull {
                let shared = add(
                    operands[position].value,
                    hash: hashes[position - start],
                    at: operands[position].place,
                    where: { _, _ in true }
                )
                if let shared { operands[position].value = shared }
            }
        }
        (entries, order) = (entries.withoutSlack, order.withoutSlack)
        index.trim()
    }

    /// Adds an operand's value.
    /// - Parameter has: whether the operand at a place has a value, with this operand as it is now.
    /// - Returns: the value to keep instead, so that equal texts share their memory; nil for the same.
    mutating func add(
        _ value: StoredValue,
        hash: UInt64,
        at place: UInt64,
        where has: (UInt64, StoredValue) -> Bool
    ) -> StoredValue? {
        guard let id = find(value, hash) else {
            list(makeEntry(Entry(value: value, first: place), hash))
            return nil
        }
        entries[Int(id)].count += 1
        let first = entries[Int(id)].first
        if place < first {
            delist(first)
            entries[Int(id)].first = place
            list(id)
        }
        entries[Int(id)].others.insert(max(place, first))
        if entries[Int(id)].others.count > 2 * Int(entries[Int(id)].count) + 16 {
            let own = entries[Int(id)].value
            entries[Int(id)].others.filter { has($0, own) }
        }
        // The double 1.0 equals the integer 1, but makes the sum a double.
        return entries[Int(id)].value.isNumber ? nil : entries[Int(id)].value
    }

    /// Removes an operand's value.
    /// - Parameter has: whether the operand at a place has a value; false for this operand.
    mutating func remove(
        _ value: StoredValue,
        hash: UInt64,
        at place: UInt64,
        where has: (UInt64, StoredValue) -> Bool
    ) {
        guard let id = find(value, hash) else { preconditionFailure("a removed value was never added") }
        entries[Int(id)].count -= 1
        if entries[Int(id)].count == 0 {
            delist(entries[Int(id)].first)
            index.remove(hash, ID(id))
            entries[Int(id)] = Entry(value: .absent, count: 0, first: 0)
            freeEntries.append(id)
        } else if entries[Int(id)].first == place {
            delist(place)
            let own = entries[Int(id)].value
            repeat {
                entries[Int(id)].first = entries[Int(id)].others.removeFirst()
            } while !has(entries[Int(id)].first, own)
            list(id)
        }
    }

    /// The different values by their first places. The same object as long as they stay the same.
    mutating func union() -> StoredArray {
        if let shown { return shown }
        var values = ContiguousArray<StoredValue>()
        values.reserveCapacity(order.count)
        for id in order { values.append(entries[Int(id)].value) }
        let fresh = StoredArray(values)
        shown = fresh
        return fresh
    }

    // MARK: Entries

    private func find(_ value: StoredValue, _ hash: UInt64) -> Int32? {
        index.find(hash) { entries[$0.index].value.equals(value) }?.number
    }

    private mutating func makeEntry(_ entry: Entry, _ hash: UInt64) -> Int32 {
        let id = freeEntries.popLast() ?? Int32(entries.count)
        if id == entries.count { entries.append(entry) } else { entries[Int(id)] = entry }
        index.insert(hash, ID(id))
        return id
    }

    // MARK: Order

    private mutating func list(_ id: Int32) {
        order.insert(id, at: position(of: entries[Int(id)].first))
        shown = nil
    }

    private mutating func delist(_ place: UInt64) {
        order.remove(at: position(of: place))
        shown = nil
    }

    /// The index of the first entry in ``order`` whose place is not below this one.
    private func position(of place: UInt64) -> Int {
        if let last = order.last, entries[Int(last)].first < place { return order.count }
        return order.indices.first(reaching: { entries[Int(order[$0])].first >= place })
    }
}
