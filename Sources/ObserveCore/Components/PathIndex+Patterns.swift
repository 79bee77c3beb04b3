// SPDX-License-Identifier: MIT
// Finds a node's observer by its pattern's tag, and counts a node's deep observers.

extension PathIndex {
    /// The observer of the patterns with that tag; `noRecord` if there is none.
    mutating func observer(of tag: Int32, at node: NodeID) -> ObserverID {
        var observer = nodes[node].firstObserver
        var steps = 0
        while observer != .noRecord, observers[observer].group != tag {
            observer = observers[observer].next
            steps += 1
            if steps == CrowdIndex<ObserverRecord>.few { return crowdObserver(of: tag, at: node) }
        }
        return observer
    }

    @inline(never)
    private mutating func crowdObserver(of tag: Int32, at node: NodeID) -> ObserverID {
        if crowds.begin(node) {
            var observer = nodes[node].firstObserver
            while observer != .noRecord {
                index(observer)
                observer = observers[observer].next
            }
        }
        return crowds.find(tag, node) { observers[$0].group == tag && observers[$0].node == node }
    }

    private mutating func index(_ observer: ObserverID) {
        let record = observers[observer]
        if record.group != ObserverRecord.noGroup { crowds.insert(observer, record.group, record.node) }
    }

    /// Call for each observer that its node lists by now.
    @inline(__always)
    mutating func noteAppended(_ observer: ObserverID) {
        if crowds.has(observers[observer].node) { index(observer) }
    }

    /// Call for each observer that its node does not list any more.
    @inline(__always)
    mutating func noteUnlinked(_ observer: ObserverID) {
        if crowds.has(observers[observer].node) { unindex(observer) }
    }

    @inline(never)
    private mutating func unindex(_ observer: ObserverID) {
        let record = observers[observer]
        if record.group != ObserverRecord.noGroup { crowds.remove(observer, record.group, record.node) }
        if nodes[record.node].firstObserver == .noRecord { crowds.end(record.node) }
    }

    // MARK: Deep observers

    /// Makes an observer deep, or no longer.
    mutating func setDeep(_ isDeep: Bool, _ observer: ObserverID) {
        let node = observers[observer].node
        let count = deepCounts[node, default: 0] + (isDeep ? 1 : -1)
        deepCounts[node] = count > 0 ? count : nil
        nodes[node].isDeep = count > 0
        deepObservers += isDeep ? 1 : -1
        if isDeep {
            observers[observer].options.insert(.deep)
        } else {
            observers[observer].options.remove(.deep)
        }
    }
}
