// SPDX-License-Identifier: MIT
// Records read before they are needed. Changes nothing, and decides nothing.

extension ModelTree {
    /// Whether so many paths are observed that a record is seldom in the processor's caches when it is needed.
    var isSparse: Bool { nodes.count >= sparseNodes }

    /// Reads what telling of these observed paths will read: all of one kind, then all of the next, so that the
    /// processor waits for many of them at once instead of for one after the other.
    ///
    /// - Parameter body: called with the tag of each path's first observer.
    func fetch(_ paths: borrowing Scratch<ByteView>, _ body: (Int32) -> Void) {
        fetched.removeAll()
        for index in paths.indices {
            if let node = pathIndex.find(paths[index].hash(seed: seed), { _ in true }) {
                fetched.append(node)
            }
        }
        for index in fetched.indices {
            let node = fetched[index]
            fetched.append(nodes[node].property)
            fetched[index] = nodes[node].firstObserver
        }
        let count = fetched.count / 2
        for index in count..<2 * count where fetched[index] != noRecord {
            fetchedSum &+= properties[fetched[index]].bound
        }
        for index in 0..<count where fetched[index] != noRecord { body(observers[fetched[index]].tag) }
    }
}
