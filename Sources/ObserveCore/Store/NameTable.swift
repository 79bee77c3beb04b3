// SPDX-License-Identifier: MIT
// Property names, each stored once. Independent of models.

/// A property name's number in a ``NameTable``. Equal numbers are equal names, scalar by scalar.
typealias NameID = ID<NameRecord>

struct NameRecord {
    /// The bytes of a short name, or the pool's word for a long one. The first field: the record's address is theirs.
    var bytes: UInt64 = 0
    var references: UInt32 = 0
    /// From the lowest bit: the count of bytes, or ``isLong``, in 4 bits; the living properties in 28.
    private var counts: UInt32 = 0

    static var room: Int { 8 }
    private static var isLong: UInt32 { 15 }

    init() {}

    init(count: Int) {
        references = 1
        counts = count <= NameRecord.room ? UInt32(count) : NameRecord.isLong
    }

    /// How many properties of the tree have the name: those of released models, and absent ones, do not count.
    @inline(__always) var living: UInt32 {
        get { counts &>> 4 }
        set { counts = counts & 15 | newValue * 16 }
    }

    @inline(__always) var shortCount: Int? {
        counts & 15 == NameRecord.isLong ? nil : Int(truncatingIfNeeded: counts & 15)
    }

    @inline(__always) var long: PooledText {
        get { unsafe PooledText(word: bytes) }
        set { bytes = newValue.word }
    }
}

/// Interned names with reference counts. A name of at most eight bytes is in its record, a longer one in a pool.
@safe struct NameTable: ~Copyable {
    /// Sixteen bytes each: if models serve as tables, a tree may have as many names as properties.
    @safe private var records = Arena(blank: NameRecord())
    private var longNames = TextPool()
    private var index = HashIndex<NameRecord>()
    private let seed: UInt64
    /// About how many bytes the names of the tree's properties take. Others are of paths, dependents, types or the history.
    private(set) var livingBytes = 0

    init(seed: UInt64) { self.seed = seed }

    var count: Int { records.count }

    func find(_ name: ByteView) -> NameID? { index.find(name.hash(seed: seed)) { text($0) == name } }

    /// Returns the number of `name` and adds a reference to it; ``release(_:)`` removes that.
    mutating func intern(_ name: ByteView) -> NameID {
        let hash = name.hash(seed: seed)
        if let known = index.find(hash, { text($0) == name }) {
            retain(known)
            return known
        }
        let fresh = records.allocate()
        records[fresh] = NameRecord(count: name.count)
        if name.count <= NameRecord.room {
            unsafe bytes(of: fresh).update(from: name.base, count: name.count)
        } else {
            records[fresh].long = longNames.make(name)
        }
        index.insert(hash, fresh)
        return fresh
    }

    /// The same, but first tries the name added after `last`: similar models have the same order of names.
    @inline(__always) mutating func intern(_ name: ByteView, after last: NameID) -> NameID {
        let next = last.advanced(by: 1)
        guard next.index < records.allocatedCount, records[next].references > 0, text(next) == name
        else { return intern(name) }
        retain(next)
        return next
    }

    @inline(__always) mutating func retain(_ name: NameID) { records[name].references += 1 }

    @inline(__always) mutating func addLiving(_ name: NameID) {
        if records[name].living == 0 { livingBytes &+= memory(of: name) }
        records[name].living += 1
    }

    @inline(__always) mutating func removeLiving(_ name: NameID) {
        records[name].living -= 1
        if records[name].living == 0 { livingBytes &-= memory(of: name) }
    }

    func references(to name: NameID) -> Int { Int(records[name].references) }

    @inline(never) func memory(of name: NameID) -> Int {
        let fixed = MemoryLayout<NameRecord>.stride + HashIndex<NameRecord>.entryBytes
        return records[name].shortCount == nil ? fixed + records[name].long.blockBytes : fixed
    }

    func longBytes(of name: NameID) -> Int { records[name].shortCount == nil ? records[name].long.count : 0 }

    /// The part of ``longBytes(of:)`` that one of the name's users has, if they share it equally.
    @inline(__always) func sharedBytes(of name: NameID) -> Int {
        records[name].shortCount == nil ? longBytes(of: name) / references(to: name) &+ 1 : 0
    }

    mutating func release(_ name: NameID) {
        records[name].references -= 1
        guard records[name].references == 0 else { return }
        index.remove(text(name).hash(seed: seed), name)
        if records[name].shortCount == nil { longNames.release(records[name].long) }
        records.free(name)
    }

    /// The name's bytes; valid while a reference to the name exists.
    @inline(__always) func text(_ name: NameID) -> ByteView {
        guard let count = records[name].shortCount else { return records[name].long.view }
        return unsafe ByteView(base: UnsafePointer(bytes(of: name)), count: count)
    }

    @inline(__always) private func bytes(of name: NameID) -> UnsafeMutablePointer<UInt8> {
        unsafe UnsafeMutableRawPointer(records.address(name)).assumingMemoryBound(to: UInt8.self)
    }
}
