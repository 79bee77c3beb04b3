// SPDX-License-Identifier: MIT
// Runs a whole server in one thread, from one seed: clients, sockets, clock, disk, crashes and restarts.
//
// Everything of the server is real but the system: `EventLoop` with its turns and deadlines, the hub, the tree, the
// journal. Absent are: the listener and the kernel's credentials, access rules, signals, upgrades, `dump`, loads of dumps
// and in parts, other threads (their work is done here, at any later moment), and `SpinPolicy`.

@testable import ObserveCore

/// One run. The same seed makes the same bytes.
final class ServerSimulation {
    let seed: UInt64
    let plan: SimulationPlan
    let digest = RunDigest()
    let clock = SimulatedClock()
    var random: SeededGenerator
    var requests: ServerRequests
    var clients: [SimulatedClient] = []
    private(set) var server: SimulatedServer
    var lanes: [(lane: SimulatedLane, socket: SimulatedSocket?)] = []
    private(set) var fault: String?
    private(set) var steps = 0
    private(set) var lives = 1
    private(set) var crashes = 0
    private(set) var breakages = 0
    private var boots = 0
    private var peers: Int32 = 100

    init(seed: UInt64) throws {
        self.seed = seed
        plan = SimulationPlan(seed: seed)
        random = SeededGenerator(seed: seed ^ 0xC11E)
        requests = ServerRequests(seed: seed ^ 0x4EC)
        clients = (0..<5).map(SimulatedClient.init)
        server = try SimulatedServer(
            on: SimulatedDisk(seed: seed),
            .init(seed: seed, plan: plan, boot: "boot 0", life: 1, keepsEpoch: false),
            after: nil,
            clock,
            digest
        )
        connectServer()
    }

    func below(_ limit: Int) -> Int { Int(random.next() % UInt64(max(limit, 1))) }
    func pick<T>(_ choices: [T]) -> T { choices[below(choices.count)] }
    func fail(_ sentence: String) { if fault == nil { fault = sentence } }

    /// Makes that many steps, and ends.
    ///
    /// - Returns: the first fault, and how to find it again.
    func run(steps limit: Int) -> String? {
        while steps < limit, fault == nil {
            steps += 1
            step()
        }
        if fault == nil { finish() }
        server.bury()
        return fault.map {
            "seed \(seed), \(plan.durability), life \(lives), step \(steps): \($0)\n\(digest.trace)\nagain: OBSERVED_SEED=\(seed)"
        }
    }

    // MARK: Steps

    private func step() {
        digest.add("step \(steps) at \(clock.now.nanoseconds / 1_000_000)")
        for client in clients { act(client) }
        turn(waits: 1 + below(4))
        if let breakage = server.hub.journaling.breakage, !server.system.isDead { return succeed(breakage) }
        changeTime()
        changeDisk()
        if below(120) == 0 { server.stepsToCrash = below(30) }
        if below(400) == 0 { server.crash() }
        if server.system.isDead {
            restart()
        } else if below(300) == 0 {
            endOrderly()
        } else if below(80) == 0 {
            beQuiet()
        } else if below(200) == 0 {
            reload()
        }
    }

    /// Lets the loop run until it has looked at the world so many times.
    func turn(waits: Int) {
        server.system.waits = waits
        server.loop.run()
        checkTurn()
    }

    private func changeTime() {
        switch below(200) {
        case 0..<80: clock.pass(milliseconds: UInt64(below(6)))
        case 80..<92: clock.pass(milliseconds: UInt64(50 + below(1500)))
        case 92..<94: clock.pass(milliseconds: 11_000)
        case 94: clock.pass(milliseconds: 61_000)
        case 95..<97: clock.offset += Int64(below(7_200_000)) - 3_600_000
        default: break
        }
    }

    private func changeDisk() {
        guard below(30) == 0 else { return }
        server.disk.failures = pick([0, 0, 4, 40])
        server.disk.isFull = below(5) == 0
        if server.disk.failures > 0 || server.disk.isFull { server.mayFail = true }
    }

    private func reload() {
        var limits = plan.limits
        limits.clients.foldAfterBytes = pick([0, 100, 4000])
        limits.clients.maxOutboxBytes = pick([2000, 12_000, 1 << 20])
        limits.clients.maxConnections = pick([3, 6, 100])
        server.hub.clients.adopt(limits)
        digest.add("reload")
    }

    // MARK: Lives

    /// Lets the server and the clients act in between the loop's looks at the world.
    private func connectServer() {
        server.system.beforeWait = { [unowned self] in
            server.note()
            server.finishWork()
            if below(2) == 0 { move(pick(clients)) }
        }
        server.system.willClose = { [unowned self] token, socket in noteClose(token, socket) }
    }

    private func noteClose(_ token: UInt64, _ socket: SimulatedSocket) {
        guard let session = server.loop.connections[token]?.session else { return }
        if session.delivery.closing != nil {
            socket.owes = session.hasOutput ? .nothing : .goodbye
        } else if !socket.isClientGone {
            // Subscriptions continue after the end of the input.
            socket.owes = socket.hasEnded && session.subscriptions.isEmpty ? .answers : .goodbye
        }
    }

