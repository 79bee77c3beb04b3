// SPDX-License-Identifier: MIT
// Clients that fall behind and catch up at random, compared with an oracle that has the tree at every revision.

import Testing

@testable import ObserveCore

@Suite struct CatchingUpRandomTests {
    /// For how many seconds to run new seeds.
    private static let seconds = number("OBSERVED_SECONDS") ?? 0
    /// A single seed to run.
    private static let seed = number("OBSERVED_SEED")
    private static let stepsEach = number("OBSERVED_STEPS") ?? many(1200, usually: 500)

    private static func number(_ name: String) -> UInt64? {
        Platform.environment(name).flatMap { UInt64($0) }
    }

    @Test(arguments: seeds(8, usually: 1))
    func `clients catch up exactly`(seed: UInt64) {
        let figures = Self.run(seed)
        #expect(figures.events > many(300, usually: 120))
        #expect(figures.answers > many(100, usually: 40))
        #expect(figures.coalesced > many(10, usually: 4))
    }

    @Test(arguments: FastPathSwitch.allCases)
    func `clients catch up exactly without one of the fast paths`(fastPath: FastPathSwitch) {
        _ = Self.run(21, without: fastPath, steps: Self.stepsEach / 3)
    }

    /// `OBSERVED_SECONDS=600` runs new seeds for that long, and `OBSERVED_SEED=1234` runs one of them.
    @Test func `clients catch up exactly for long`() {
        if let seed = Self.seed {
            _ = Self.run(seed)
            return
        }
        guard Self.seconds > 0 else { return }
        let end = MonotonicTime.now.adding(milliseconds: Self.seconds * 1000)
        var figures = CatchingUpFigures()
        var seed: UInt64 = 1000
        repeat {
            figures.add(Self.run(seed))
            seed += 1
        } while .now < end
        print("\(seed - 1000) seeds: \(figures)")
        #expect(figures.resumed > 0)
    }

    private static func run(
        _ seed: UInt64,
        without fastPath: FastPathSwitch? = nil,
        steps: UInt64 = stepsEach
    ) -> CatchingUpFigures {
        var run = CatchingUpRun(seed: seed)
        fastPath?.turnOff(in: run.hub)
        run.run(seed: seed, steps: Int(steps)) { run, step in
            if step % 100 == 99 { run.letItBeQuiet() }
        }
        return run.figures
    }
}
