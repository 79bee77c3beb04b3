// SPDX-License-Identifier: MIT
// Tree, journal and disk in one process, from seed to seed. A seed that fails fails again.

import Testing

@testable import ObserveCore

@Suite struct SimulationTests {
    @Test(arguments: 1...12)
    func `after any crash the state is one that may be`(seed: Int) {
        let run = SimulationRun(seed: UInt64(seed))
        let fault = run.run(commits: 250)
        #expect(fault == nil)
        #expect(run.crashPoints > (run.durability == .none ? 0 : 25))
    }

    /// Many more, where the environment asks for that: `OBSERVED_CRASH_POINTS=1000000`.
    @Test func `after very many crashes the state is one that may be`() {
        let wanted = Platform.environment("OBSERVED_CRASH_POINTS").flatMap { Int($0) } ?? 500
        var points = 0
        var (seed, refusals, snapshots, commits) = (UInt64(1000), 0, 0, 0)
        while points < wanted {
            seed += 1
            let run = SimulationRun(seed: seed)
            if let fault = run.run(commits: 400) {
                Issue.record("\(fault)")
                return
            }
            points += run.crashPoints
            refusals += run.refusals
            snapshots += run.snapshots
            commits += run.commits
        }
        if wanted > 500 {
            print(
                "\(points) crash points, \(commits) requests, \(refusals) refused batches, \(snapshots) snapshots"
            )
        }
    }
}
