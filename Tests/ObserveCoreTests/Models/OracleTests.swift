// SPDX-License-Identifier: MIT
// The tree against the naive oracle, at random.

import Testing

@testable import ObserveCore

@Suite struct OracleTests {
    @Test(arguments: (1...8).map { ($0, $0 % 2 == 0 ? Watching.distinct : .mixed) } as [(UInt64, Watching)])
    func `random writes do what the oracle says`(seed: UInt64, watching: Watching) throws {
        let run = try OracleRun(seed: seed, watching)
        let clock = ContinuousClock()
        var difference: String?
        let time = try clock.measure { difference = try run.run(writes: 30_000) }
        print(
            "oracle: seed \(seed), \(watching): \(run.writeCount) writes in \(run.commitCount) commits,",
            "\(run.eventCount) events, \(run.undoneCount) commits undone, refused \(run.refusals), \(time)"
        )
        if let difference { Issue.record("\(difference)") }
    }

    @Test(
        arguments: (1...8).map { ($0, $0 % 2 == 0 ? Watching.distinct : .mixed) } as [(UInt64, Watching)]
    )
    func `values that end do what the oracle says`(seed: UInt64, watching: Watching) throws {
        let run = try OracleRun(seed: 100 + seed, watching, lifetimes: 35)
        if let difference = try run.run(writes: 12_000) { Issue.record("\(difference)") }
        #expect(run.endCount > 300)
    }
}
