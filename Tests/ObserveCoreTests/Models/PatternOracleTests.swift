// SPDX-License-Identifier: MIT
// Patterns and operators against the naive oracle, at random.

import Testing

@testable import ObserveCore

@Suite struct PatternOracleTests {
    private static let seeds: ClosedRange<UInt64> = 1...12
    private static let runs: [(UInt64, PatternKind)] = seeds.map { seed in
        (seed, PatternKind.allCases[Int(seed) % 4])
    }

    @Test(arguments: runs)
    func `patterns and operators tell what the oracle says`(seed: UInt64, kind: PatternKind) throws {
        let run = try PatternRun(seed: seed, kind)
        var difference: String?
        let time = try ContinuousClock().measure { difference = try run.run(writes: 9_000) }
        print(
            "patterns: seed \(seed), \(kind): \(run.writeCount) writes in \(run.commitCount) commits,",
            "\(run.eventCount) events, \(run.matchCount) matches, \(time)"
        )
        if let difference { Issue.record("\(difference)") }
    }
}
