// SPDX-License-Identifier: MIT
// Values by the numbers of records or subscriptions. Independent of what they are.

/// A value for each of some small numbers.
///
/// `Dictionary` hashes its keys with a seed, in case that a peer chooses them. No peer chooses these numbers, so one
/// multiplication spreads them well enough, in a fraction of the time. Eight neighbours share a page, and the table has one
/// place for them: who follows numbers in their order finds most of them in the processor's cache.
///
/// - Probing: linear, at most half full. Removal shifts the following places back.
/// - Bounds: one page for each value, if no two are neighbours; it does not shrink.
struct NumberMap<Value> {
    /// A place of the table.
    private struct Place {
        /// A number divided by eight; -1 in an empty place.
        var block: Int32
        /// Where ``pages`` has it.
        var page: Int32
    }

    private struct Page {
        var block: Int32
        /// A bit for each of the eight numbers that has a value.
        var present: UInt8 = 0
    }

    /// What stands for no value.
    private let absent: Value
    private var table: ContiguousArray<Place> = []
    private var pages: ContiguousArray<Page> = []
    /// Eight for each page.
    private var values: ContiguousArray<Value> = []
    private var freePages: ContiguousArray<Int32> = []
    private(set) var count = 0

    init(absent: Value) { self.absent = absent }

    var isEmpty: Bool { count == 0 }

    /// The value of a number that is not negative.
    subscript(number: Int32) -> Value {
        get {
            guard count > 0, let place = place(of: number &>> 3) else { return absent }
            return values[index(of: number, in: table[place].page)]
        }
        set {
            let page = pageOrNew(of: number &>> 3)
            let bit: UInt8 = 1 &<< UInt8(number & 7)
            if pages[page].present & bit == 0 {
                pages[page].present |= bit
                count += 1
            }
            values[index(of: number, in: Int32(page))] = newValue
        }
    }

    /// The numbers with their values, in no order.
    var all: some Sequence<(number: Int32, value: Value)> {
        values.indices.lazy.filter { pages[$0 >> 3].present & (1 << UInt8($0 & 7)) != 0 }.map {
            (number: pages[$0 >> 3].block << 3 | Int32($0 & 7), value: values[$0])
        }
    }

    mutating func remove(_ number: Int32) {
        guard count > 0, let place = place(of: number &>> 3) else { return }
        let page = table[place].page
        let bit: UInt8 = 1 &<< UInt8(number & 7)
        guard pages[Int(page)].present & bit != 0 else { return }
        values[index(of: number, in: page)] = absent
        count -= 1
        pages[Int(page)].present &= ~bit
        guard pages[Int(page)].present == 0 else { return }
        freePages.append(page)
        removePlace(place)
    }

    private func index(of number: Int32, in page: Int32) -> Int { Int(page) &<< 3 | Int(number & 7) }

    private func place(of block: Int32) -> Int? {
        var place = home(of: block)
        while table[place].block != block {
            if table[place].block < 0 { return nil }
            place = next(place)
        }
        return place
    }

    private func next(_ place: Int) -> Int { (place &+ 1) & (table.count &- 1) }

    /// The upper bits of the product with 2³² divided by the golden ratio. The count of places is a power of two.
    private func home(of block: Int32) -> Int {
        let product = UInt32(bitPattern: block) &* 0x9E37_79B9
        return Int(truncatingIfNeeded: (UInt64(product) &* UInt64(table.count)) &>> 32)
    }

    private mutating func pageOrNew(of block: Int32) -> Int {
        if table.count < 2 * (pages.count - freePages.count + 1) { grow() }
        var place = home(of: block)
        while table[place].block != block {
            if table[place].block < 0 {
                let page = freePages.popLast() ?? addPage()
                pages[Int(page)].block = block
                table[place] = Place(block: block, page: page)
                break
            }
            place = next(place)
        }
        return Int(table[place].page)
    }

    private mutating func addPage() -> Int32 {
        pages.append(Page(block: -1))
        for _ in 0..<8 { values.append(absent) }
        return Int32(pages.count - 1)
    }

    private mutating func removePlace(_ removed: Int) {
        var hole = removed
        var place = next(hole)
        while table[place].block >= 0 {
            let distance = (place &- home(of: table[place].block)) & (table.count &- 1)
            if distance >= (place &- hole) & (table.count &- 1) {
                table[hole] = table[place]
                hole = place
            }
            place = next(place)
        }
        table[hole] = Place(block: -1, page: -1)
    }

    private mutating func grow() {
        let former = table
        table = ContiguousArray(repeating: Place(block: -1, page: -1), count: max(4, table.count * 2))
        for entry in former where entry.block >= 0 {
            var place = home(of: entry.block)
            while table[place].block >= 0 { place = next(place) }
            table[place] = entry
        }
    }
}
