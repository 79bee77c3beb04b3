// SPDX-License-Identifier: MIT
// Property names, each stored once. Knows nothing of models.

/// A property name's number in a ``NameTable``. Equal numbers are equal names, scalar by scalar.
typealias NameID = Int32

/// Interned names, counted, so that names that come and go leave nothing behind. A name of at most eight bytes stands in
/// its record; a longer one in a pool.
///
/// - Threading: none of its own; its owner is its only user.
/// - Cost: O(length) to look up.
@safe
struct NameTable: ~Copyable {
    @safe
    private struct Record {
        /// The bytes, or, where they are more than there is room for here, what the pool calls them. Stands first: the
        /// record's address is theirs.
        var bytes: UInt64 = 0
        var count: Int32 = 0
        var references: Int32 = 0

        static var room: Int { 8 }
    }

    private var records = Arena(blank: Record())
    private var longNames = TextPool()
    private var index = HashIndex()
    private let seed: UInt64

    init(seed: UInt64) {
        self.seed = seed
    }

    /// How many different names are held.
    var count: Int { records.count }

    func find(_ name: ByteView) -> NameID? {
        index.find(name.hash(seed: seed)) { text($0) == name }
    }

    /// The number of `name`, with one more reference to it; ``release(_:)`` takes that back.
    mutating func intern(_ name: ByteView) -> NameID {
        let hash = name.hash(seed: seed)
        if let known = index.find(hash, { text($0) == name }) {
            records[known].references += 1
            return known
        }
        let fresh = records.allocate()
        records[fresh] = Record(count: Int32(name.count), references: 1)
        if name.count <= Record.room {
            unsafe bytes(of: fresh).update(from: name.base, count: name.count)
        } else {
            records[fresh].bytes = longNames.make(name).word
        }
        index.insert(hash, fresh)
        return fresh
    }

    mutating func retain(_ name: NameID) {
        records[name].references += 1
    }

    mutating func release(_ name: NameID) {
        records[name].references -= 1
        guard records[name].references == 0 else { return }
        index.remove(text(name).hash(seed: seed), name)
        if Int(records[name].count) > Record.room {
            unsafe longNames.release(PooledText(word: records[name].bytes))
        }
        records.release(name)
    }

    /// The name's bytes; valid while a reference to it is held.
    @inline(__always)
    func text(_ name: NameID) -> ByteView {
        let count = Int(records[name].count)
        if count > Record.room { return unsafe PooledText(word: records[name].bytes).view }
        return unsafe ByteView(base: UnsafePointer(bytes(of: name)), count: count)
    }

    /// The room for a short name in the record.
    @inline(__always)
    private func bytes(of name: NameID) -> UnsafeMutablePointer<UInt8> {
        unsafe UnsafeMutableRawPointer(records.address(name)).assumingMemoryBound(to: UInt8.self)
    }
}
