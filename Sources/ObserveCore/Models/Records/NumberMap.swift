// SPDX-License-Identifier: MIT
// Values by the numbers of records or subscriptions. Independent of what they are.

/// A value for each of some small numbers.
///
/// `Dictionary` hashes its keys with a seed, in case that a peer chooses them. No peer chooses these numbers, so one
/// multiplication spreads them well enough, in a fraction of the time. Sixteen neighbours stay together: who follows numbers
/// in their order finds most of them in the processor's cache.
///
/// - Probing: linear, at most half full. Removal shifts the following entries back.
/// - Bounds: up to four places for each value; it does not shrink before ``removeAll()``.
struct NumberMap<Value> {
    private struct Entry {
        /// -1 in an empty place.
        var number: Int32
        var value: Value
    }

    /// What stands for no value.
    private let absent: Value
    private var entries: ContiguousArray<Entry> = []
    private(set) var count = 0

    init(absent: Value) { self.absent = absent }

    var isEmpty: Bool { count == 0 }

    /// The value of a number that is not negative.
    subscript(number: Int32) -> Value {
        get {
            guard count > 0, let place = place(of: number) else { return absent }
            return entries[place].value
        }
        set {
            if entries.count < 2 * (count + 1) { grow() }
            var place = home(of: number)
            while entries[place].number != number {
                if entries[place].number < 0 {
                    entries[place].number = number
                    count += 1
                    break
                }
                place = next(place)
            }
            entries[place].value = newValue
        }
    }

    /// The numbers with their values, in no order.
    var all: some Sequence<(number: Int32, value: Value)> {
        entries.lazy.filter { $0.number >= 0 }.map { (number: $0.number, value: $0.value) }
    }

    mutating func removeAll() {
        entries = []
        count = 0
    }

    mutating func remove(_ number: Int32) {
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
        entries[hole] = Entry(number: -1, value: absent)
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

    /// For each sixteen numbers, the upper bits of the product with 2³² divided by the golden ratio. The count of places is a
    /// power of two, sixteen at least.
    private func home(of number: Int32) -> Int {
        let number = UInt32(bitPattern: number)
        let product = (number &>> 4) &* 0x9E37_79B9
        let block = (UInt64(product) &* UInt64(entries.count &>> 4)) &>> 32
        return Int(truncatingIfNeeded: (block &<< 4) | UInt64(number & 15))
    }

    private mutating func grow() {
        let former = entries
        let empty = Entry(number: -1, value: absent)
        entries = ContiguousArray(repeating: empty, count: max(16, entries.count * 2))
        for entry in former where entry.number >= 0 {
            var place = home(of: entry.number)
            while entries[place].number >= 0 { place = next(place) }
            entries[place] = entry
        }
    }
}
