// SPDX-License-Identifier: MIT
// Runs a hub, its journal and a simulated disk by a seed: requests, batches, snapshots, failures, crashes.

@testable import ObserveCore

/// Successive hubs on one disk. Each starts with the files that the previous one left at a random step.
final class SimulationRun {
    let seed: UInt64
    let durability: Durability
    var random: SeededGenerator
    var writes: StateWrites
    var disk: SimulatedDisk
    var hub: Hub?
    var clients: [FakeClient] = []
    let clock = TestClock()
    let isTyped: Bool

    /// The allowed states after a kill: the last flushed one, and all later ones.
    var candidates: [String] = []
    /// The allowed states after a power loss: the last synced one, and all later ones.
    var powerCandidates: [String] = []
    /// The percentage of steps to check.
    let density: Int
    var crashPoints = 0
    private(set) var commits = 0
    private(set) var breakages = 0
    /// The states that a start may find until a broken disk is proved: after a kill, and after a loss of power.
    var dropped: (kill: [String], power: [String]) = ([], [])
    private(set) var snapshots = 0
    /// The state that the snapshot under way has.
    private var snapshotState: String?
    var lineChecks = 0
    /// How often an epoch ended although no commit was lost.
    var epochsEnded = 0
    private(set) var fault: String?
    var isLookingAt = false
    var lives = 0
    var boots = 0
    var log: [String] = []

    init(seed: UInt64, density: Int = 100) {
        self.seed = seed
        self.density = density
        random = SeededGenerator(seed: seed ^ 0x5EED)
        writes = StateWrites(seed: seed)
        disk = SimulatedDisk(seed: seed &+ 7)
        durability = [Durability.commit, .interval, .interval, .none, .commit][Int(seed % 5)]
        isTyped = seed % 4 == 1
    }

    func below(_ limit: Int) -> Int { Int(random.next() % UInt64(max(limit, 1))) }

    /// Runs until that many commits. Returns the first fault.
    func run(commits limit: Int) -> String? {
        begin()
        while commits < limit, fault == nil {
            batch()
            if below(12) == 0 { housekeep() }
            if below(30) == 0 { disk.isFull.toggle() }
            if below(60) == 0 { crash() }
        }
        hub = nil
        return fault.map {
            "seed \(seed), \(durability), life \(lives), commit \(commits): \($0)\n"
                + log.suffix(12).joined(separator: "\n") + "\n"
                + disk.journal.suffix(25).joined(separator: "\n")
        }
    }

    // MARK: Lives

    static func makeHub(_ clock: TestClock, isTyped: Bool) -> Hub {
        let hub = Hub(limits: ServerLimits(), now: clock.now, clock: { clock.now })
        hub.clients.writer.timeOfDay = { clock.timeOfDay }
        if isTyped { declare(in: hub.tree) }
        return hub
    }

    private static func declare(in tree: ModelTree) {
        var film = TypeDeclaration("Film", [])
        film.properties = [
            PropertyDeclaration("a", "Int"), PropertyDeclaration("b", "String?"),
            PropertyDeclaration("w", "weak Film?"), PropertyDeclaration("c", "Film?"),
        ]
        var title = PropertyDeclaration("title", "String")
        title.computed = "{a}: {b} {w.a}"
        film.properties.insert(title, at: 1)
        let faults = tree.declare([film])
        precondition(faults.isEmpty, "\(faults)")
        do { try tree.declare(root: "t", type: "[String: Film]") } catch { fatalError("\(error)") }
    }

    func conditions(_ boot: String, upTo end: JournalPlace? = nil) -> StartConditions {
        var conditions = StartConditions(
            durability: durability,
            boot: boot,
            clockOffset: 1_000_000,
            freshEpoch: "e\(lives).\(crashPoints)"
        )
        conditions.end = end
        conditions.reservedBytes = 300
        return conditions
    }

