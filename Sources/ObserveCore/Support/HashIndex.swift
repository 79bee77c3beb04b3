// SPDX-License-Identifier: MIT
// An open-addressing hash table from keys that live elsewhere to record numbers. Independent of the keys.

private struct HashEntry {
    var hash: UInt32
    /// The record's number plus one; 0 marks an empty entry.
    var number: UInt32
}

/// Finds record numbers by hash; the caller compares keys.
/// - Probing: linear over 8-byte entries, with 32 bits of the hash beside the number. So a probe that misses
///   does not read the record.
/// - Order: an entry's home is proportional to its hash, and hashes sort the entries. So a failed search is as
///   short as a successful one, and the table may be seven eighths full.
/// - Growth: one pass over both tables from front to back. So the table can grow by eighths: a record takes
///   about ten bytes, where doubling takes up to twenty.
/// - Removal: shifts the following entries back, so that the table needs no tombstones.
/// - Cost: O(1) expected. Growing needs no keys.
@safe struct HashIndex<Record>: ~Copyable {
    private var entries: UnsafeMutablePointer<HashEntry>
    /// How many places are homes of hashes.
    private var homes = 16
    /// How many places follow the homes, for entries that found their homes occupied. The last is always empty.
    private var further = 16
    private(set) var count = 0

    /// About how many bytes of memory an entry takes: between seven and eight ninths of the homes are in use.
    static var entryBytes: Int { 10 }

    init() { unsafe entries = HashIndex.makeEntries(16 + 16) }

    deinit { unsafe HashIndex.free(entries, homes + further) }

    /// Memory that is zero has empty entries.
    private static func makeEntries(_ count: Int) -> UnsafeMutablePointer<HashEntry> {
        let memory = unsafe GrowingMemory.allocateZeros(count * MemoryLayout<HashEntry>.stride)
        return unsafe memory.bindMemory(to: HashEntry.self, capacity: count)
    }

    private static func free(_ entries: UnsafeMutablePointer<HashEntry>, _ count: Int) {
        unsafe GrowingMemory.freeZeros(entries, count * MemoryLayout<HashEntry>.stride)
    }

    @inline(__always) private static func home(of hash: UInt32, among homes: Int) -> Int {
        Int(truncatingIfNeeded: (UInt64(hash) &* UInt64(truncatingIfNeeded: homes)) &>> 32)
    }

    /// The number of the record with this hash for which `isWanted` is true.
    @inline(__always) func find(_ hash: UInt64, _ isWanted: (ID<Record>) -> Bool) -> ID<Record>? {
        let short = UInt32(truncatingIfNeeded: hash)
        var slot = HashIndex.home(of: short, among: homes)
        while true {
            let entry = unsafe entries[slot]
            if entry.number == 0 || entry.hash > short { return nil }
            if entry.hash == short {
                let id = ID<Record>(Int32(truncatingIfNeeded: entry.number &- 1))
                if isWanted(id) { return id }
            }
            slot &+= 1
        }
    }

    /// Reads the entry where ``find(_:_:)`` will begin. The processor overlaps several such reads, whereas each search waits for
    /// its own. Returns a meaningless number. Use it, or the compiler drops the read.
    @inline(__always) func glance(_ hash: UInt64) -> UInt32 {
        unsafe entries[HashIndex.home(of: UInt32(truncatingIfNeeded: hash), among: homes)].hash
    }

    /// Makes room for that many more records at once.
    mutating func reserve(_ additional: Int) {
        // Three quarters full. At seven eighths, where ``insert(_:_:)`` makes room, each new entry moves many others.
        let wanted = (count + additional) * 4 / 3
        if wanted > homes { resize(homes: max(wanted, homes + homes / 8), further: further) }
    }

    /// Frees most of the room that ``reserve(_:)`` has made in vain.
    mutating func trim() {
        let wanted = count * 4 / 3 + 16
        if wanted < homes / 2 { resize(homes: wanted, further: further) }
    }

    /// Adds a record that is not in the table.
    mutating func insert(_ hash: UInt64, _ id: ID<Record>) {
        if (count &+ 1) &* 8 > homes &* 7 { resize(homes: homes + max(16, homes / 8), further: further) }
        let entry = HashEntry(
            hash: UInt32(truncatingIfNeeded: hash),
            number: UInt32(bitPattern: id.number) &+ 1
        )
        var slot = HashIndex.home(of: entry.hash, among: homes)
        while unsafe entries[slot].number != 0 && entries[slot].hash <= entry.hash { slot &+= 1 }
        var gap = slot
        while unsafe entries[gap].number != 0 { gap &+= 1 }
        if gap == homes &+ further &- 1 {
            resize(homes: homes, further: further * 2)
            return insert(hash, id)
        }
        while gap > slot {
            unsafe entries[gap] = entries[gap &- 1]
            gap &-= 1
        }
        unsafe entries[slot] = entry
        count &+= 1
    }

    /// Removes the record with that number, which must be in the table.
    mutating func remove(_ hash: UInt64, _ id: ID<Record>) {
        let wanted = UInt32(bitPattern: id.number) &+ 1
        var slot = HashIndex.home(of: UInt32(truncatingIfNeeded: hash), among: homes)
        while unsafe entries[slot].number != wanted {
            precondition(
                unsafe entries[slot].number != 0,
                "a record that is not in the index was removed from it"
            )
            slot &+= 1
        }
        count &-= 1
        closeGap(at: slot)
    }

    /// Moves the following entries of the run back, up to the first one that is at home.
    private mutating func closeGap(at emptied: Int) {
        var gap = emptied
        while true {
            let entry = unsafe entries[gap &+ 1]
            if entry.number == 0 || HashIndex.home(of: entry.hash, among: homes) == gap &+ 1 { break }
            unsafe entries[gap] = entry
            gap &+= 1
        }
        unsafe entries[gap] = HashEntry(hash: 0, number: 0)
    }

    private mutating func resize(homes: Int, further: Int) {
        let fresh = unsafe HashIndex.makeEntries(homes + further)
        var next = 0
        for slot in 0..<self.homes + self.further {
            let entry = unsafe entries[slot]
            if entry.number == 0 { continue }
            next = max(next, HashIndex.home(of: entry.hash, among: homes))
            if next == homes + further - 1 {
                unsafe HashIndex.free(fresh, homes + further)
                return resize(homes: homes, further: further * 2)
            }
            unsafe fresh[next] = entry
            next += 1
        }
        unsafe HashIndex.free(entries, self.homes + self.further)
        unsafe entries = fresh
        self.homes = homes
        self.further = further
    }
}

/// Mixes the numbers of two records into one well-spread hash.
@inline(__always)
func pairHash<First, Second>(_ first: ID<First>, _ second: ID<Second>, seed: UInt64) -> UInt64 {
    let word = UInt64(UInt32(bitPattern: first.number)) &<< 32 | UInt64(UInt32(bitPattern: second.number))
    let product = (word ^ seed).multipliedFullWidth(by: 0x9FB2_1C65_1E98_DF25)
    return product.high ^ product.low
}

@inline(__always) func pairHash<Record>(_ id: ID<Record>, _ salt: Int32, seed: UInt64) -> UInt64 {
    pairHash(id, ID<Record>(salt), seed: seed)
}
