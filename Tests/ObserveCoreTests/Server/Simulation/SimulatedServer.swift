// SPDX-License-Identifier: MIT
// One life of a server on a simulated disk: the real hub, journal and event loop, until an end or a crash.

@testable import ObserveCore
@testable import ObserveModels

/// A hub with its event loop, from a start to its end.
///
/// Its disk work runs when the simulation says so, and reports through the loop's mailbox, as the real queues do.
final class SimulatedServer {
    let hub: Hub
    let loop: EventLoop
    let system: SimulatedSystem
    let disk: SimulatedDisk
    let journal: Journal
    let history: SimulatedHistory
    private let mailbox: Mailbox
    private let digest: RunDigest
    private var worksWaiting = 0
    private let probe: CommitProbe
    /// The steps of the disk before the next crash; nil for none.
    var stepsToCrash: Int?
    /// The files that a crash left.
    private(set) var remains: SimulatedDisk?
    private(set) var isPowerLost = false
    private var random: SeededGenerator
    /// Whether the disk may have failed in this life.
    var mayFail = false

    /// What a life depends on besides its disk.
    struct Conditions {
        var seed: UInt64
        var plan: SimulationPlan
        var boot: String
        var life: Int
        /// Whether no commit may be lost that a client has seen.
        var keepsEpoch: Bool
        /// Whether the epoch may end although none is lost: the power may have taken pages of the last batch, which lies in zeros
        /// that were on the disk.
        var mayEndEpoch = false
        /// How the life before has ended, if its disk broke.
        var breakage: Breakage?
    }

    init(
        on disk: SimulatedDisk,
        _ conditions: Conditions,
        after last: SimulatedHistory?,
        _ clock: SimulatedClock,
        _ digest: RunDigest
    ) throws {
        let plan = conditions.plan
        self.disk = disk
        self.digest = digest
        random = SeededGenerator(seed: conditions.seed)
        disk.random = SeededGenerator(seed: conditions.seed &+ 1)
        hub = Hub(limits: plan.limits, now: clock.now, clock: { clock.now })
        hub.clients.writer.timeOfDay = { clock.timeOfDay }
        hub.clients.writer.process = PeerCredentials(pid: 1, uid: 1, gid: 1)
        var start = StartConditions(
            durability: plan.durability,
            boot: conditions.boot,
            clockOffset: clock.offset,
            freshEpoch: "e\(conditions.life)"
        )
        start.end = conditions.breakage?.place
        start.reservedBytes = plan.reservedBytes
        journal = try Recovery.open(hub.tree, on: disk, start).journal
        history = try SimulatedServer.continued(last, journal.epoch, hub.tree, conditions)
        plan.apply(to: hub, journal)
        system = try SimulatedSystem(clock, seed: conditions.seed &+ 2, readsLines: plan.readsLines, digest)
        mailbox = try Mailbox()
        loop = try EventLoop(hub: hub, pacing: .embedded, mailbox: mailbox, system: system)
        probe = CommitProbe(hub.tree, history)
        hub.journaling.worker = { [unowned self] _ in worksWaiting += 1 }
        hub.journaling.keep(journal) { [history, hub] in history.note(hub.tree) }
        hub.tree.add(probe)
        if let breakage = conditions.breakage {
            hub.journaling.resume(after: breakage)
            mayFail = true
        }
        system.beforeRead = { [unowned self] in note() }
        disk.afterStep = { [unowned self] in diskDidStep() }
        note()
    }

    /// The history that the start continues, or the one that it begins.
    private static func continued(
        _ last: SimulatedHistory?,
        _ epoch: String,
        _ tree: ModelTree,
        _ conditions: Conditions
    ) throws -> SimulatedHistory {
        guard let last else { return SimulatedHistory(epoch: epoch, tree) }
        let isKept = last.epoch == epoch
        if isKept != conditions.keepsEpoch, !(conditions.keepsEpoch && conditions.mayEndEpoch) {
            throw SimulationFault("the epoch \(last.epoch) came to be \(epoch)")
        }
        if conditions.keepsEpoch, tree.revision < last.seen {
            throw SimulationFault("revision \(last.seen) was acknowledged; the start finds \(tree.revision)")
        }
        if let breakage = conditions.breakage, isKept, tree.revision != breakage.revision {
            throw SimulationFault(
                "the disk kept revision \(breakage.revision); the start finds \(tree.revision)"
            )
        }
        if !last.resume(tree, mayFindLater: conditions.breakage != nil) {
            let known = last.dumps(tree.revision).joined(separator: "or\n")
            let found = SimulatedHistory.dump(of: tree)
            throw SimulationFault("the start finds a state that never was:\n\(found)known:\n\(known)")
        }
        return isKept ? last : SimulatedHistory(epoch: epoch, tree)
    }

    private func below(_ limit: Int) -> Int { Int(random.next() % UInt64(max(limit, 1))) }

    /// Notes the state of the tree if no commit is under way.
    func note() { if hub.tree.isBetweenCommits { history.note(hub.tree) } }

    // MARK: Work of other threads

    /// Lets the disk work that another thread has finish, and maybe a sync in flight.
    func finishWork() {
        guard !system.isDead else { return }
        if worksWaiting > 0, below(2) == 0 {
            worksWaiting -= 1
            let error = disk.doWork()
            mailbox.post { $0.hub.journaling.finishJournalWork(error) }
            system.hasMail = true
        }
    }

    // MARK: Crashes

    private func diskDidStep() {
        digest.add(disk.journal.last ?? "")
        note()
        guard let left = stepsToCrash, !system.isDead else { return }
        stepsToCrash = left - 1
        if left <= 0 { crash() }
    }

    /// Ends the process, or the power, at this moment.
    func crash() {
        guard !system.isDead else { return }
        system.isDead = true
        isPowerLost = below(2) == 0
        let image = isPowerLost ? disk.afterPowerLoss(&random) : disk.afterKill()
        remains = image
        digest.add(isPowerLost ? "the power fails" : "the process is killed")
    }

    /// Drops everything that the dead process has.
    func bury() {
        disk.afterStep = nil
        system.beforeRead = {}
        system.beforeWait = {}
        system.willClose = { _, _ in }
        hub.tree.remove(probe)
        for socket in system.sockets.values { socket.closeServer() }
        hub.journaling.worker = nil
        hub.tree.stopRecording()
    }
}

/// A violated invariant.
struct SimulationFault: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Notes the state before each commit, also of several in one read.
private final class CommitProbe: PreUpdateHook {
    private unowned let tree: ModelTree
    private let history: SimulatedHistory

    init(_ tree: ModelTree, _ history: SimulatedHistory) {
        self.tree = tree
        self.history = history
    }

    private func note() { if tree.isBetweenCommits { history.note(tree) } }

    func willAssign(_ id: PropertyID) { note() }
    func willReorder(_ model: ModelID) { note() }
    func didRestore(_ model: ModelID) {}
    func didRelease(_ model: ModelID) {}
    func willChangeTypes() { note() }
}

extension ModelTree {
    /// Whether the open commit, if there is one, has changed nothing yet that the roots lead to.
    var isBetweenCommits: Bool {
        pending.touches.isEmpty && pending.orderChanges.isEmpty && pending.releasedModels.isEmpty
            && !pending.hasChanged && stacks.saved.isEmpty
    }
}
