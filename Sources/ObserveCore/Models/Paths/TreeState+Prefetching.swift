// SPDX-License-Identifier: MIT
// Prefetches records. Changes nothing, and decides nothing.

extension TreeState {
    /// Whether the tree has so many nodes that a needed record is rarely in the processor's caches.
    var isSparse: Bool { paths.nodes.count >= paths.sparseNodes }

    /// Reads the records for notifying these observed paths: all of one kind, then all of the next. So the processor waits for
    /// many at once. Calls `body` with the tag of each path's first observer.
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
