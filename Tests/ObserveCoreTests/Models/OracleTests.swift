// SPDX-License-Identifier: MIT
// The hub against the naive oracle, at random.

import Testing

@testable import ObserveCore

@Suite struct OracleTests {
    private static let seeds: ClosedRange<UInt64> = 1...12

    @Test(arguments: seeds.map { ($0, $0 % 2 == 0 ? Watching.distinct : .mixed) } as [(UInt64, Watching)])
    func `random writes do what the oracle says`(seed: UInt64, watching: Watching) {
        let run = OracleRun(seed: seed, watching)
        var difference: String?
        let time = ContinuousClock().measure { difference = run.run(commits: 4_000) }
        print(
            "oracle: seed \(seed), \(watching): \(run.commitCount) commits,",
            "\(run.transactionCount) transactions, \(run.undoneCount) undone, writes \(run.writeCounts),",
            "events \(run.eventCounts), \(run.matchCount) matches, refused \(run.refusals), \(time)"
        )
        if let difference { Issue.record("\(difference)") }
    }
}
