// SPDX-License-Identifier: MIT
// Finds a node's observer by its pattern's tag, and counts and lists a node's deep observers.

extension PathIndex {
    /// The observer of the patterns with that tag; `noRecord` if there is none.
    func observer(of tag: Int32, at node: NodeID) -> ObserverID {
        patternObservers.find(pairHash(node, tag, seed: 0)) {
            observers[$0].group == tag && observers[$0].node == node
        } ?? .noRecord
    }

    /// Call for each observer that its node lists by now.
    @inline(__always)
    mutating func noteAppended(_ observer: ObserverID) {
        let record = observers[observer]
        if record.group == ObserverRecord.noGroup { return }
        patternObservers.insert(pairHash(record.node, record.group, seed: 0), observer)
    }

    /// Call for each observer that its node does not list any more.
    @inline(__always)
    mutating func noteUnlinked(_ observer: ObserverID) {
        let record = observers[observer]
        if record.group == ObserverRecord.noGroup { return }
        patternObservers.remove(pairHash(record.node, record.group, seed: 0), observer)
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

    /// The pattern tags of the node's deep observers.
    func deepGroups(at node: NodeID) -> [Int32] {
        var groups: [Int32] = []
        var observer = nodes[node].firstObserver
        while observer != .noRecord {
            let record = observers[observer]
            if record.options.contains(.deep) { groups.append(record.group) }
            observer = record.next
        }
        return groups
    }
}
