// SPDX-License-Identifier: MIT
// A hub whose commits are kept on a simulated disk, ended and begun again at will. Knows nothing of what is written.

@testable import ObserveCore

/// One disk and the hub that lives on it now.
final class KeptHub {
    private(set) var disk: SimulatedDisk
    private(set) var hub: Hub
    let clock = TestClock()
    let durability: Durability
    private var boot = "boot"
    private(set) var notes: [String] = []
    private var clients: [UInt64: FakeClient] = [:]

    init(_ durability: Durability = .interval, on disk: SimulatedDisk = SimulatedDisk(seed: 1)) throws {
        self.disk = disk
        self.durability = durability
        hub = Hub(limits: ServerLimits(), now: clock.now)
        try begin()
    }

    private func begin() throws {
        clients = [:]
        hub = Hub(limits: ServerLimits(), now: clock.now, clock: { [clock] in clock.now })
        let conditions = StartConditions(
            durability: durability,
            boot: boot,
            clockOffset: 1_000_000,
            freshEpoch: hub.epoch
        )
        let opened = try Recovery.open(hub.tree, on: disk, conditions)
        notes = opened.notes
        hub.keep(opened.journal)
    }

    var tree: ModelTree { hub.tree }
    var dump: String { hub.tree.stateDump }

    func client(_ number: UInt64 = 1) -> FakeClient {
        if let known = clients[number] { return known }
        let fresh = FakeClient(hub, token: number)
        clients[number] = fresh
        return fresh
    }

    /// The last line that comes of a request.
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

    /// Ends as it should, and begins again.
    func restart() throws {
        for client in clients.values { client.close() }
        hub.closeJournal()
        try begin()
    }

    /// Is killed, and begins again.
    func kill() throws {
        disk = disk.afterKill()
        try begin()
    }

    /// The power is lost with nothing but what was synced.
    func losePower(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        disk = disk.afterPowerLoss(&random)
        boot += "'"
        try begin()
    }

    /// Writes a whole snapshot and does all that follows from it.
    ///
    /// - Parameter meanwhile: what happens after it was begun, and before anything of it is written down.
    func snapshot(_ meanwhile: () -> Void = {}) throws {
        guard let journal = hub.journalGate.journal else { return }
        let first = journal.firstNumber
        var isBegun = false
        journal.isSnapshotWanted = true
        while journal.firstNumber == first {
            if journal.popWork(isSyncDue: true) != nil {
                if let error = disk.doWork() { throw error }
                journal.finish(nil)
            }
            if journal.wantsStep { journal.step { true } }
            if journal.snapshot != nil, !isBegun {
                isBegun = true
                meanwhile()
            }
        }
    }
}

extension String {
    /// Where a part begins and ends; without Foundation.
    fileprivate func range(of part: String) -> Range<String.Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(part) { return start..<index(start, offsetBy: part.count) }
            start = index(after: start)
        }
        return nil
    }
}
