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
    /// The last change of each key that came before both sides were loaded.
    var early: [String: LocalEvent] = [:]
    /// Paths whose values have to be read again.
    var unread: [[String]] = []
    /// How many of these reads are under way.
    var reading = 0

    var isReading: Bool { !unread.isEmpty || reading > 0 }
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

/// The reasons that were reported already. A server's reasons may all differ: beyond some, others are not reported.
struct ReportedReasons {
    private static let most = 100
    private var reasons: Set<String> = []

    /// True if the reason is to be reported.
    mutating func note(_ reason: String) -> Bool {
        reasons.count < ReportedReasons.most && reasons.insert(reason).inserted
    }
}

/// Changes of the daemon on their way to the stream.
struct Outbound {
    static let window = 4096
    /// The values of so many bytes are put at once: they are copied.
    static let mostBytes = 1 << 20

    /// Nodes with changes, oldest first.
    private var queue: ArraySlice<KeyNode> = []
    /// The puts that are not acknowledged.
    var flights: [Int: BridgePut] = [:]
    private var lastTicket = 0
    /// Keys that a later key of this bridge excludes, to be deleted.
    var cleanups: [KeyNode] = []
    /// The revisions of changes in their order; entries that no node has any more are void.
    private(set) var revisions: ArraySlice<(revision: Int64, node: KeyNode)> = []
    /// After a refusal that ends by itself, as that of a full stream.
    var isPaused = false
    /// Why the stream refused changes since the last time that none waited.
    var refusals = ReportedReasons()

    var isEmpty: Bool { queue.isEmpty && flights.isEmpty && cleanups.isEmpty }
    /// How many keys have changes that the stream has not acknowledged.
    var waiting: Int { queue.count + flights.count }

    mutating func append(_ node: KeyNode, changedAt revision: Int64) {
        if node.outgoing.dirty == nil {
            node.outgoing.dirty = revision
            revisions.append((revision, node))
        }
        enqueue(node)
        // One change that waits for long keeps all later entries.
        if revisions.count > 2 * waiting + Outbound.window {
            revisions = ArraySlice(revisions.filter { Outbound.isUnsent($0.node, $0.revision) })
        }
    }

    private static func isUnsent(_ node: KeyNode, _ revision: Int64) -> Bool {
        node.outgoing.dirty == revision || node.outgoing.revision == revision
    }

    mutating func enqueue(_ node: KeyNode) {
        guard !node.outgoing.isQueued else { return }
        node.outgoing.isQueued = true
        queue.append(node)
    }

    mutating func next() -> KeyNode? {
        let node = queue.popFirst()
        node?.outgoing.isQueued = false
        // A slice keeps what it has lost until it is another one.
        if queue.isEmpty { queue = [] }
        return node
    }

    /// Notes a put that is under way from now on.
    mutating func put(_ node: KeyNode, _ value: RawJSON?, expecting sequence: UInt64? = nil) -> BridgePut {
        lastTicket += 1
        let put = BridgePut(ticket: lastTicket, node: node, value: value, expected: sequence)
        flights[lastTicket] = put
        return put
    }

    /// The last revision whose changes the stream has, if it has those of `last` but for what waits.
    mutating func sentRevision(last: Int64) -> Int64 {
        while let (revision, node) = revisions.first {
            if Outbound.isUnsent(node, revision) { return revision - 1 }
            revisions.removeFirst()
        }
        revisions = []
        return last
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
    }
}

/// Changes of the stream on their way to the daemon.
struct Inbound {
    /// A transaction that is not answered.
    struct Outstanding {
        var writes: [BridgeWrite] = []
        /// All nodes that were considered: some need no write since another one covers them.
        var nodes: [KeyNode] = []
        var changes = LocalChanges()
        /// Changes of the daemon that came meanwhile.
        var held: [LocalEvent] = []
    }

    static let longest = 2048

    private(set) var queue: ArraySlice<KeyNode> = []
    var outstanding: Outstanding?
    /// How many writes the next transaction may have.
    var limit = Inbound.longest
    /// After a refusal that ends by itself, as that of a full disk.
    var isPaused = false
    /// The last sequence up to which all is applied.
    var sequence: UInt64 = 0
    var refused: [ObjectIdentifier: KeyNode] = [:]
    /// The refused value that is tried again alone.
    var probe: KeyNode?

    mutating func append(_ node: KeyNode) {
        guard !node.incoming.isQueued else { return }
        node.incoming.isQueued = true
        queue.append(node)
    }

    /// The oldest nodes, at most `limit` of them.
    mutating func next() -> [KeyNode] {
        let batch = Array(queue.prefix(limit))
        queue.removeFirst(batch.count)
        if queue.isEmpty { queue = [] }
        for node in batch { node.incoming.isQueued = false }
        return batch
    }

    mutating func removeQueue() {
        for node in queue { node.incoming.isQueued = false }
        queue = []
    }
}
