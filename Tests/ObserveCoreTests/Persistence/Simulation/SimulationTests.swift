// SPDX-License-Identifier: MIT
// Runs tree, journal and disk in one process, seed by seed. The same seed makes the same run.

import Testing

@testable import ObserveCore

@Suite struct SimulationTests {
    /// How many crash points to look at; `make simulation` requests a million.
    private static let points = number("OBSERVED_POINTS") ?? many(5_000, usually: 40)
    /// A single seed to run; `make simulation SEED=1234` requests it.
    private static let seed = number("OBSERVED_SEED")

    private static func number(_ name: String) -> Int? { Platform.environment(name).flatMap { Int($0) } }

    @Test(arguments: 1...many(12, usually: 2))
    func `after any crash the state is allowed`(seed: Int) {
        let run = SimulationRun(seed: UInt64(seed))
        let fault = run.run(commits: many(250, usually: 80))
        #expect(fault == nil)
        #expect(run.crashPoints > (run.durability == .none ? 0 : many(25, usually: 12)))
    }

    /// Parts of the seeds run at once. Each prints its figures if there are many.
    @Test func `after many crashes the state is allowed`() async {
        if let seed = Self.seed {
            var tally = Tally(seed: UInt64(seed), step: 1)
            tally.run()
            return tally.report("seed \(seed)")
        }
        let parts = Self.points < 10_000 ? 1 : 4
        let all = await withTaskGroup(of: Tally.self) { group in
            for part in 0..<parts {
                group.addTask {
                    var tally = Tally(seed: UInt64(1000 + part), step: UInt64(parts))
                    while tally.fault == nil, tally.points < Self.points / parts { tally.run() }
                    return tally
                }
            }
            return await group.reduce(into: Tally(seed: 1000, step: 1)) { $0.add($1) }
        }
        // A run that no longer reaches one of these checks less than it says.
        if parts > 1 {
            #expect(all.snapshots > 0 && all.breakages > 0 && all.lineChecks > 0)
        }
        if parts > 1 { all.report("in all") }
    }

    /// Every `step`th seed, and the sums of their runs.
    private struct Tally: Sendable {
        var seed: UInt64
        let step: UInt64
        var seeds = 0
        var points = 0
        var commits = 0
        var breakages = 0
        var snapshots = 0
        var lineChecks = 0
        var fault: String?

        /// Runs the next seed.
        mutating func run() {
            let run = SimulationRun(seed: seed)
            fault = run.run(commits: many(400, usually: 60))
            if let fault { Issue.record("\(fault)\nagain: make simulation SEED=\(seed)") }
            seeds += 1
            let before = points
            points += run.crashPoints
            commits += run.commits
            breakages += run.breakages
            snapshots += run.snapshots
            lineChecks += run.lineChecks
            if before / 50_000 != points / 50_000 { report("until seed \(seed)") }
            seed += step
        }

        mutating func add(_ other: Tally) {
            seeds += other.seeds
            points += other.points
            commits += other.commits
            breakages += other.breakages
            snapshots += other.snapshots
            lineChecks += other.lineChecks
        }

        func report(_ title: String) {
            print(
                "\(title): \(seeds) seeds, \(points) crash points, \(commits) requests, \(breakages) broken disks,",
                "\(snapshots) snapshots, \(lineChecks) misplaced lines"
            )
        }
    }
}
