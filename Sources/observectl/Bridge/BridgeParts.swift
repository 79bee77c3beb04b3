// SPDX-License-Identifier: MIT
// The parts of a bridge's state, each with its own invariant. Independent of connections.

import ObserveCore

/// The daemon, as far as the bridge has seen it.
struct LocalSide {
    var isAttached = false
    /// Whether all values have been read.
    var isLoaded = false
    var epoch = ""
    /// The last revision that the values show.
    var revision: Int64 = 0
    /// Whether the missed changes came as such, and are not in the values alone.
    var isResumed = false
    /// The position in the tree, when the daemon was attached, and later the last one that was sent.
    var position: BridgePosition?
    /// Changes that came before both sides were loaded.
    var early: [LocalEvent] = []
    /// Paths whose values have to be read again.
    var unread: [[String]] = []
    /// How many of these reads are under way.
    var reading = 0
}

/// The stream, as far as the bridge has seen it.
struct RemoteSide {
    var isAttached = false
    /// Whether the last value of each key has been read.
    var isLoaded = false
    var identity = ""
    var lastSequence: UInt64 = 0
    var ages = TombstoneAge()
}

/// Changes of the daemon on their way to the stream.
struct Outbound {
    /// A put that is not acknowledged.
    struct Flight {
        let node: KeyNode
        let value: RawJSON?
        let isCleanup: Bool
    }

    static let window = 4096
    /// The values of so many bytes are put at once: they are copied.
    static let mostBytes = 1 << 20

    /// Nodes with changes, oldest first; ``next()`` moves its start.
    private var queue: [KeyNode] = []
    private var start = 0
    var flights: [Int: Flight] = [:]
    var lastTicket = 0
    /// Keys that a later key of this bridge excludes, to be deleted.
    var cleanups: [KeyNode] = []
    /// The revisions of changes in their order; entries that no node has any more are void.
    private(set) var revisions: [(revision: Int64, node: KeyNode)] = []
    private var firstRevision = 0
    /// After a refusal that ends by itself, as that of a full stream.
    var isPaused = false
    /// Why the stream refused changes since the last time that none waited.
    var refusals: Set<String> = []

    var isEmpty: Bool { start == queue.count && flights.isEmpty && cleanups.isEmpty }
    /// How many keys have changes that the stream has not acknowledged.
    var waiting: Int { queue.count - start + flights.count }

    mutating func append(_ node: KeyNode, changedAt revision: Int64) {
        if node.outgoing.dirty == nil {
            node.outgoing.dirty = revision
            revisions.append((revision, node))
        }
        enqueue(node)
    }

    mutating func enqueue(_ node: KeyNode) {
        guard !node.outgoing.isQueued else { return }
        node.outgoing.isQueued = true
        queue.append(node)
    }

    mutating func next() -> KeyNode? {
        guard start < queue.count else { return nil }
        let node = queue[start]
        start += 1
        if start > 1024, start * 2 > queue.count {
            queue.removeFirst(start)
            start = 0
        }
        node.outgoing.isQueued = false
        return node
    }

    /// The last revision whose changes the stream has, if it has those of `last` but for what waits.
    mutating func sentRevision(last: Int64) -> Int64 {
        while firstRevision < revisions.count {
            let (revision, node) = revisions[firstRevision]
            if node.outgoing.dirty == revision || node.outgoing.revision == revision { break }
            firstRevision += 1
        }
        if firstRevision > 1024, firstRevision * 2 > revisions.count {
            revisions.removeFirst(firstRevision)
            firstRevision = 0
        }
        return firstRevision < revisions.count ? revisions[firstRevision].revision - 1 : last
    }

    /// Forgets all changes; puts under way stay, since their acknowledgements may come.
    mutating func forgetChanges() {
        while let node = next() { node.outgoing.dirty = nil }
        for flight in flights.values {
            flight.node.outgoing.dirty = nil
            flight.node.outgoing.revision = nil
        }
        cleanups = []
        revisions = []
        firstRevision = 0
    }
}

/// Changes of the stream on their way to the daemon.
struct Inbound {
    /// A transaction that is not answered.
    struct Outstanding {
        let writes: [BridgeWrite]
        /// All nodes that were considered: some need no write since another one covers them.
        let nodes: [KeyNode]
        var changes: LocalChanges
        /// Changes of the daemon that came meanwhile.
        var held: [LocalEvent] = []
    }

    static let longest = 2048

    private(set) var queue: [KeyNode] = []
    var outstanding: Outstanding?
    /// How many writes the next transaction may have.
    var limit = Inbound.longest
    /// After a refusal that ends by itself, as that of a full disk.
    var isPaused = false
    /// The last sequence up to which all is applied.
    var sequence: UInt64 = 0
    var refused: [ObjectIdentifier: KeyNode] = [:]
    /// The refused value that is tried again alone, and how many were.
    var probe: KeyNode?
    var probes = 0

    mutating func append(_ node: KeyNode) {
        guard !node.incoming.isQueued else { return }
        node.incoming.isQueued = true
        queue.append(node)
    }

    /// The oldest nodes, at most `limit` of them.
    mutating func next() -> [KeyNode] {
        let batch = Array(queue.prefix(limit))
        queue.removeFirst(batch.count)
        for node in batch { node.incoming.isQueued = false }
        return batch
    }

    mutating func removeQueue() {
        for node in queue { node.incoming.isQueued = false }
        queue = []
    }
}
