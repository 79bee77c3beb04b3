// SPDX-License-Identifier: MIT
// Requests that have come and whose turn has not: what they will need is read early. Carries nothing out.

/// A `set` of a path to a value that stands in the input under way.
struct PrefetchedSet {
    let line: ByteView
    let id: ByteView
    let path: JSONView
    let value: JSONView
}

/// The next lines of the input under way, as far as they are like each other.
struct PrefetchedSets: ~Copyable {
    static let most = 16

    private var sets = Scratch<PrefetchedSet>(capacity: most)
    /// Their paths, but those that are the same as the one before.
    private var paths = Scratch<ByteView>(capacity: most)
    private var next = 0

    /// The set that `rest` begins with, if it is the next one here.
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

    fileprivate mutating func append(_ set: PrefetchedSet) {
        sets.append(set)
        let path = set.path.contents
        if paths.isEmpty || !(paths[paths.count &- 1] == path) { paths.append(path) }
    }

    fileprivate var isFull: Bool { sets.count == PrefetchedSets.most }

    /// They are many, and all of one path: there is nothing in them to be read early.
    var areAlike: Bool { isFull && paths.count == 1 }

    fileprivate func prefetch(in hub: Hub) {
        hub.tree.prefetch(paths) { tag in
            let attachment = AttachmentID(tag)
            if attachment.index < hub.attachments.allocatedCount {
                hub.prefetchedSum &+= hub.attachments[attachment].subscription
            }
        }
    }
}

extension Hub {
    /// The `set` that `rest` begins with, when it pays to know those behind it as well.
    func prefetchedSet(_ rest: ByteView) -> PrefetchedSet? {
        if let known = prefetchedSets.pop(from: rest) { return known }
        prefetchedSets.forget()
        var start = 0
        while !prefetchedSets.isFull, start < rest.count {
            let input = rest.dropFirst(start)
            guard let length = request.recognize(firstOf: input), isSimpleSet, let id = request.id,
                let path = request.value(.path), let value = request.value(.value),
                path.kind == .string, !path.hasEscapes
            else { break }
            prefetchedSets.append(PrefetchedSet(line: input.prefix(length), id: id, path: path, value: value))
            start += length + 1
        }
        prefetchedSets.prefetch(in: self)
        return prefetchedSets.pop(from: rest)
    }
}
