// SPDX-License-Identifier: MIT
// Records read before they are needed. Changes nothing, and decides nothing.

extension ModelTree {
    /// Whether so many paths are observed that a record is seldom in the processor's caches when it is needed.
    var isSparse: Bool { paths.nodes.count >= paths.sparseNodes }

    /// Reads what telling of these observed paths will read: all of one kind, then all of the next, so that the
    /// processor waits for many of them at once instead of for one after the other.
    ///
    /// - Parameter body: called with the tag of each path's first observer.
    func prefetch(_ texts: borrowing Scratch<ByteView>, _ body: (Int32) -> Void) {
        paths.prefetched.removeAll()
        for index in texts.indices {
            if let node = paths.pathIndex.find(texts[index].hash(seed: records.seed), { _ in true }) {
                paths.prefetched.append(node)
            }
        }
        for index in paths.prefetched.indices {
            let node = paths.prefetched[index]
            paths.prefetched.append(paths.nodes[node].property)
            paths.prefetched[index] = paths.nodes[node].firstObserver
        }
        let count = paths.prefetched.count / 2
        for index in count..<2 * count where paths.prefetched[index] != noRecord {
            paths.prefetchedSum &+= records.properties[paths.prefetched[index]].bound
        }
        for index in 0..<count where paths.prefetched[index] != noRecord {
            body(paths.observers[paths.prefetched[index]].tag)
        }
    }
}
