// SPDX-License-Identifier: MIT
// Values by the numbers of records or subscriptions. Independent of what they are.

/// `Dictionary` hashes its keys with a seed, in case that a peer chooses them. No peer chooses these numbers, so one
/// multiplication spreads them well enough, in a fraction of the time. Eight neighbours share a row of the table: who follows
/// numbers in their order finds most of them in the processor's cache.
///
/// - Probing: linear, at most half full. Removal shifts the following entries back.
/// - Bounds: it does not shrink.
struct NumberMap<Value> {
    /// A number of -1 marks an empty place. Their count is a power of two.
    private var places: ContiguousArray<(number: Int32, value: Value?)> = []
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// The value of a number that is not negative.
    subscript(number: Int32) -> Value? {
        get { count > 0 ? places[place(of: number)].value : nil }
        set {
            guard let newValue else { return remove(number) }
            if places.count < 2 * (count + 1) { grow() }
            let place = place(of: number)
            if places[place].number < 0 { count += 1 }
            places[place] = (number, newValue)
        }
    }

    /// The numbers with their values, in no order.
    var all: some Sequence<(number: Int32, value: Value)> {
        places.lazy.compactMap { place in place.value.map { (place.number, $0) } }
    }

    mutating func remove(_ number: Int32) {
        guard count > 0 else { return }
        var hole = place(of: number)
        guard places[hole].number >= 0 else { return }
        count -= 1
        var place = next(hole)
        while places[place].number >= 0 {
            let distance = (place &- home(of: places[place].number)) & (places.count &- 1)
            if distance >= (place &- hole) & (places.count &- 1) {
                places[hole] = places[place]
                hole = place
            }
            place = next(place)
        }
        places[hole] = (-1, nil)
    }

    /// Where the number is, or else the empty place for it.
    private func place(of number: Int32) -> Int {
        var place = home(of: number)
        while places[place].number != number, places[place].number >= 0 { place = next(place) }
        return place
    }

    private func next(_ place: Int) -> Int { (place &+ 1) & (places.count &- 1) }

    /// The row comes from the upper bits of the product with 2³² divided by the golden ratio.
    private func home(of number: Int32) -> Int {
        let product = UInt32(bitPattern: number &>> 3) &* 0x9E37_79B9
        let row = (UInt64(product) &* UInt64(places.count &>> 3)) &>> 32
        return Int(truncatingIfNeeded: row) &<< 3 | Int(number & 7)
    }

    private mutating func grow() {
        var former = ContiguousArray<(number: Int32, value: Value?)>(
            repeating: (-1, nil),
            count: max(8, places.count * 2)
        )
        swap(&places, &former)
        // Moved: to copy an object would count its references.
        for index in former.indices where former[index].number >= 0 {
            swap(&former[index], &places[place(of: former[index].number)])
        }
    }
}
