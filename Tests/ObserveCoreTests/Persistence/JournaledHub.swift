// SPDX-License-Identifier: MIT
// A hub with a journal on a simulated disk, which tests end and restart. Independent of the requests.

@testable import ObserveCore

/// One disk, and the hub that uses it now.
final class JournaledHub {
    private(set) var disk: SimulatedDisk
    private(set) var hub: Hub
    let clock = TestClock()
    let durability: Durability
    /// With 0, the journal reserves no more than each commit needs.
    private let reservedBytes: Int
    private(set) var boot = "boot"
    private(set) var notes: [String] = []
    private var clients: [UInt64: FakeClient] = [:]
    /// Declares the types before each start.
    private let declare: (ModelTree) throws -> Void

    init(
        _ durability: Durability = .interval,
        on disk: SimulatedDisk = SimulatedDisk(seed: 1),
        reserving reservedBytes: Int = 1 << 20,
        declaring declare: @escaping (ModelTree) throws -> Void = { _ in }
    ) throws {
        self.declare = declare
        self.disk = disk
        self.durability = durability
        self.reservedBytes = reservedBytes
        hub = Hub(limits: ServerLimits(), now: clock.now)
        try begin()
    }

    private func begin(after breakage: Breakage? = nil) throws {
        clients = [:]
        hub = Hub(limits: ServerLimits(), now: clock.now, clock: { [clock] in clock.now })
        hub.clients.writer.timeOfDay = { [clock] in clock.timeOfDay }
        try declare(hub.tree)
        var conditions = StartConditions(
            durability: durability,
            boot: boot,
            clockOffset: 1_000_000,
            freshEpoch: hub.journaling.epoch
        )
        conditions.end = breakage?.place
        conditions.reservedBytes = reservedBytes
        let opened = try Recovery.open(hub.tree, on: disk, conditions)
        notes = opened.notes
        hub.journaling.keep(opened.journal)
        if let breakage { hub.journaling.resume(after: breakage) }
    }

    /// Continues on the same disk, which is broken.
    func succeed() throws {
        let breakage = hub.journaling.breakage
        disk.dropWork()
        try begin(after: breakage)
    }

    var tree: ModelTree { hub.tree }
    var dump: String { hub.tree.stateDump }

    func client(_ number: UInt64 = 1) -> FakeClient {
        if let known = clients[number] { return known }
        let fresh = FakeClient(hub, token: number)
        clients[number] = fresh
        return fresh
    }

    /// The last line after a request, without its head.
    @discardableResult
    func ask(_ method: String, _ params: String, _ number: UInt64 = 1) -> String {
        let lines = client(number).ask(#"{"id":1,"method":"\#(method)","params":{\#(params)}}"#)
        return lines.last.map { String($0.dropFirst(#"{"jsonrpc":"2.0","id":1,"#.count).dropLast()) } ?? ""
    }

    func value(_ path: String) -> String {
        let answer = ask("get", #""path":"\#(path)""#, 9)
        let start = answer.range(of: #""value":"#).map(\.upperBound) ?? answer.startIndex
        let end = answer.range(of: #","revision""#).map(\.lowerBound) ?? answer.endIndex
        return start <= end ? String(answer[start..<end]) : answer
    }

    /// Ends normally, and starts again.
    func restart() throws {
        for client in clients.values { client.close() }
        hub.journaling.closeJournal()
        try begin()
    }

    /// Kills the hub, and starts a new one.
    func kill() throws {
        disk = disk.afterKill()
        try begin()
    }

    /// Loses the power: only synced data remains.
    func losePower(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        disk = disk.afterPowerLoss(&random)
        boot += "'"
        try begin()
    }

    /// Syncs all files, and starts again after a power loss, which takes nothing.
    func rebootSynced() throws {
        for name in try disk.names() { try disk.sync(name) }
        try disk.syncNames()
        try losePower(seed: 1)
    }

    /// Begins the next journal, and a snapshot that never ends.
    func beginNextJournal() throws {
        guard let journal = hub.clients.gate.journal else { return }
        try disk.make(StateFile.journal(journal.file.number + 1))
        try journal.beginNextJournal()
    }

    /// Does the journal's work until `isReached` holds, and leaves that work pending.
    func work(until isReached: () -> Bool) {
        guard let journal = hub.clients.gate.journal else { return }
        while true {
            if journal.popWork(isSyncDue: false) != nil {
                if isReached() { return }
                journal.finish(disk.doWork())
            }
            journal.step { true }
        }
    }

    /// Writes a whole snapshot and does all work that follows.
    ///
    /// - Parameter meanwhile: runs after the snapshot has begun, before its first write.
    func snapshot(_ meanwhile: () -> Void = {}) throws {
        guard let journal = hub.clients.gate.journal else { return }
        let first = journal.rotation.firstNumber
        var isBegun = false
        journal.rotation.isWanted = true
        while journal.rotation.firstNumber == first {
            if journal.popWork(isSyncDue: true) != nil {
                if let error = disk.doWork() { throw error }
                journal.finish(nil)
            }
            if journal.wantsStep { journal.step { true } }
            if journal.snapshot != nil, !isBegun {
                isBegun = true
                meanwhile()
                hub.journaling.flushBatch()
            }
        }
    }
}

extension JournaledHub {
    /// The hub's journal, which stands in a component that can't be copied into an expectation.
    var openJournal: Journal? { hub.clients.gate.journal }
}
