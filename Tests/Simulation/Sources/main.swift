// SPDX-License-Identifier: MIT
// Runs one seed after the other until so many crash points were looked at: `Simulation [POINTS [FIRST SEED]]`.

@testable import ObserveCore

let wanted = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 1_000_000
var seed = CommandLine.arguments.dropFirst(2).first.flatMap { UInt64($0) } ?? 1000
var (points, commits, refusals, snapshots, flights, nextLine) = (0, 0, 0, 0, 0, 100_000)
while points < wanted {
    let run = SimulationRun(seed: seed)
    if let fault = run.run(commits: 400) {
        print(fault)
        CurrentProcess.exit(1)
    }
    points += run.crashPoints
    commits += run.commits
    refusals += run.refusals
    snapshots += run.snapshots
    flights += run.flights
    seed += 1
    if points >= nextLine || points >= wanted {
        nextLine += 100_000
        print(
            "\(points) crash points, \(commits) requests, \(refusals) refused batches, \(snapshots) snapshots, \(flights) flights, next seed \(seed)"
        )
    }
}
