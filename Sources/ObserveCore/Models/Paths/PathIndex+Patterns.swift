// SPDX-License-Identifier: MIT
// Finds a node's observer by its pattern's tag, and whether any observer is deep.

extension PathIndex {
    func observer(of tag: Int32, at node: NodeID) -> ObserverID {
        var observer = nodes[node].firstObserver
        while observer != .noRecord, observers[observer].group != tag {
            observer = observers[observer].next
        }
        return observer
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
