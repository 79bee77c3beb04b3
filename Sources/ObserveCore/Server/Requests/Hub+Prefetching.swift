// SPDX-License-Identifier: MIT
// Looks ahead in the input, and loads the records that later sets need. Executes nothing.

extension Hub {
    /// The simple `set` at the beginning of `rest`; nil if there is none. Looks ahead if it is not known yet.
    func prefetchedSet(_ rest: ByteView) -> PrefetchedSet? {
        if let known = prefetched.pop(from: rest) { return known }
        prefetched.forget()
        let request = parsed.request
        var start = 0
        while !prefetched.isFull, start < rest.count {
            let input = rest.dropFirst(start)
            guard let length = request.recognize(firstOf: input), isSimpleSet, let id = request.id,
                let path = request.value(.path), let value = request.value(.value),
                path.kind == .string, !path.hasEscapes
            else { break }
            prefetched.append(PrefetchedSet(line: input.prefix(length), id: id, path: path, value: value))
            start += length + 1
        }
        var sum: Int32 = 0
        tree.prefetch(prefetched.paths) { tag in
            let attachment = AttachmentID(tag)
            if attachment.index < clients.registry.attachments.allocatedCount {
                sum &+= clients.registry.attachments[attachment].subscription
            }
        }
        prefetched.note(sum)
        return prefetched.pop(from: rest)
    }
}

/// A `set` of a path to a value, found ahead of its turn.
struct PrefetchedSet {
    let line: ByteView
    let id: ByteView
    let path: JSONView
    let value: JSONView
}

/// The next lines of the input under way, as far as each is a simple `set`; empty between inputs.
///
/// - Lifetime: the sets refer to the input.
struct PrefetchedSets: ~Copyable {
    static let most = 16

    private var sets = Scratch<PrefetchedSet>(capacity: most)
    /// Their paths, without repetitions in a row.
    private(set) var paths = Scratch<ByteView>(capacity: most)
    private var next = 0
    /// A sum over the loaded records, so that the compiler does not remove their loads.
    private var sum: Int32 = 0

    /// The set that `rest` begins with, if it is the next one.
    @inline(__always)
    mutating func pop(from rest: ByteView) -> PrefetchedSet? {
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
