// SPDX-License-Identifier: MIT
// Runs whole servers on simulated systems, seed by seed. The same seed makes the same run.

import Testing

@testable import ObserveCore

@Suite struct ServerSimulationTests {
    /// For how many seconds to run new seeds; `make simulation` requests two minutes.
    private static let seconds = number("OBSERVED_SECONDS") ?? 0
    /// A single seed to run; `make simulation SEED=1234` requests it.
    private static let seed = number("OBSERVED_SEED")
    private static let stepsEach = 600

    private static func number(_ name: String) -> Int? { Platform.environment(name).flatMap { Int($0) } }

    @Test(arguments: seeds(8, usually: 1))
    func `every invariant holds at each step`(seed: UInt64) throws {
        let run = try ServerSimulation(seed: seed)
        let fault = run.run(steps: 200)
        #expect(fault == nil)
        #expect(run.figures.answers > 40)
    }

    @Test func `a seed makes the same bytes again`() throws {
        let (first, second) = (try ServerSimulation(seed: 5), try ServerSimulation(seed: 5))
        for run in [first, second] { #expect(run.run(steps: many(200, usually: 60)) == nil) }
        #expect(first.digest.sum == second.digest.sum)
        #expect(first.digest.bytes > many(10_000, usually: 3_000))
    }

    /// Parts of the seeds run at once, each in its own thread.
    @Test func `every invariant holds for long`() async throws {
        if let seed = Self.seed {
            var tally = Tally(seed: UInt64(seed), step: 1)
            try tally.run()
            return tally.report("seed \(seed)")
        }
        guard Self.seconds > 0 else { return }
        let end = MonotonicTime.now.adding(milliseconds: UInt64(Self.seconds) * 1000)
        let parts = 2
        let all = try await withThrowingTaskGroup(of: Tally.self) { group in
            for part in 0..<parts {
                group.addTask {
                    var tally = Tally(seed: UInt64(1000 + part), step: UInt64(parts))
                    // Other tests may have taken all of the time.
                    repeat { try tally.run() } while !tally.hasFault && .now < end
                    return tally
                }
            }
            return try await group.reduce(into: Tally(seed: 1000, step: 1)) { $0.add($1) }
        }
        all.report("in all")
    }

    /// Every `step`th seed, and the sums of their runs.
    private struct Tally: Sendable {
        var seed: UInt64
        let step: UInt64
        var seeds = 0
        var hasFault = false
        var figures = ServerSimulation.Figures()

        init(seed: UInt64, step: UInt64) {
            self.seed = seed
            self.step = step
        }

        /// Runs the next seed.
        mutating func run() throws {
            let run = try ServerSimulation(seed: seed)
            if let fault = run.run(steps: stepsEach) {
                hasFault = true
                Issue.record("\(fault)\nagain: make simulation SEED=\(seed)")
            }
            seeds += 1
            figures.add(run.figures)
            if seeds % 200 == 0 { report("until seed \(seed)") }
            seed += step
        }

        mutating func add(_ other: Tally) {
            seeds += other.seeds
            figures.add(other.figures)
        }

        func report(_ title: String) { print("\(title): \(seeds) seeds, \(figures)") }
    }
}
