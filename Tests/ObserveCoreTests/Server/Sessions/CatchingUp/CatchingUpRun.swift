// SPDX-License-Identifier: MIT
// One seed: a hub, clients that are slow, deaf or prompt, one that writes, and their random steps.

import Testing

@testable import ObserveCore

/// What a seed has.
struct CatchingUpPlan {
    let seed: UInt64

    /// Some subscriptions have `throttle` or `debounce`.
    var isPaced: Bool { seed % 2 == 1 }
    /// Weak references, and no overlapping patterns, which would match them differently.
    var hasWeak: Bool { seed % 3 == 0 }
    /// The units of a turn; nil for turns without an end.
    var turn: UInt64? { seed % 4 == 2 ? [1, 4, 12, 60][Int(seed / 4 % 4)] : nil }
    /// The truth has each revision, also if several commits come at once.
    var hasHook: Bool { seed % 5 > 0 }

    var limits: ServerLimits {
        var limits = ServerLimits()
        limits.clients.foldAfterBytes = [0, 100, 700][Int(seed / 2 % 3)]
        limits.clients.maxOutboxBytes = [12_000, 3000, 1 << 20][Int(seed / 3 % 3)]
        return limits
    }
}

/// One of the clients, with its oracle.
final class CatchingUpClient {
    let client: SlowClient
    let oracle: CatchingUpOracle
    /// It reads nothing until the end.
    var isDeaf = false
    var hasSlept = false
    var lastID: Int64 = 0
    var lastSubscription: Int64 = 0
    var subscriptions: [Int64] = []

    init(_ hub: Hub, _ token: UInt64, _ truth: CatchingUpTruth) {
        client = SlowClient(hub, token: token)
        oracle = CatchingUpOracle("client \(token)", truth)
    }
}

struct CatchingUpRun: SeededRun, RandomModels {
    let plan: CatchingUpPlan
    let hub: Hub
    let clock = TestClock()
    let truth: CatchingUpTruth
    let writer: FakeClient
    /// Sets values with the lifetime of its connection, and goes.
    var holder: FakeClient
    var clients: [CatchingUpClient] = []
    var random: SeededGenerator
    var fault: String?
    var log: [String] = []
    var lastToken: UInt64 = 10
    var lastModel = 0
    var counter = 0
    var now: UInt64 = 0
    var figures = CatchingUpFigures()
    /// Of these, in a paced run, none ever sleeps, so that their times can be checked.
    static let prompt = 2

