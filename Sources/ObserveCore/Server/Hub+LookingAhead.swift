// SPDX-License-Identifier: MIT
// Requests that have come and whose turn has not: what they will need is read early. Carries nothing out.

/// A `set` of a path to a value that stands in the input under way.
struct ComingSet {
    let line: ByteView
    let id: ByteView
    let path: JSONView
    let value: JSONView
}

/// The next lines of the input under way, as far as they are like each other.
struct ComingSets: ~Copyable {
    static let most = 16

    private var sets = Scratch<ComingSet>(capacity: most)
    /// Their paths, but those that are the same as the one before.
    private var paths = Scratch<ByteView>(capacity: most)
    private var next = 0

    /// The set that `rest` begins with, if it is the next one here.
    @inline(__always)
    mutating func take(from rest: ByteView) -> ComingSet? {
        guard next < sets.count, rest.offset(of: sets[next].line) == 0 else { return nil }
        next &+= 1
        return sets[next &- 1]
    }

    mutating func forget() {
        sets.removeAll()
        paths.removeAll()
        next = 0
    }

    fileprivate mutating func append(_ set: ComingSet) {
        sets.append(set)
        let path = set.path.contents
        if paths.isEmpty || !(paths[paths.count &- 1] == path) { paths.append(path) }
    }

    fileprivate var isFull: Bool { sets.count == ComingSets.most }

    /// They are many, and all of one path: there is nothing in them to be read early.
    var areAlike: Bool { isFull && paths.count == 1 }

    fileprivate func fetch(in hub: Hub) {
        hub.tree.fetch(paths) { tag in
            if tag < hub.attachments.allocatedCount { hub.fetchedSum &+= hub.attachments[tag].subscription }
        }
    }
}

extension Hub {
    /// The `set` that `rest` begins with, when it pays to know those behind it as well.
    func comingSet(_ rest: ByteView) -> ComingSet? {
        if let known = coming.take(from: rest) { return known }
        coming.forget()
        var start = 0
        while !coming.isFull, start < rest.count {
            let input = rest.dropFirst(start)
            guard let length = request.recognize(firstOf: input), isPlainSet, let id = request.id,
                let path = request.value(.path), let value = request.value(.value),
                path.kind == .string, !path.hasEscapes
            else { break }
            coming.append(ComingSet(line: input.prefix(length), id: id, path: path, value: value))
            start += length + 1
        }
        coming.fetch(in: self)
        return coming.take(from: rest)
    }
}
