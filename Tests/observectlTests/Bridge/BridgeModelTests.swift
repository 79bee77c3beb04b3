// SPDX-License-Identifier: MIT
// Random writes and faults on several simulated machines: at the end, all trees are what the stream's order leaves.

import Testing

@testable import ObserveCore
@testable import observectl

@Suite struct BridgeModelTests {
    /// A few for each run of the tests. `.ci/run` has more.
    private static var seeds: ClosedRange<UInt64> {
        let bounds = (Platform.environment("OBSERVED_TEST_SEEDS") ?? "").split(separator: "-").compactMap {
            UInt64($0)
        }
        return bounds.count == 2 ? bounds[0]...bounds[1] : 1...(bounds.first ?? 4)
    }

    @Test(.timeLimit(.minutes(15)), arguments: [false, true])
    func `daemons are equal once all faults are over`(hasFaults: Bool) {
        for seed in BridgeModelTests.seeds {
            var world = BridgeWorld(seed: seed, hosts: 2 + Int(seed % 2))
            for _ in 0..<4 {
                for _ in 0..<500 { world.step(faults: hasFaults) }
                guard world.heal() else {
                    Issue.record("seed \(seed): it never comes to rest")
                    return
                }
                if let fault = Self.fault(of: world) {
                    Issue.record("seed \(seed): \(fault)")
                    return
                }
            }
        }
    }

    /// One message to the server and one from it, so one round trip: no one waits for an acknowledgement.
    @Test func `a change takes one put and one delivery`() {
        var world = BridgeWorld(seed: 1, hosts: 2)
        var isCalm = world.heal()
        world.hosts[0].daemon.write([(["house", "x"], 7)])
        while world.move(0, 1) {}
        world.move(0, 4)
        #expect(isCalm && world.hosts[0].puts.count == 1)
        world.move(0, 2)
        world.move(1, 3)
        isCalm = !world.move(1, 3)
        world.move(1, 6)
        world.move(1, 0)
        #expect(world.hosts[1].daemon.value(["house", "x"]) == 7)
        #expect(isCalm && world.hosts[1].puts.isEmpty)
        #expect(world.hosts[0].bridge.outbound.flights.count == 1)
    }

    @Test func `a hundred thousand changes of 100 keys wait as 100, while the server is away`() {
        let rules = BridgeRules([BridgedPath(names: ["house"], direction: .both)], pid: 1)
        #expect(rules.attachLocal(epoch: "e", revision: 1, isResumed: false, position: nil))
        rules.load(["house"], nil)
        rules.finishLoading(at: 1)
        #expect(rules.attachRemote(identity: "s", lastSequence: 0) == nil)
        rules.finishLoadingRemote()
        rules.detachRemote()
        let names = (0..<100).map { ["house", "k\($0)"] }
        let values = (0..<7).map { RawJSON(.int($0)) }
        for number in 0..<100_000 {
            let event = LocalEvent(
                names: names[number % 100],
                value: values[number % 7],
                revision: Int64(number) + 2
            )
            rules.receive([event])
        }
        #expect(rules.outbound.waiting == 100 && rules.outbound.revisions.count == 100)
        _ = rules.attachRemote(identity: "s", lastSequence: 0)
        let puts = rules.nextPuts()
        #expect(puts.count == 100 && rules.nextPuts().isEmpty)
        #expect(puts.allSatisfy { $0.value == $0.node.local })
    }

    /// Rules that are attached to both sides, which have nothing.
    private func attachedRules() -> BridgeRules {
        let rules = BridgeRules([BridgedPath(names: ["house"], direction: .both)], pid: 1)
        _ = rules.attachLocal(epoch: "e", revision: 1, isResumed: false, position: nil)
        rules.finishLoading(at: 1)
        _ = rules.attachRemote(identity: "s", lastSequence: 0)
        rules.finishLoadingRemote()
        return rules
    }

    @Test func `the last leaf of a model goes, and the model in the next transaction`() throws {
        let rules = attachedRules()
        func deliver(_ names: [String], _ content: RemoteValue.Content, _ sequence: UInt64) {
            rules.delivered(["house"] + names, RemoteValue(sequence: sequence, content: content))
        }
        deliver(["m", "a"], .leaf(.emptyModel), 1)
        _ = try #require(rules.nextTransaction())
        rules.answered(.success(2))
        deliver(["m", "a"], .gone, 2)
        deliver(["m"], .gone, 3)
        let first = try #require(rules.nextTransaction())
        #expect(first.writes.map(\.target.path) == [["house", "m", "a"]])
        rules.answered(.success(3))
        let second = try #require(rules.nextTransaction())
        #expect(second.writes.map(\.target.path) == [["house", "m"]])
    }

    /// What a refusal found is what the transaction's earlier writes had left, and they are undone.
    @Test func `a refusal tells nothing of values that the transaction changed before`() throws {
        let rules = attachedRules()
        func deliver(_ name: String, _ value: Int64, _ sequence: UInt64) {
            rules.delivered(
                ["house", name],
                RemoteValue(sequence: sequence, content: .leaf(RawJSON(.int(value))))
            )
        }
        deliver("a", 1, 1)
        deliver("b", 2, 2)
        let first = try #require(rules.nextTransaction())
        #expect(first.writes.map(\.target.name) == ["a", "b"])
        // `b` is another path to the model of `a`: it has what the first write set.
        let found = RawJSON(["operation": 1, "value": 1, "revision": 1])
        rules.answered(.failure(DaemonError(code: .conflict, message: "", data: found)))
        let second = try #require(rules.nextTransaction())
        #expect(second.writes.map(\.target.name) == ["a"])
        rules.answered(.success(2))
        let third = try #require(rules.nextTransaction())
        #expect(third.writes.map(\.target.name) == ["b"])
        #expect(third.writes.map(\.expected) == [RawJSON.nothing])
    }

    @Test func `a refused value is tried again alone, and then all of them are`() {
        var world = BridgeWorld(seed: 1, hosts: 2)
        var isCalm = world.heal()
        let names = (0..<5).map { ["house", "k\($0)"] }
        world.hosts[1].daemon.refused = Set(names)
        world.hosts[0].daemon.write(names.map { ($0, 7) } + [(["house", "free"], 7)])
        isCalm = world.heal() && isCalm
        let rules = world.hosts[1].bridge
        #expect(rules.inbound.refused.count == 5)
        for _ in 0..<3 {
            rules.probeRefused()
            isCalm = world.heal() && isCalm
            #expect(isCalm && rules.inbound.refused.count == 5)
        }
        world.hosts[1].daemon.refused = []
        rules.probeRefused()
        isCalm = world.heal() && isCalm
        #expect(isCalm && rules.inbound.refused.isEmpty)
        #expect(BridgeModelTests.fault(of: world) == nil)
    }

    private static func fault(of world: BridgeWorld) -> String? {
        let expected = world.stream.leaves
        for host in world.hosts.indices {
            let bridge = world.hosts[host].bridge
            let found = world.leaves(of: host)
            if found != expected { return "host \(host) has \(found), and the stream has \(expected)" }
            if world.hosts[host].daemon.ownConflicts > 0 {
                return "host \(host) was refused for its own writes"
            }
            if !bridge.isSettled { return "host \(host) waits for something" }
            if !bridge.inbound.refused.isEmpty { return "host \(host) refused something" }
        }
        return nil
    }
}
