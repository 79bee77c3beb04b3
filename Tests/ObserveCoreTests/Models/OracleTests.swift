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
    @Test(arguments: (1...8).map { ($0, $0 % 2 == 0 ? Watching.distinct : .mixed) } as [(UInt64, Watching)])
    func `random writes to random types do what the oracle says`(seed: UInt64, watching: Watching) throws {
        var (writes, refusals) = (0, [TreeError.Kind: Int]())
        // Each tree has other types, so more and shorter runs.
        for round in 0..<20 {
            let run = try OracleRun(seed: seed << 8 + UInt64(round), watching, isTyped: true)
            let difference = try run.run(writes: 800)
            if let difference {
                Issue.record("\(difference)")
                return
            }
            refusals.merge(run.refusals, uniquingKeysWith: +)
            writes += run.writeCount
        }
        print("oracle of types: seed \(seed), \(watching): \(writes) writes, refused \(refusals)")
    }
}