    /// Starts again from what a crash left.
    private func restart() {
        crashes += 1
        server.bury()
        for client in clients {
            if below(4) > 0 { note(client.read(.max)) } else { client.vanish() }
        }
        if server.isPowerLost { boots += 1 }
        let keepsEpoch =
            plan.durability == .commit || plan.durability == .interval && !server.isPowerLost
        start(on: server.remains ?? server.disk, keepsEpoch: keepsEpoch, mayEndEpoch: server.isPowerLost)
    }

    /// Ends as at SIGTERM, and starts again.
    private func endOrderly() {
        healDisk()
        digest.add("shutdown")
        server.stepsToCrash = nil
        server.loop.shutDown {}
        guard awaitEnd() else { return }
        if let breakage = server.hub.journaling.breakage { return succeed(breakage) }
        server.bury()
        for client in clients { note(client.read(.max)) }
        start(on: server.disk.afterKill(), keepsEpoch: true)
    }

    /// Continues after a broken disk, with the same disk.
    private func succeed(_ breakage: Breakage) {
        digest.add("broken")
        breakages += 1
        server.stepsToCrash = nil
        guard awaitEnd() else { return }
        server.bury()
        for client in clients { note(client.read(.max)) }
        server.disk.dropWork()
        start(on: server.disk, keepsEpoch: plan.durability != .none, after: breakage)
    }

    private func awaitEnd() -> Bool {
        // With short rounds and no coalescing, the server sends one event in each look.
        for round in 0..<600 where !server.loop.isOver {
            noteEnds()
            // A client that reads a byte in time may take long.
            if round == 30 { for client in clients { client.eagerness = 0 } }
            for client in clients where below(2) == 0 { move(client) }
            clock.pass(milliseconds: 50)
            turn(waits: 3)
        }
        noteEnds()
        if !server.loop.isOver { fail("the server does not end") }
        return server.loop.isOver
    }

    /// Notes the values that have ended with connections that closed: other clients hear of them.
    private func noteEnds() {
        if server.hub.journaling.breakage == nil { server.note() }
    }

    private func start(
        on disk: SimulatedDisk,
        keepsEpoch: Bool,
        mayEndEpoch: Bool = false,
        after breakage: Breakage? = nil
    ) {
        guard fault == nil else { return }
        lives += 1
        let former = server.history
        digest.add("life \(lives)")
        do {
            server = try SimulatedServer(
                on: disk,
                .init(
                    seed: seed &+ UInt64(lives) &* 1000,
                    plan: plan,
                    boot: "boot \(boots)",
                    life: lives,
                    keepsEpoch: keepsEpoch,
                    mayEndEpoch: mayEndEpoch,
                    breakage: breakage
                ),
                after: former,
                clock,
                digest
            )
        } catch { return fail("\(error)") }
        connectServer()
        for (lane, _) in lanes {
            let value = laneValue(lane)
            if keepsEpoch, !lane.allows(value) {
                fail("\(lane.name) is \(value) after the start, and \(lane.acknowledged) was acknowledged")
            }
            if !keepsEpoch { lane.reset(to: value) }
        }
    }

    func laneValue(_ lane: SimulatedLane) -> Int64 {
        let image = TreeImage(server.hub.tree)
        guard case .scalar(.int(let value)) = image.cell(["s", lane.name]) else { return 0 }
        return value
    }

    func healDisk() {
        server.disk.failures = 0
        server.disk.isFull = false
    }

    func note(_ sentence: String?) { if let sentence { fail(sentence) } }

    // MARK: Connections

    func connect(_ client: SimulatedClient) {
        let capacity = pick([1, 40, 300, 3000, 1 << 20])
        peers += 1
        let peer = PeerCredentials(pid: peers, uid: 1000, gid: 1000)
        let socket = SimulatedSocket(peer, capacity: capacity)
        var place = lanes.firstIndex { !$0.lane.isTaken && $0.socket?.isServerGone ?? true }
        if place == nil {
            lanes.append((SimulatedLane("k\(lanes.count)"), nil))
            place = lanes.count - 1
        }
        guard let place else { return }
        lanes[place].socket = socket
        client.connect(socket, server.history, lane: lanes[place].lane)
        client.talk?.mayFail = { [unowned server] in server.mayFail }
        digest.add("connect", UInt64(client.number))
        _ = server.system.connect(socket, to: server.loop)
        if server.hub.tree.hasNoSystemRoot {
            let id = client.talk?.nextID() ?? 0
            client.send(
                #"{"id":\#(id),"method":"set","params":{"path":"s","value":{"id":0,"n":0},"ifValue":null}}"#,
                [ExpectedAnswer(id: id, kind: .write)]
            )
        }
        resume(client)
    }
}

extension ModelTree {
    /// Whether the root `s` is missing.
    fileprivate var hasNoSystemRoot: Bool {
        ByteView.with("s") { records.presentProperty(records.root, $0) } == nil
    }
}
