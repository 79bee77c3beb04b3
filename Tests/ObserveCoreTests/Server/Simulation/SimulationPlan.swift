// SPDX-License-Identifier: MIT
// The circumstances of a simulated run, which its seed decides: limits, durability, sizes. Independent of its steps.

@testable import ObserveCore

/// What stays the same in all lives of a run.
struct SimulationPlan {
    let durability: Durability
    var limits = ServerLimits()
    /// Whether the loop reads one line at a time.
    let readsLines: Bool
    private let turn: UInt64
    private let round: UInt64
    private let historyLimit: Int
    private let snapshotBytes: Int
    let reservedBytes: Int
    private let fastPath: FastPathSwitch?

    init(seed: UInt64) {
        var random = SeededGenerator(seed: seed ^ 0x91A4)
        func pick<T>(_ choices: [T]) -> T { choices[Int(random.next() % UInt64(choices.count))] }
        durability = pick([.commit, .commit, .commit, .interval, .none])
        readsLines = durability != .none && pick([true, false])
        limits.clients.foldAfterBytes = pick([0, 100, 700, 4000])
        limits.clients.maxOutboxBytes = pick([3000, 12_000, 1 << 20])
        limits.clients.maxLineBytes = pick([600, 4000, 1 << 20])
        limits.clients.maxBufferedBytes = pick([40_000, 200_000, 256 << 20])
        limits.clients.maxConnections = pick([4, 6, 100])
        limits.clients.maxOperations = pick([3, 1000])
        limits.clients.maxSubscriptions = pick([8, 1000])
        limits.tree.maxMatches = pick([12, 1000])
        turn = pick([1, 15, 60, 400, 10_000])
        round = pick([20, 200, 100_000])
        historyLimit = pick([5, 40, 1000])
        snapshotBytes = pick([600, 3000, 30_000])
        reservedBytes = pick([0, 300])
        fastPath = pick([nil, nil, pick(FastPathSwitch.allCases)])
    }

    func apply(to hub: Hub, _ journal: Journal) {
        hub.clients.sessions.turns.turn = turn
        hub.clients.sessions.turns.round = round
        hub.tree.wildcards.fewestPrepared = 2
        hub.tree.history.commitLimit = historyLimit
        journal.rotation.minimumBytes = snapshotBytes
        journal.rotation.mostText = 200
        fastPath?.turnOff(in: hub)
    }
}
