// SPDX-License-Identifier: MIT
// Records read before they are needed. Changes nothing, and decides nothing.

extension ModelTree {
    /// Whether so many paths are observed that a record is seldom in the processor's caches when it is needed.
    var isSparse: Bool { nodes.count >= sparseNodes }

    /// Reads what telling of these observed paths will read: all of one kind, then all of the next, so that the
    /// processor waits for many of them at once instead of for one after the other.
    ///
    /// - Parameter body: called with the tag of each path's first observer.
    func prefetch(_ paths: borrowing Scratch<ByteView>, _ body: (Int32) -> Void) {
        prefetched.removeAll()
        for index in paths.indices {
            if let node = pathIndex.find(paths[index].hash(seed: seed), { _ in true }) {
                prefetched.append(node)
            }
        }
        for index in prefetched.indices {
            let node = prefetched[index]
            prefetched.append(nodes[node].property)
            prefetched[index] = nodes[node].firstObserver
        }
        let count = prefetched.count / 2
        for index in count..<2 * count where prefetched[index] != noRecord {
            prefetchedSum &+= properties[prefetched[index]].bound
        }
        for index in 0..<count where prefetched[index] != noRecord { body(observers[prefetched[index]].tag) }
    }
}