    /// Proves the disk, maybe after failures. Until then a start may find what was dropped.
    func prove(_ journal: Journal, _ hub: Hub, after breakage: Breakage) throws {
        if hub.tree.revision != breakage.revision, durability != .none {
            return fail("the successor finds revision \(hub.tree.revision), not \(breakage.revision)")
        }
        if durability != .none, !dropped.kill.contains(candidates[0]) {
            return fail("the successor finds what never was: \(candidates[0])")
        }
        let found = candidates
        candidates = dropped.kill + found
        powerCandidates = dropped.power + found
        disk.failures = [0, 60, 200][below(3)]
        disk.afterStep = { [unowned self] in look() }
        self.hub = hub
        for _ in 0..<5 where journal.needsProof {
            try? journal.prove()
            if !journal.needsProof { break }
            let refused = FakeClient(hub, token: 99)
            refused.push(#"{"id":1,"method":"set","params":{"path":"p","value":1}}"#)
            if !refused.take().allSatisfy({ $0.contains(#""code":8"#) }) { fail("a write before the proof") }
            refused.close()
        }
        disk.failures = 0
        try journal.prove()
        disk.afterStep = nil
        candidates = found
        powerCandidates = found
    }

    func begin(after breakage: Breakage? = nil) {
        lives += 1
        let hub = SimulationRun.makeHub(clock, isTyped: isTyped)
        disk.failures = 0
        disk.isFull = false
        do {
            let opened = try Recovery.open(
                hub.tree,
                on: disk,
                conditions("boot \(boots)", upTo: breakage?.place)
            )
            candidates = [hub.tree.stateDump]
            opened.journal.rotation.minimumBytes = 600 + below(3000)
            opened.journal.rotation.mostText = 20 + below(600)
            opened.journal.file.largestPiece = below(3) * below(400)
            powerCandidates = candidates
            hub.journaling.keep(opened.journal) { noteState(hub) }
            if let breakage { try prove(opened.journal, hub, after: breakage) }
        } catch { return fail("the start failed: \(error)") }
        hub.journaling.worker = { _ in }
        self.hub = hub
        noteState(hub)
        clients = (1...3).map { FakeClient(hub, token: UInt64($0)) }
        for (index, path) in ["r.**", "s", "*.a", "t.**"].enumerated() {
            clients[index % 3].push(#"{"id":0,"method":"subscribe","params":{"path":"\#(path)"}}"#)
        }
        for root in ["r", "s"]
        where ByteView.with(root, { hub.tree.records.presentProperty(hub.tree.records.root, $0) }) == nil {
            clients[0].push(
                #"{"id":0,"method":"set","params":{"path":"\#(root)","value":{"a":{},"list":[{}]}}}"#
            )
            noteState(hub)
        }
        if isTyped {
            clients[0].push(#"{"id":0,"method":"set","params":{"path":"t.a","value":{"a":1}}}"#)
            noteState(hub)
        }
        flushAll(hub)
        disk.failures = [0, 2, 8, 30][below(4)]
        disk.afterStep = { [unowned self] in look() }
    }

    func noteState(_ hub: Hub) {
        let dump = hub.tree.stateDump
        if candidates.last != dump { candidates.append(dump) }
        if powerCandidates.last != dump { powerCandidates.append(dump) }
    }

    /// The journal records the end of a binding before it ends.
    func noteUnbound(_ hub: Hub) {
        let first = hub.tree.dependents.bindings.byNumber.keys.min()
        let dump = hub.tree.stateDump { $0.number != first }
        candidates.append(dump)
        powerCandidates.append(dump)
    }

    /// Executes several requests of several clients, then flushes their batch.
    func batch() {
        guard let hub else { return }
        for _ in 0..<(1 + below(5)) {
            let line = writes.request(in: hub.tree)
            log.append(line)
            if log.count > 40 { log.removeFirst(20) }
            if line.contains("unbind") { noteUnbound(hub) }
            clients[below(3)].push(line)
            noteState(hub)
            commits += 1
        }
        if below(4) == 0 { clock.pass(milliseconds: 40, in: hub) { self.noteState(hub) } }
        if below(25) == 0 {
            let index = below(3)
            clients[index].close()
            clients[index] = FakeClient(hub, token: 10 + UInt64(commits))
            noteState(hub)
        }
        flushAll(hub)
    }

    /// The disk is broken: the next hub continues from it.
    func succeed(_ hub: Hub) {
        guard let breakage = hub.journaling.breakage, hub === self.hub else { return }
        breakages += 1
        let faults = hub.tree.faults()
        if !faults.isEmpty { fail("at the breakage: \(faults)") }
        disk.afterStep = nil
        dropped = (candidates, powerCandidates)
        clients = []
        self.hub = nil
        disk.dropWork()
        begin(after: breakage)
    }

    func flushAll(_ hub: Hub) {
        let isFlushed = hub.journaling.flushBatch()
        let dump = hub.tree.stateDump
        if !isFlushed {
            return succeed(hub)
        } else if hub.clients.gate.journal?.needsFlush == false, hub.clients.gate.journal?.failure == nil {
            // While the disk fails, a restart may find refused commits. Under `none`, unwritten commits may be
            // missing.
            if durability != .none || hub.clients.gate.journal?.batch.isEmpty == true { candidates = [dump] }
            if durability == .commit, hub.clients.gate.journal?.failure == nil { powerCandidates = [dump] }
        }
        for client in clients {
            for line in client.take() where line.contains("-32603") { fail(line) }
        }
    }

    /// Does the journal's other work, between batches or within one.
    func housekeep() {
        guard let hub, let journal = hub.clients.gate.journal else { return }
        for _ in 0..<below(30) {
            if journal.wantsStep {
                var left = 1 + below(4)
                journal.snapshot?.view.lineBytes = 1 + below(200)
                let isUnderWay = journal.snapshot != nil
                _ = journal.step {
                    left -= 1
                    return left <= 0
                }
                if !isUnderWay, journal.snapshot != nil { snapshotState = hub.tree.stateDump }
                if journal.isBroken {
                    hub.journaling.breakOff()
                    return succeed(hub)
                }
            }
            // Small slices of a snapshot would take too much time.
            if !hub.clients.gate.needsFlush, below(2) == 0 { work(journal, hub) }
            // Requests continue in between.
            if below(6) == 0 { batch() }
            if self.hub !== hub { return }
        }
        if durability == .none, !hub.clients.gate.needsFlush, below(2) == 0 {
            hub.journaling.syncJournal()
            flushAll(hub)
        }
        if !hub.clients.gate.needsFlush { work(journal, hub) }
    }

    func work(_ journal: Journal, _ hub: Hub) {
        guard journal.popWork(isSyncDue: below(2) == 0) != nil else { return }
        let (isSnapshot, isSync) =
            switch journal.isWorking {
            case .snapshot: (true, false)
            case .sync: (false, true)
            default: (false, false)
            }
        // Under `none`, a batch that is not written yet is in no file.
        let safe = journal.batch.isEmpty ? hub.tree.stateDump : nil
        if below(3) == 0 { batch() }
        if self.hub !== hub { return }
        let error = disk.doWork()
        // Not by way of the hub, which would hand out the next work at once.
        journal.finish(error)
        if journal.isBroken {
            hub.journaling.breakOff()
            return succeed(hub)
        }
        if error == nil, isSnapshot { snapshots += 1 }
        let safest = isSnapshot ? snapshotState : isSync && journal.failure == nil ? safe : nil
        if error == nil, let index = safest.flatMap(powerCandidates.lastIndex) {
            powerCandidates.removeFirst(index)
        }
    }

    // MARK: Ends

    /// Ends the process, and starts the next.
    func crash() {
        let isPowerLost = below(2) == 0
        let image = isPowerLost ? disk.afterPowerLoss(&random) : disk.afterKill()
        clients = []
        hub = nil
        if isPowerLost { boots += 1 }
        image.random = disk.random
        disk = image
        begin()
    }

    func fail(_ sentence: String) { if fault == nil { fault = sentence } }
}
