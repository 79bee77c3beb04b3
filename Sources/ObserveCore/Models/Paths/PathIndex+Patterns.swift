// SPDX-License-Identifier: MIT
// Finds a node's observer by its pattern's tag, and whether any observer is deep.

extension PathIndex {
    /// The observer of the patterns with that tag; `noRecord` if there is none.
    ///
    /// - Cost: O(1). Without an index, patterns of ten thousand clients at one node would make each new property, and each end of a
    ///   pattern, search all of them.
    mutating func observer(of tag: Int32, at node: NodeID) -> ObserverID {
        var observer = nodes[node].firstObserver
        var steps = 0
        while observer != .noRecord, observers[observer].group != tag {
            observer = observers[observer].next
            steps += 1
            if steps == PathIndex.fewObservers { return crowdObserver(of: tag, at: node) }
        }
        return observer
    }

    @inline(never)
    private mutating func crowdObserver(of tag: Int32, at node: NodeID) -> ObserverID {
        if crowded.insert(node).inserted {
            var observer = nodes[node].firstObserver
            while observer != .noRecord {
                index(observer)
                observer = observers[observer].next
            }
        }
        return crowdIndex.find(PathIndex.hash(tag, node)) {
            observers[$0].group == tag && observers[$0].node == node
        } ?? .noRecord
    }

    private static func hash(_ tag: Int32, _ node: NodeID) -> UInt64 { pairHash(tag, node.number, seed: 0) }

    private mutating func index(_ observer: ObserverID) {
        let record = observers[observer]
        guard record.group != ObserverRecord.noGroup else { return }
        crowdIndex.insert(PathIndex.hash(record.group, record.node), observer)
    }

    /// Call for each observer that its node lists by now.
    @inline(__always)
    mutating func noteAppended(_ observer: ObserverID) {
        if !crowded.isEmpty, crowded.contains(observers[observer].node) { index(observer) }
    }

    /// Call for each observer that its node does not list any more.
    @inline(__always)
    mutating func noteUnlinked(_ observer: ObserverID) {
        if !crowded.isEmpty { unindex(observer) }
    }

    @inline(never)
    private mutating func unindex(_ observer: ObserverID) {
        let record = observers[observer]
        guard crowded.contains(record.node) else { return }
        if record.group != ObserverRecord.noGroup {
            crowdIndex.remove(PathIndex.hash(record.group, record.node), observer)
        }
        if nodes[record.node].firstObserver == .noRecord { crowded.remove(record.node) }
    }

    func hasDeepObserver(_ node: NodeID) -> Bool {
        var observer = nodes[node].firstObserver
        while observer != .noRecord {
            if observers[observer].options.contains(.deep) { return true }
            observer = observers[observer].next
        }
        return false
    }
}
