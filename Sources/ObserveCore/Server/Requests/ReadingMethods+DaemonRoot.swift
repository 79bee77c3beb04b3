// SPDX-License-Identifier: MIT
// The daemon's own figures: `status`, and the root `observed`. Independent of commits.

/// The root `observed` is a separate tree: its changes are not commits, and the patterns of other roots do not match it. While it
/// has subscribers, the hub refreshes it ten times a second. `get` reads a fresh one.
extension ReadingMethods {
    /// The answer of `status`, and the value of the root `observed`.
    /// - Parameter isCoarse: whether `uptime` is in whole seconds, so that subscribers get it once a second, and sizes are in MiB.
    func status(at now: MonotonicTime, isCoarse: Bool = false) -> Value {
        var members: [(name: String, value: Value)] = []
        func add(_ name: String, _ value: Value) { members.append((name, value)) }
        func count(_ name: String, _ count: UInt64) { add(name, .int(Int64(clamping: count))) }
        add("version", .string(version))
        add("capabilities", .array(Method.capabilities.map(Value.string)))
        add("epoch", .string(journaling.epoch))
        count("revision", clients.revision)
        let age = clients.metrics.startedAt.nanoseconds(until: now)
        add("uptime", .double(isCoarse ? Double(age / 1_000_000_000) : Double(age) / 1e9))
        count("connections", UInt64(clients.sessions.count))
        count("subscriptions", UInt64(clients.metrics.subscriptions))
        count("models", UInt64(shown(max(tree.modelCount, 1), in: 1024, isCoarse)))
        count("bindings", UInt64(tree.bindingCount))
        count("bindingsFailing", UInt64(tree.failingBindings))
        count("bindingWritesFailed", tree.failedBindingWrites)
        count("eventsSent", clients.metrics.eventsSent)
        count("eventsCoalesced", clients.metrics.eventsCoalesced)
        count("overflowed", clients.metrics.sessionsOverflowed)
        let waiting = clients.sessions.all.reduce(0) { $0 + $1.output.count }
        count("outboxBytes", UInt64(shown(waiting, in: Hub.mebibyte, isCoarse)))
        add("limits", statusOfLimits(isCoarse: isCoarse))
        if let journal = clients.gate.journal { add("journal", status(of: journal, isCoarse)) }
        return .object(ValueMembers(members))
    }

    private func status(of journal: Journal, _ isCoarse: Bool) -> Value {
        .object(
            ValueMembers([
                ("durability", .string(journal.durability.rawValue)),
                ("failing", .bool(journaling.isFailing)),
                ("bytes", .int(Int64(shown(Int(journal.bytes), in: Hub.mebibyte, isCoarse)))),
                ("snapshotBytes", .int(Int64(shown(Int(journal.snapshotBytes), in: Hub.mebibyte, isCoarse)))),
                ("longestSlice", .double(Double(journaling.longestSlice.time) / 1e6)),
                ("longestSliceWork", .double(Double(journaling.longestSlice.work) / 1e6)),
            ])
        )
    }

    /// A tree with the root `observed` at `now`, for one answer.
    func freshDaemonTree(at now: MonotonicTime) -> ModelTree {
        clients.count(work: Cost.daemonTree)
        return daemonTree(showing: status(at: now))
    }

    /// The tree for subscriptions, made for the first of them.
    func watchedDaemonTree() -> ModelTree {
        if let daemonTree = clients.daemonRoot.tree { return daemonTree }
        let now = clients.clock()
        let fresh = daemonTree(showing: status(at: now, isCoarse: true))
        clients.daemonRoot.show(fresh, to: DaemonRootSink(clients, fresh))
        scheduleDaemonRoot(after: now)
        return fresh
    }

    private func scheduleDaemonRoot(after now: MonotonicTime) {
        guard !clients.daemonRoot.isDue else { return }
        clients.daemonRoot.isDue = true
        clients.schedule(.refreshDaemonRoot, at: now.adding(milliseconds: 100))
    }

    func refreshDaemonRoot(at now: MonotonicTime) {
        clients.daemonRoot.isDue = false
        guard let daemonTree = clients.daemonRoot.tree else { return }
        fill(daemonTree, with: status(at: now, isCoarse: true))
        scheduleDaemonRoot(after: now)
    }

    private func daemonTree(showing status: Value) -> ModelTree {
        let fresh = ModelTree(limits: TreeLimits(), isReadOnly: true)
        fill(fresh, with: status)
        return fresh
    }

    /// Merges the figures into the tree, which notifies observers of those that changed.
    private func fill(_ tree: ModelTree, with status: Value) {
        let text = ByteBuffer()
        status.write(to: text)
        let root = ParsedKeyPath(maxDepth: 1)
        do {
            try root.parse(dotted: "observed")
            let token = try JSONScanner.validate(text.view, maxDepth: 4)
            try tree.commit { () throws(TreeError) in _ = try tree.merge(root, with: token) }
        } catch {
            preconditionFailure("the daemon's own status is not a value: \(error)")
        }
    }
}

/// Tells the clients which tree has changed: their own sink is that of the main tree.
private final class DaemonRootSink: ChangeSink {
    private unowned let clients: Clients
    private unowned let tree: ModelTree

    init(_ clients: Clients, _ tree: ModelTree) {
        self.clients = clients
        self.tree = tree
    }

    func pathChanged(_ change: borrowing PathChange) { clients.pathChanged(change, in: tree) }

    func pathMatched(pattern tag: Int32, _ observer: ObserverID, isMet: Bool) -> Int32 {
        clients.pathMatched(pattern: tag, observer, isMet: isMet, in: tree)
    }

    func changesEnded() { clients.changesEnded() }
    func pathForgotten(_ tag: Int32) { clients.pathForgotten(tag) }
    func patternOverfull(_ tag: Int32) { clients.patternOverfull(tag) }
    func bindingChanged(_ binding: Binding) { clients.bindingChanged(binding) }
}
