// SPDX-License-Identifier: MIT
// What the program around a server does with its tree, its state and its settings. Slow disk work runs on a queue of its own.

internal import Dispatch

extension EventLoop {
    /// Runs `body` with the tree: to build models before clients are served, or to read it.
    package func withTree<R, E: Error>(_ body: (ModelTree) throws(E) -> R) throws(E) -> R {
        clients.noteTime()
        return try body(hub.tree)
    }

    /// See ``Journaling/change(_:)``.
    package func change(_ body: (ModelTree) -> Void) throws(DiskError) { try journaling.change(body) }

    /// Adopts other limits. Open connections keep their `maxLineBytes`, and the tree its `maxDepth`.
    package func adopt(_ limits: ServerLimits) { clients.adopt(limits) }

    /// Adopts other access rules, and ends the connections that the former ones admitted.
    package func adopt(_ rules: AccessRules) { hub.adopt(rules) }

    package var admitsOthers: Bool { listener?.admitsOthers ?? false }

    /// Whether this process made the socket's file: then it gives it the mode, and not the service manager.
    package var ownsSocket: Bool { listener?.file != nil }

    // MARK: State

    /// Restores the empty tree from the disk, and keeps its state there from now on. Call it before clients are served.
    /// - Parameter end: where the commits end that the broken disk of the former program has kept.
    /// - Returns: sentences for the log.
    package func keepState(
        on disk: any StateDisk,
        _ durability: Durability,
        salvages: Bool,
        upTo end: JournalPlace? = nil
    ) throws(StateError) -> [String] {
        var conditions = StartConditions(
            durability: durability,
            boot: Platform.boot,
            clockOffset: Platform.clockOffset,
            freshEpoch: journaling.epoch
        )
        conditions.salvages = salvages
        conditions.end = end
        let (journal, notes) = try Recovery.open(hub.tree, on: disk, conditions)
        let queue = DispatchQueue(label: "observed.journal")
        journaling.worker = { [mailbox] work in
            queue.async {
                let error = work()
                mailbox.post { $0.journaling.finishJournalWork(error) }
            }
        }
        journaling.keep(journal)
        return notes + (hub.tree.reader.declarations?.faultyTemplates(hub.tree.limits) ?? [])
    }

    /// Restores the empty tree from a copy of the files of a folder, and keeps nothing.
    package func restore(from files: [String: [UInt8]], salvages: Bool) throws(StateError) {
        _ = try keepState(on: MemoryDisk(files), .none, salvages: salvages)
    }

    /// Flushes the open batch, and returns why the journal had no room for a commit, if so. Throws if it is broken.
    package func flushState() throws(DiskError) -> DiskError? {
        let refusal = journaling.refusals.pop() ? clients.gate.diskError : nil
        guard journaling.flushBatch() else { throw clients.gate.diskError }
        return refusal
    }

    /// Saves a dump of the tree beside the state, between commits. Returns the file's name; nil if no state is kept.
    package func saveDump() throws(DiskError) -> String? { try clients.gate.journal?.saveDump(of: hub.tree) }

    // MARK: Handing over

    /// Restores the tree from a handover, before clients are served: instead of keeping the state if it has the tree, else after.
    package func restore(from handover: Handover) throws(StateError) {
        try journaling.restore(from: handover)
    }

    /// The tree with its history, for the next program's check: see ``restore(from:)``.
    package func handover() -> [UInt8] { journaling.handover(socket: nil, withTree: true) }

    /// What the next program needs, after ``run()`` has returned for an upgrade: the listener's descriptor, and the text of
    /// a ``Handover``. Nil if the server has ended instead.
    ///
    /// - Parameter withTree: false if the next program reads the tree from the state's folder.
    /// - Parameter configuration: the text of the configuration that stays in force, if the disk is broken.
    package func handover(withTree: Bool, configuration: [UInt8]) -> (listener: Int32, text: [UInt8])? {
        guard let listener else { return nil }
        guard let breakage
        else { return (listener.number, journaling.handover(socket: listener.file, withTree: withTree)) }
        let text = Handover.text(
            after: breakage,
            epoch: journaling.epoch,
            socket: listener.file,
            configuration: configuration
        )
        return (listener.number, text)
    }

    /// What a broken disk has kept, after ``run()`` has returned; nil if the server has ended for another reason.
    package var breakage: Breakage? { journaling.breakage }
}
