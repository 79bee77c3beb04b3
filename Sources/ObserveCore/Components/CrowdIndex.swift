// SPDX-License-Identifier: MIT
// Finds a pattern's record at a node with many. Independent of the kind of record.

/// Finds what a pattern has at a node: its observer, or its wildcard. A few records are searched one by one; only nodes with more
/// have entries here.
///
/// - Cost: O(1). Without it, patterns of ten thousand clients at one node would make each new property, and each end of a pattern,
///   search all of them.
struct CrowdIndex<Record>: ~Copyable {
    /// The nodes whose records the index has.
    private(set) var nodes: Set<NodeID> = []
    /// (key, node) → record.
    private var index = HashIndex<Record>()

    /// So many records of a node are searched one by one. Debug builds search few, so that random tests have crowds.
    static var few: Int {
        #if DEBUG
            2
        #else
            32
        #endif
    }

    var count: Int { index.count }

    @inline(__always)
    func has(_ node: NodeID) -> Bool { !nodes.isEmpty && nodes.contains(node) }

    /// - Returns: whether the node had no entries: the caller has to insert those of all its records.
    mutating func begin(_ node: NodeID) -> Bool { nodes.insert(node).inserted }

    /// Call when the node has no record any more.
    mutating func end(_ node: NodeID) { nodes.remove(node) }

    private static func hash(_ key: Int32, _ node: NodeID) -> UInt64 { pairHash(key, node.number, seed: 0) }

    mutating func insert(_ record: ID<Record>, _ key: Int32, _ node: NodeID) {
        index.insert(CrowdIndex.hash(key, node), record)
    }

    mutating func remove(_ record: ID<Record>, _ key: Int32, _ node: NodeID) {
        index.remove(CrowdIndex.hash(key, node), record)
    }

    /// The record with that key at the node, for which `matches` is true; `noRecord` if there is none.
    func find(_ key: Int32, _ node: NodeID, _ isWanted: (ID<Record>) -> Bool) -> ID<Record> {
        index.find(CrowdIndex.hash(key, node), isWanted) ?? .noRecord
    }
}