    init(seed: UInt64) {
        plan = CatchingUpPlan(seed: seed)
        random = SeededGenerator(seed: seed)
        let roots = [
            ("s", #"{"id":0,"n":0}"#), ("a", #"{"id":-1,"m":{"id":-2,"k":1}}"#), ("c", #"{"id":-3}"#),
        ]
        hub = Hub.with(roots, limits: plan.limits, clock: clock)
        // Of a length that is the same in each run.
        hub.journaling.epoch = "epoch"
        if let turn = plan.turn { hub.clients.sessions.turns.turn = turn }
        truth = CatchingUpTruth(hub)
        if plan.hasHook { truth.follow() }
        writer = FakeClient(hub, token: 1)
        holder = FakeClient(hub, token: 2)
        for _ in 0..<5 { addClient() }
        clients[4].isDeaf = true
    }

    @discardableResult
    mutating func addClient() -> CatchingUpClient {
        lastToken += 1
        let client = CatchingUpClient(hub, lastToken, truth)
        clients.append(client)
        return client
    }

    mutating func note(_ text: String) {
        log.append("r\(hub.tree.revision) \(now)ms \(text)")
        if log.count > 200 { log.removeFirst(100) }
    }

    // MARK: Steps

    mutating func step() {
        if below(plan.isPaced ? 3 : 12) == 0 { pass(pick([1, 2, 5, 15, 40])) }
        switch below(100) {
        case 0..<55: write()
        case 55..<80: act(on: pick(clients))
        default: sleepOrWake(pick(clients))
        }
        finishTurn()
    }

    /// Lets time pass by the millisecond.
    mutating func pass(_ milliseconds: Int) {
        note("\(milliseconds) ms pass")
        for _ in 0..<milliseconds where fault == nil {
            now += 1
            truth.now = now
            let revision = hub.tree.revision
            for client in clients { client.oracle.pacedFrames = [:] }
            clock.pass(milliseconds: 1, in: hub)
            truth.record()
            finishTurn()
            guard fault == nil, hub.tree.revision == revision else { continue }
            for client in clients where client.oracle.conditions.isPrompt {
                if let (number, count) = client.oracle.pacedFrames.first(where: { $0.value > 1 }) {
                    fail("subscription \(number) has \(count) frames at one moment", client)
                }
            }
        }
    }

    /// Does something with one client, in a turn of its own.
    mutating func serve(_ client: CatchingUpClient, _ body: (SlowClient) -> Void) {
        if plan.turn != nil { hub.clients.beginTurn() }
        body(client.client)
        if plan.turn != nil { hub.clients.endTurn() }
        truth.record()
    }

    /// All clients read, and their lines are checked. Those that are over get successors, whose writes are read
    /// before time passes, too.
    mutating func finishTurn() {
        read()
        guard fault == nil, clients.contains(where: \.oracle.isOver) else { return }
        for client in clients where client.oracle.isOver {
            figures.overflows += 1
            replace(client)
        }
        read()
    }

    private mutating func read() {
        for client in clients {
            serve(client) { $0.drain() }
            check(client)
        }
    }

    mutating func check(_ client: CatchingUpClient) {
        guard fault == nil else { return }
        client.oracle.conditions.now = now
        client.oracle.conditions.isPrompt = !client.hasSlept && plan.turn == nil
        client.oracle.conditions.hasShortTurns = plan.turn != nil
        client.oracle.conditions.hasLongFrames =
            plan.turn != nil || plan.limits.clients.maxOutboxBytes < 1 << 20
        if let fault = client.oracle.read(client.client.take()) { fail(fault, client) }
    }

    mutating func fail(_ text: String, _ client: CatchingUpClient) {
        let steps = log.suffix(30).joined(separator: "\n  ")
        let lines = client.oracle.lines.suffix(30).joined(separator: "\n  ")
        fault =
            "\(client.oracle.context): \(text)\nat r\(hub.tree.revision), after these steps:\n  \(steps)\nand its lines:\n  \(lines)"
    }

    // MARK: Quiet

    /// Wakes all clients that are not deaf, or really all, and lets more time pass than any delay.
    mutating func letItBeQuiet(all: Bool = false) {
        note("quiet")
        for client in clients where all || !client.isDeaf { wake(client, .max) }
        // In short turns the requests take several.
        for _ in 0..<5000 where fault == nil {
            finishTurn()
            // A client that took the place of another may sleep.
            for client in clients where client.client.room == 0 && (all || !client.isDeaf) {
                wake(client, .max)
            }
            if !clients.contains(where: { (all || !$0.isDeaf) && !$0.oracle.expected.isEmpty }) { break }
        }
        pass(250)
        for client in clients where fault == nil && (all || !client.isDeaf) && !client.oracle.isOver {
            if !client.oracle.expected.isEmpty {
                fail("\(client.oracle.expected.count) lines unanswered", client)
            }
            let revision = hub.tree.revision
            if let fault = client.oracle.barrier(revision...revision, isQuiet: true) {
                fail("when it is quiet: \(fault)", client)
            }
        }
    }

    mutating func finish() {
        letItBeQuiet(all: true)
        for client in clients where fault == nil {
            send(to: client, ping(client))
            finishTurn()
        }
        letItBeQuiet(all: true)
        truth.leave()
        for client in clients {
            figures.add(client.oracle.figures)
            client.client.close()
        }
        writer.close()
        holder.close()
        guard fault == nil else { return }
        if hub.clientRecords != Hub.noClientRecords { fault = "left behind: \(hub.clientRecords)" }
        if !hub.isIdle { fault = "the hub is not idle" }
        if hub.clients.timers.count > 0 { fault = "work is left in the timer queue" }
    }
}
