// SPDX-License-Identifier: MIT
// Sets that the hub has found ahead in the input. Independent of the tree.

struct PrefetchedSet {
    let line: ByteView
    let id: ByteView
    let path: JSONView
    let value: JSONView
}

/// The next lines of the input under way, as far as each is a simple `set`; empty between inputs, to which they refer.
struct PrefetchedSets: ~Copyable {
    static let most = 16

    private var sets = Scratch<PrefetchedSet>(capacity: most)
    /// Their paths, without repetitions in a row.
    private(set) var paths = Scratch<ByteView>(capacity: most)
    private var next = 0
    /// A sum over the loaded records, so that the compiler does not remove their loads.
    private var sum: Int32 = 0

    /// The set that `rest` begins with, if it is the next one.
    @inline(__always) mutating func pop(from rest: ByteView) -> PrefetchedSet? {
        guard next < sets.count, rest.offset(of: sets[next].line) == 0 else { return nil }
        next &+= 1
        return sets[next &- 1]
    }

    mutating func forget() {
        sets.removeAll()
        paths.removeAll()
        next = 0
    }

    mutating func append(_ set: PrefetchedSet) {
        sets.append(set)
        let path = set.path.contents
        if paths.isEmpty || !(paths[paths.count &- 1] == path) { paths.append(path) }
    }

    mutating func note(_ sum: Int32) { self.sum &+= sum }

    var isFull: Bool { sets.count == PrefetchedSets.most }

    /// Whether they are many, and all of one path: then loading its records early gains nothing.
    var areAlike: Bool { isFull && paths.count == 1 }

    var isIdle: Bool { sets.isEmpty && next == 0 }
}
