// SPDX-License-Identifier: MIT
// An open-addressing hash table from keys that live elsewhere to their record's number. Knows nothing of the keys.

/// Finds record numbers by hash; the caller compares keys.
///
/// Linear probing over 8-byte entries (32 bits of hash beside the number), so that a probe that misses does not touch
/// the record. At most four fifths are filled: with 100,000 records half as much memory as with three quarters, and an
/// unsuccessful probe still looks at 13 entries on average, two cache lines. Removal shifts entries back: there are no
/// tombstones, and names that come and go cost nothing.
///
/// - Threading: none of its own; its owner is its only user.
/// - Cost: O(1) expected. Growing needs no keys.
@safe
struct HashIndex: ~Copyable {
    private struct Entry {
        var hash: UInt32
        /// The record's number plus one; 0 marks an empty entry.
        var number: UInt32
    }

    private var entries: UnsafeMutablePointer<Entry>
    private var mask: Int
    private(set) var count = 0

    init() {
        unsafe entries = .allocate(capacity: 16)
        unsafe entries.initialize(repeating: Entry(hash: 0, number: 0), count: 16)
        mask = 15
    }

    deinit { unsafe entries.deallocate() }

    /// The number of the record with this hash for which `matches` is true.
    @inline(__always)
    func find(_ hash: UInt64, _ matches: (Int32) -> Bool) -> Int32? {
        let short = UInt32(truncatingIfNeeded: hash)
        var slot = Int(truncatingIfNeeded: short) & mask
        while true {
            let entry = unsafe entries[slot]
            if entry.number == 0 { return nil }
            if entry.hash == short {
                let number = Int32(truncatingIfNeeded: entry.number &- 1)
                if matches(number) { return number }
            }
            slot = (slot &+ 1) & mask
        }
    }

    /// Reads where ``find(_:_:)`` will begin to look. Several such reads go on at once, which one search after another
    /// would wait for.
    ///
    /// - Returns: nothing of use, but to be used, lest it is not read.
    @inline(__always)
    func glance(_ hash: UInt64) -> UInt32 {
        unsafe entries[Int(truncatingIfNeeded: UInt32(truncatingIfNeeded: hash)) & mask].hash
    }

    /// Adds a record that ``find(_:_:)`` would not find.
    mutating func insert(_ hash: UInt64, _ number: Int32) {
        if (count &+ 1) &* 5 > (mask &+ 1) &* 4 { grow() }
        place(Entry(hash: UInt32(truncatingIfNeeded: hash), number: UInt32(bitPattern: number) &+ 1))
        count &+= 1
    }

    /// Takes out the record with that number; it must be there.
    mutating func remove(_ hash: UInt64, _ number: Int32) {
        let wanted = UInt32(bitPattern: number) &+ 1
        var slot = Int(truncatingIfNeeded: UInt32(truncatingIfNeeded: hash)) & mask
        while unsafe entries[slot].number != wanted {
            precondition(
                unsafe entries[slot].number != 0,
                "a record that is not in the index was removed from it"
            )
            slot = (slot &+ 1) & mask
        }
        count &-= 1
        closeGap(at: slot)
    }

    /// Moves later entries of the run back so that no probe ends early at the gap.
    private mutating func closeGap(at emptied: Int) {
        var gap = emptied
        var slot = (gap &+ 1) & mask
        while true {
            let entry = unsafe entries[slot]
            if entry.number == 0 { break }
            let home = Int(truncatingIfNeeded: entry.hash) & mask
            if (slot &- home) & mask >= (slot &- gap) & mask {
                unsafe entries[gap] = entry
                gap = slot
            }
            slot = (slot &+ 1) & mask
        }
        unsafe entries[gap] = Entry(hash: 0, number: 0)
    }

    private mutating func place(_ entry: Entry) {
        var slot = Int(truncatingIfNeeded: entry.hash) & mask
        while unsafe entries[slot].number != 0 { slot = (slot &+ 1) & mask }
        unsafe entries[slot] = entry
    }

    private mutating func grow() {
        let old = unsafe entries
        let oldCapacity = mask + 1
        unsafe entries = .allocate(capacity: oldCapacity * 2)
        unsafe entries.initialize(repeating: Entry(hash: 0, number: 0), count: oldCapacity * 2)
        mask = oldCapacity * 2 - 1
        for slot in 0..<oldCapacity {
            let entry = unsafe old[slot]
            if entry.number != 0 { place(entry) }
        }
        unsafe old.deallocate()
    }
}

/// Mixes two small numbers into one well-spread hash.
@inline(__always)
func pairHash(_ first: Int32, _ second: Int32, seed: UInt64) -> UInt64 {
    let word = UInt64(UInt32(bitPattern: first)) &<< 32 | UInt64(UInt32(bitPattern: second))
    let product = (word ^ seed).multipliedFullWidth(by: 0x9FB2_1C65_1E98_DF25)
    return product.high ^ product.low
}
