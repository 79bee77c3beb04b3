// SPDX-License-Identifier: MIT
// Property names, each stored once. Independent of models.

/// A property name's number in a ``NameTable``. Equal numbers are equal names, scalar by scalar.
typealias NameID = ID<NameRecord>

struct NameRecord {
    /// The bytes of a short name, or the pool's word for a long one. First in the record, so that the
    /// record's address is also the address of the bytes.
    var bytes: (UInt32, UInt32) = (0, 0)
    /// From the lowest bit: the count of bytes, or ``isLong``, in 4 bits; the references in 14; the living properties in 14.
    /// What a counter can't hold, ``NameTable`` carries.
    private var counts: UInt32 = 0

    static var room: Int { 8 }
    private static var isLong: UInt32 { 15 }

    init() {}

    /// A name with one reference.
    init(count: Int) { counts = 16 | (count <= NameRecord.room ? UInt32(count) : NameRecord.isLong) }

    /// One of the counters.
    enum Counter: UInt32 {
        /// All references to the name.
        case references = 4
        /// How many properties of the tree have the name: those of released models, and absent ones, do not count.
        case living = 18

        /// The greatest number that fits.
        static var most: UInt32 { 1 << 14 - 1 }
    }

    /// Zero only if nothing is carried, too.
    @inline(__always)
    subscript(counter: Counter) -> UInt32 {
        get { counts &>> counter.rawValue & Counter.most }
        set { counts = counts & ~(Counter.most &<< counter.rawValue) | newValue &<< counter.rawValue }
    }

    @inline(__always) var shortCount: Int? {
        counts & 15 == NameRecord.isLong ? nil : Int(truncatingIfNeeded: counts & 15)
    }

    @inline(__always) var long: PooledText {
        get { unsafe PooledText(word: UInt64(bytes.1) << 32 | UInt64(bytes.0)) }
        set {
            let word = newValue.word
            bytes = (UInt32(truncatingIfNeeded: word), UInt32(truncatingIfNeeded: word >> 32))
        }
    }
}

/// Interned names with reference counts: the table frees unused names. A name of at most eight bytes is in its
/// record, a longer one in a pool.
///
/// - Threading: none of its own; its owner is its only user.
/// - Cost: O(length) to look up.
@safe
struct NameTable: ~Copyable {
    /// Twelve bytes each: if models serve as tables, a tree may have as many names as properties.
    @safe
    private var records = Arena(blank: NameRecord())
    private var longNames = TextPool()
    private var index = HashIndex<NameRecord>()
    private let seed: UInt64
    /// The counts that were carried from the records of names that very many properties have.
    private var carried: [NameID: Carried] = [:]
    /// About how many bytes of memory the names take that the tree's properties have. Other names belong to observed
    /// paths, dependents, types and the history alone.
    private(set) var livingBytes = 0

    init(seed: UInt64) {
        self.seed = seed
    }

    /// How many different names the table has.
    var count: Int { records.count }

    func find(_ name: ByteView) -> NameID? {
        index.find(name.hash(seed: seed)) { text($0) == name }
    }

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

    /// Does the same, but first tries the name added after `last`: similar models have the same order of
    /// names.
    @inline(__always)
    mutating func intern(_ name: ByteView, after last: NameID) -> NameID {
        let next = last.advanced(by: 1)
        guard next.index < records.allocatedCount, records[next][.references] > 0, text(next) == name else {
            return intern(name)
        }
        retain(next)
        return next
    }

    @inline(__always)
    mutating func retain(_ name: NameID) { add(to: .references, of: name) }

    /// Notes that a property of the tree has the name.
    @inline(__always)
    mutating func addLiving(_ name: NameID) {
        if records[name][.living] == 0 { livingBytes &+= memory(of: name) }
        add(to: .living, of: name)
    }

    /// Reverts one ``addLiving(_:)``.
    @inline(__always)
    mutating func removeLiving(_ name: NameID) {
        if removeLast(from: .living, of: name) { livingBytes &-= memory(of: name) }
    }

    @inline(__always)
    private mutating func add(to counter: NameRecord.Counter, of name: NameID) {
        if records[name][counter] == NameRecord.Counter.most { carry(counter, of: name) }
        records[name][counter] &+= 1
    }

    /// Counts one less.
    ///
    /// - Returns: whether it was the last.
    @inline(__always)
    private mutating func removeLast(from counter: NameRecord.Counter, of name: NameID) -> Bool {
        assert(records[name][counter] > 0, "a name lost a reference or a property that it never had")
        records[name][counter] &-= 1
        return records[name][counter] == 0 && (carried.isEmpty || !borrow(counter, of: name))
    }

    /// Half of what a counter holds is carried, so that a number that goes up and down seldom needs it.
    private static var carry: UInt32 { NameRecord.Counter.most / 2 }

    @inline(never)
    private mutating func carry(_ counter: NameRecord.Counter, of name: NameID) {
        records[name][counter] &-= NameTable.carry
        carried[name, default: Carried()][counter] += 1
    }

    /// - Returns: false, with nothing done, if nothing was carried.
    @inline(never)
    private mutating func borrow(_ counter: NameRecord.Counter, of name: NameID) -> Bool {
        guard var rest = carried[name], rest[counter] > 0 else { return false }
        rest[counter] -= 1
        carried[name] = rest.isEmpty ? nil : rest
        records[name][counter] &+= NameTable.carry
        return true
    }

    /// All references to the name.
    func references(to name: NameID) -> Int {
        Int(records[name][.references]) + (carried[name]?.references ?? 0) * Int(NameTable.carry)
    }

    /// About how many bytes of memory the name takes.
    @inline(never)
    func memory(of name: NameID) -> Int {
        let fixed = MemoryLayout<NameRecord>.stride + HashIndex<NameRecord>.entryBytes
        return records[name].shortCount == nil ? fixed + records[name].long.blockBytes : fixed
    }

    /// The bytes of a name that is not in its record; 0 for a short one.
    func longBytes(of name: NameID) -> Int {
        records[name].shortCount == nil ? records[name].long.count : 0
    }

    /// The part of ``longBytes(of:)`` that one of the name's users has, if they share it equally.
    @inline(__always)
    func sharedBytes(of name: NameID) -> Int {
        records[name].shortCount == nil ? longBytes(of: name) / references(to: name) &+ 1 : 0
    }

    mutating func release(_ name: NameID) {
        guard removeLast(from: .references, of: name) else { return }
        index.remove(text(name).hash(seed: seed), name)
        if records[name].shortCount == nil { longNames.release(records[name].long) }
        records.free(name)
    }

    /// The name's bytes; valid while a reference to the name exists.
    @inline(__always)
    func text(_ name: NameID) -> ByteView {
        guard let count = records[name].shortCount else { return records[name].long.view }
        return unsafe ByteView(base: UnsafePointer(bytes(of: name)), count: count)
    }

    /// The bytes of a short name in its record.
    @inline(__always)
    private func bytes(of name: NameID) -> UnsafeMutablePointer<UInt8> {
        unsafe UnsafeMutableRawPointer(records.address(name)).assumingMemoryBound(to: UInt8.self)
    }
}

/// How often a name's counters were carried.
private struct Carried {
    var references = 0
    var living = 0

    var isEmpty: Bool { references == 0 && living == 0 }

    subscript(counter: NameRecord.Counter) -> Int {
        get { counter == .references ? references : living }
        set { if counter == .references { references = newValue } else { living = newValue } }
    }
}
