// SPDX-License-Identifier: MIT
// Finds the pattern tags of a node's deep observers.

extension PathIndex {
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
