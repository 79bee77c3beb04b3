// SPDX-License-Identifier: MIT
// The state of all observed paths: nodes, observers, and the indices to find them.

struct PathIndex: ~Copyable {
    var nodes = Arena(blank: PathNode())
    var observers = Arena(blank: ObserverRecord())
    /// (parent node, name) → node.
    var nodeIndex = HashIndex<PathNode>()
    /// The whole path's text → the node, where it has observers.
    var pathIndex = HashIndex<PathNode>()
    /// (pattern's tag, node) → the pattern's observer, unless it came first. Otherwise, with patterns of ten thousand clients at one
    /// node, each new property and each end of a pattern would search all of them. So with ``WildcardTable/index``.
    var patternObservers = HashIndex<ObserverRecord>()
    /// Recently used paths, and the properties that they lead to.
    var known = KnownPaths()
    /// The text of a path that is being indexed.
    let text = ByteBuffer()
    /// The parent of all first components; never bound itself.
    var rootNode: NodeID
    /// The nodes that the running notification has made; it may have removed some of them again.
    var newborn = Scratch<NodeID>()
    /// The selections from which a node was unbound, so that they may be without nodes.
    var unboundSelections: [PropertyID] = []
    /// The kind of the running notification; nil between notifications.
    private var notifying: Notifying?
    /// How many observers have ``ObservingOptions/deep``, in all and at each node with any.
    var deepObservers = 0
    var deepCounts: [NodeID: Int] = [:]
    /// How many observers and patterns also observe equal assignments.
    var indistinctObservers = 0
    /// Whether commits note equal assignments: such an observer exists, or may resume from the history.
    var notesEqualAssignments = false
    /// The revision since which commits note them, and the revision at which the last such observer left.
    var equalAssignmentsNotedSince: UInt64 = 0
    var lastIndistinctObserver: UInt64 = 0
    /// Prefetched records, and a sum of their contents, so that the compiler keeps the reads.
    var prefetched = Scratch<Prefetch>(capacity: 64)
    var prefetchedSum: Int32 = 0
    /// The number of nodes from which prefetching saves time: measured at about ten thousand.
    var sparseNodes = 8192

    init() { rootNode = nodes.allocate() }

    /// Whether a running notification notifies observers of the open commit, or again of a past one.
    enum Notifying {
        case live
        case replay
    }

    /// Whether a notification is under way. Its visits expand wildcards, and new nodes have no old value.
    var isNotifying: Bool { notifying != nil }

    /// Whether the node belongs to the running notification, or without one to the next: a replay has a trie of its own.
    @inline(__always) func isVisited(_ node: NodeID) -> Bool { nodes[node][.isReplayed] == isReplaying }

    var isReplaying: Bool { notifying == .replay }

    var isIdle: Bool { notifying == nil && newborn.isEmpty }

    mutating func beginNotification(_ kind: Notifying) { notifying = kind }

    mutating func endNotification() {
        notifying = nil
        while let node = newborn.popLast() { nodes[node][.isNewborn] = false }
    }

    /// Call for each new node.
    mutating func noteNewborn(_ node: NodeID) {
        guard isNotifying else { return }
        nodes[node][.isNewborn] = true
        newborn.append(node)
    }
}

extension PathIndex {
    /// Whether the node is the only one bound to its property, and no path follows its value's contents.
    @inline(__always) func isAlone(_ node: NodeID) -> Bool {
        nodes[node].nextBound == .noRecord && !nodes[node].followsValue && !nodes[node][.isReplayed]
            && (indistinctObservers == 0 || nodes[node].firstChild == .noRecord)
            && (nodes[node][.isMatched] || !nodes[nodes[node].parent].followsValue)
    }

    mutating func appendChild(_ node: NodeID, to parent: NodeID) {
        nodes[parent].firstChild = nodes.append(node, to: nodes[parent].firstChild)
    }

    mutating func prependChild(_ node: NodeID, to parent: NodeID) {
        let first = nodes[parent].firstChild
        if first == .noRecord { return appendChild(node, to: parent) }
        nodes[node].previous = nodes[first].previous
        nodes[node].next = first
        nodes[first].previous = node
        nodes[parent].firstChild = node
    }

    mutating func removeChild(_ node: NodeID, from parent: NodeID) {
        nodes[parent].firstChild = nodes.remove(node, from: nodes[parent].firstChild)
    }

    mutating func append(_ observer: ObserverID, to node: NodeID) {
        let first = nodes[node].firstObserver
        observers[observer].node = node
        nodes[node].firstObserver = observers.append(observer, to: first)
        let group = observers[observer].group
        // Until it leaves, the first one is found without the index.
        if group == ObserverRecord.noGroup || first == .noRecord { return }
        observers[observer].isIndexed = true
        patternObservers.insert(pairHash(node, group, seed: 0), observer)
    }

    mutating func unlink(_ observer: ObserverID) {
        let (node, group) = (observers[observer].node, observers[observer].group)
        nodes[node].firstObserver = observers.remove(observer, from: nodes[node].firstObserver)
        guard observers[observer].isIndexed else { return }
        patternObservers.remove(pairHash(node, group, seed: 0), observer)
    }

    /// Whether collection operators over the node's value are observed.
    @inline(__always) func isOperatedUpon(_ node: NodeID) -> Bool {
        // Operators are the first children of a node.
        nodes[node].firstChild != .noRecord && nodes[nodes[node].firstChild][.isOperator]
    }

    // MARK: Patterns

    /// The observer of the patterns with that tag; `noRecord` if there is none.
    func observer(of tag: Int32, at node: NodeID) -> ObserverID {
        let first = nodes[node].firstObserver
        if first == .noRecord || observers[first].group == tag { return first }
        return patternObservers.find(pairHash(node, tag, seed: 0)) {
            observers[$0].group == tag && observers[$0].node == node
        } ?? .noRecord
    }

    // MARK: Deep observers

    mutating func setDeep(_ isDeep: Bool, _ observer: ObserverID) {
        let node = observers[observer].node
        let count = deepCounts[node, default: 0] + (isDeep ? 1 : -1)
        deepCounts[node] = count > 0 ? count : nil
        nodes[node][.isDeep] = count > 0
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

/// An observed path whose records are being prefetched.
struct Prefetch {
    let node: NodeID
    var property = PropertyID.noRecord
    var observer = ObserverID.noRecord
}
