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
                paths.prefetched.append(Prefetch(node: node))
            }
        }
        for index in paths.prefetched.indices {
            let node = paths.prefetched[index].node
            paths.prefetched[index].property = paths.nodes[node].property
            paths.prefetched[index].observer = paths.nodes[node].firstObserver
        }
        for index in paths.prefetched.indices where paths.prefetched[index].property != .noRecord {
            paths.prefetchedSum &+= records.properties[paths.prefetched[index].property].bound.number
        }
        for index in paths.prefetched.indices where paths.prefetched[index].observer != .noRecord {
            body(paths.observers[paths.prefetched[index].observer].tag)
        }
    }
}
