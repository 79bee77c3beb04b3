// SPDX-License-Identifier: MIT
// The invariants of a simulated server. Independent of how its clients came to be where they are.

@testable import ObserveCore

extension ServerSimulation {
    /// Checks what holds whenever the loop has nothing to do.
    func checkTurn() {
        guard fault == nil, !server.system.isDead else { return }
        server.note()
        let hub = server.hub
        if !hub.isIdle { fail("the hub is not idle between two turns") }
        if hub.clients.gate.needsFlush { fail("commits that no client hears of are not flushed") }
        if !server.history.contains(hub.tree) {
            fail("the tree has a state that never was")
        }
        if !server.mayFail { checkOwners() }
        if steps % 8 == 0 || RunDigest.isTraced {
            let faults = hub.tree.faults()
            if !faults.isEmpty { fail("the tree: \(faults)") }
        }
        if hub.clients.sessions.buffered.total < 0 {
            fail("\(hub.clients.sessions.buffered.total) bytes are buffered")
        }
    }

    /// Temporary values of connections belong to open ones.
    private func checkOwners() {
        let hub = server.hub
        let owners = hub.tree.reader.temporaryOwners
        guard !owners.isEmpty else { return }
        let open = Set(hub.clients.sessions.all.map(\.number))
        for owner in owners where !open.contains(owner) {
            fail("a value of connection \(owner) has outlived it")
        }
    }

    /// Whether the daemon has answered all requests of clients that it has not told goodbye.
    private var unanswered: Int {
        clients.reduce(0) { sum, client in
            guard let talk = client.talk, talk.goodbye == nil else { return sum }
            return sum + talk.expected.count
        }
    }

    /// Lets everything arrive, and checks that every client sees the present state.
    func beQuiet() {
        digest.add("quiet")
        server.stepsToCrash = nil
        healDisk()
        if server.journal.needsProof { clock.pass(milliseconds: 11_000) }
        for client in clients {
            client.eagerness = 100
            client.socket?.capacity = 1 << 20
        }
        // Every delay passes after the last answer, and after the last line of clients that have left.
        var (round, last) = (0, 60)
        var before: (unanswered: Int, input: Int, revision: UInt64) = (0, 0, 0)
        while round < last, fault == nil {
            for client in clients {
                client.push(.max)
                note(client.read(.max))
            }
            turn(waits: 10)
            if last - round > 20 { clock.pass(milliseconds: 100) }
            round += 1
            let now = (unanswered, server.system.inputBytes, server.hub.tree.revision)
            if now != before || unanswered > 0 && round < 200 { last = round + 60 }
            before = now
        }
        server.mayFail = false
        checkTurn()
        guard fault == nil else { return }
        guard let image = server.history.image(server.hub.tree.revision) else { return fail("no state") }
        for client in clients {
            guard let talk = client.talk, talk.goodbye == nil else { continue }
            if !talk.expected.isEmpty {
                fail("client \(client.number): \(talk.expected.count) requests are not answered")
            }
            for (number, mirror) in talk.mirrors.sorted(by: { $0.key < $1.key }) {
                if !mirror.isKnown { fail("client \(client.number): no first values of \(number)") }
                if mirror.isInFrame { fail("client \(client.number): a frame of \(number) has no end") }
                guard mirror.subscription.isExact, let sentence = mirror.compare(image) else { continue }
                fail("client \(client.number): when it is quiet, \(sentence)")
            }
        }
        for (lane, _) in lanes {
            let value = laneValue(lane)
            if lane.allows(value) { continue }
            fail("\(lane.name) is \(value), and \(lane.acknowledged) was acknowledged")
        }
        let faults = server.hub.tree.faults()
        if !faults.isEmpty { fail("the tree: \(faults)") }
    }

    /// Lets all clients leave, and checks that nothing of them is left.
    func finish() {
        beQuiet()
        for client in clients { client.vanish() }
        for _ in 0..<30 where fault == nil {
            turn(waits: 10)
            clock.pass(milliseconds: 100)
        }
        // All temporary values expire, also if the system's clock was set.
        for _ in 0..<5 where fault == nil {
            clock.pass(milliseconds: 36_000_000)
            turn(waits: 10)
        }
        guard fault == nil else { return }
        let hub = server.hub
        if hub.clientRecords != Hub.noClientRecords { fail("left behind: \(hub.clientRecords)") }
        if hub.clients.registry.compounds.count > 0 {
            fail("left behind: \(hub.clients.registry.compounds.count) patterns")
        }
        if hub.clients.sessions.buffered.total != 0 {
            fail("left behind: \(hub.clients.sessions.buffered.total) bytes")
        }
        if !hub.clients.sessions.departing.isEmpty { fail("left behind: sessions") }
        if !hub.tree.reader.temporaryOwners.isEmpty || !hub.tree.reader.timedValues.isEmpty {
            fail("left behind: temporary values")
        }
        if !hub.clients.gate.isIdle, hub.clients.gate.needsFlush { fail("left behind: an open batch") }
        if server.loop.connections.count != 0 { fail("left behind: connections") }
        if !server.loop.deadlines.isEmpty { fail("left behind: deadlines") }
        hub.tree.forgetHistory()
        let faults = hub.tree.faults()
        if !faults.isEmpty { fail("the tree: \(faults)") }
    }
}
