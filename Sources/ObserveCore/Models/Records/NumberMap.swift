// SPDX-License-Identifier: MIT
// Integers by the numbers of records. Independent of what the records are.

/// An integer for each of some records, by their numbers.
///
/// `Dictionary` hashes its keys with a seed, in case that a peer chooses them. No peer chooses the numbers of records, so one
/// multiplication spreads them well enough, in a fraction of the time.
///
/// - Probing: linear, at most half full. Removal shifts the following entries back.
/// - Bounds: 16 bytes for each place; it does not shrink before ``removeAll()``.
struct NumberMap<Record> {
    private struct Entry {
        /// The record's number; -1 in an empty place.
        var number: Int32 = -1
        var value = 0
    }

    private var entries: [Entry] = []
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// The record's integer; nil if it has none.
    subscript(record: ID<Record>) -> Int? {
        get {
            guard count > 0, let place = place(of: record.number) else { return nil }
            return entries[place].value
        }
        set {
            guard let newValue else { return remove(record.number) }
            if entries.count < 2 * (count + 1) { grow() }
            var place = home(of: record.number)
            while entries[place].number != record.number {
                if entries[place].number < 0 {
                    entries[place].number = record.number
                    count += 1
                    break
                }
                place = next(place)
            }
            entries[place].value = newValue
        }
    }

    mutating func removeAll() {
        entries = []
        count = 0
    }

    private mutating func remove(_ number: Int32) {
        guard count > 0, var hole = place(of: number) else { return }
        var place = next(hole)
        while entries[place].number >= 0 {
            let distance = (place &- home(of: entries[place].number)) & (entries.count &- 1)
            if distance >= (place &- hole) & (entries.count &- 1) {
                entries[hole] = entries[place]
                hole = place
            }
            place = next(place)
        }
        entries[hole] = Entry()
        count -= 1
    }

    private func place(of number: Int32) -> Int? {
        var place = home(of: number)
        while entries[place].number != number {
            if entries[place].number < 0 { return nil }
            place = next(place)
        }
        return place
    }

    private func next(_ place: Int) -> Int { (place &+ 1) & (entries.count &- 1) }

    /// The upper bits of the product with 2³² divided by the golden ratio. The count of places is a power of two.
    private func home(of number: Int32) -> Int {
        let product = UInt32(bitPattern: number) &* 0x9E37_79B9
        return Int(truncatingIfNeeded: (UInt64(product) &* UInt64(entries.count)) &>> 32)
    }

    private mutating func grow() {
        let former = entries
        entries = Array(repeating: Entry(), count: max(16, entries.count * 2))
        for entry in former where entry.number >= 0 {
            var place = home(of: entry.number)
            while entries[place].number >= 0 { place = next(place) }
            entries[place] = entry
        }
    }
}
