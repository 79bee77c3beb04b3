// SPDX-License-Identifier: MIT
// Compares the hub with the naive oracle, at random.

import Testing

@testable import ObserveCore

@Suite struct OracleTests {
    private static func watched(_ count: UInt64) -> [(UInt64, Watching)] {
        seeds(count, usually: 1).map { ($0, $0 % 2 == 0 ? .distinct : .mixed) }
    }

    @Test(arguments: watched(6))
    func `the hub agrees with the oracle on random writes`(seed: UInt64, watching: Watching) throws {
        let run = try OracleRun(seed: seed, watching)
        var difference: String?
        let time = ContinuousClock().measure { difference = run.run(commits: many(4_000, usually: 200)) }
        print(
            "oracle: seed \(seed), \(watching): \(run.commitCount) commits,",
            "\(run.transactionCount) transactions, \(run.undoneCount) undone, writes \(run.writeCounts),",
            "events \(run.eventCounts), \(run.matchCount) matches, refused \(run.refusals), \(time)"
        )
        if let difference { Issue.record("\(difference)") }
    }

    @Test(arguments: watched(6))
    func `the hub agrees with the oracle on random writes to random types`(seed: UInt64, watching: Watching)
        throws
    {
        try runs(many(12, usually: 1), seed: seed << 8, watching, .types, "types")
    }

    @Test(arguments: watched(5))
    func `the hub agrees with the oracle on temporary values`(seed: UInt64, watching: Watching) throws {
        let run = try OracleRun(seed: 100 + seed, watching, lifetimes: 45)
        let commits = many(3_000, usually: 200)
        if let difference = run.run(commits: commits) { Issue.record("\(difference)") }
        #expect(run.endCount > commits / 15)
    }

    @Test(arguments: seeds(4, usually: 1))
    func `the hub agrees with the oracle on bindings`(seed: UInt64) throws {
        let watching = seed % 2 == 0 ? Watching.distinct : .mixed
        let run = try OracleRun(seed: seed, watching, .bindings, lifetimes: seed % 4 < 2 ? 0 : 25)
        if let difference = run.run(commits: many(1_500, usually: 100)) { Issue.record("\(difference)") }
        print("oracle of bindings: seed \(seed): \(run.commitCount) commits, \(run.lastBinding) bindings")
    }

    @Test(arguments: seeds(4, usually: 1))
    func `the hub agrees with the oracle on computed properties`(seed: UInt64) throws {
        try runs(many(10, usually: 1), seed: seed << 9, .distinct, [.types, .computed], "templates")
    }

    @Test(arguments: seeds(4, usually: 1))
    func `the hub agrees with the oracle on computed properties, bindings and temporary values`(seed: UInt64)
        throws
    {
        try runs(
            many(10, usually: 1),
            seed: seed << 10,
            .distinct,
            [.types, .computed, .bindings],
            lifetimes: 20,
            "all"
        )
    }

    @Test(arguments: seeds(8, usually: 3))
    func `a commit that the tree has no room for has no effect`(seed: UInt64) throws {
        let features: [OracleRun.Features] = [
            [], .bindings, [.types, .computed], [.types, .computed, .bindings],
        ]
        let own = features[Int(seed % 4)].union(.limited)
        let run = try OracleRun(seed: 300 + seed, .distinct, own, lifetimes: seed % 8 < 4 ? 0 : 20)
        if let difference = run.run(commits: many(800, usually: 120)) { Issue.record("\(difference)") }
        #expect(run.growthCount > many(50, usually: 12))
        print(
            "oracle of growth: seed \(seed): \(run.commitCount) commits, \(run.growthCount) refused at first"
        )
    }

    @Test(arguments: seeds(6, usually: 1))
    func `explain agrees with the oracle, also after restarts`(seed: UInt64) throws {
        let features: [OracleRun.Features] = [
            .bindings, [.types, .computed], [.types, .computed, .bindings],
        ]
        let run = try ExplainRun(seed: 900 + seed, features[Int(seed % 3)])
        let commits = many(2_000, usually: 100)
        let difference = run.run(commits: commits)
        print(
            "oracle of explain: seed \(seed): \(run.commitCount) commits, \(run.restartCount) restarts,",
            "\(run.loadCount) loads, \(run.comparedCount) answers, \(run.originCount) origins \(run.origins),",
            "\(run.chainCount) chains of at most \(run.longestChain) steps"
        )
        if let difference { Issue.record("\(difference)") }
        #expect(run.chainCount > commits / 2)
    }

    @Test(arguments: FastPathSwitch.allCases)
    func `the hub agrees with the oracle without one of the fast paths`(fastPath: FastPathSwitch) throws {
        for seed in 1...many(3, usually: 1) as ClosedRange<UInt64> {
            let features: OracleRun.Features = seed == 1 ? [] : seed == 2 ? .bindings : [.types, .computed]
            let run = try OracleRun(seed: 700 + seed, .distinct, features, lifetimes: seed == 2 ? 25 : 0)
            fastPath.turnOff(in: run.hub)
            if let difference = run.run(commits: many(600, usually: 40)) { Issue.record("\(difference)") }
        }
    }

    /// Each tree has other types, so the runs are more and shorter.
    private func runs(
        _ count: UInt64,
        seed: UInt64,
        _ watching: Watching,
        _ features: OracleRun.Features,
        lifetimes: Int = 0,
        _ name: String
    ) throws {
        var (commits, refusals) = (0, [Int64: Int]())
        for round in 0..<count {
            let run = try OracleRun(seed: seed + round, watching, features, lifetimes: lifetimes)
            if let difference = run.run(commits: 150) {
                let templates = run.oracle.schema.types.map { type in
                    "\(type.name): \(type.properties.map { "\($0.name) \($0.type.text) \($0.computed?.text ?? "")" })"
                }
                Issue.record("\(difference)\n\(templates.joined(separator: "\n"))")
                return
            }
            refusals.merge(run.refusals, uniquingKeysWith: +)
            commits += run.commitCount
        }
        print("oracle of \(name): seed \(seed), \(watching): \(commits) commits, refused \(refusals)")
    }
}
