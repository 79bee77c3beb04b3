// SPDX-License-Identifier: MIT
// `make bench` compares each layer's work with a reference loop and an earlier run, and typed observation with the
// toolchain's `withObservationTracking`.
//
//     Benchmarks [BASELINE [--save]]
//     Benchmarks --only TEXT
//
// The latter runs only the benchmarks whose titles begin with the text.

#if canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Prints the cost of each layer's work. Returns false if it could not write the requested baseline.
func runLayers(_ baselinePath: String?, isSaving: Bool, only beginning: String = "") -> Bool {
    print("The layers. A ratio of 1 is a loop that hashes an ordinary request byte by byte.\n")
    print("       ns    ratio   before   change  allocations")
    let before = baselinePath.map(Baseline.init(readFrom:))
    let all = textBenchmarks() + treeBenchmarks() + conversationBenchmarks()
    let results = measure(all.filter { $0.title.hasPrefix(beginning) })
    for result in results {
        let earlier = before?.ratios[result.title]
        print(
            column(result.nanoseconds)
                + column(result.ratio, 3)
                + (earlier.map { column($0, 3) } ?? "        –")
                + (earlier.map { column(result.ratio / $0, 2) } ?? "        –")
                + column(result.allocations, 2)
                + "     " + result.title
        )
    }
    print()
    guard isSaving, let baselinePath else { return true }
    return Baseline.write(results, to: baselinePath)
}

/// Whether this library allocates nothing, and no ratio is more than one and a half times its limit: a busy machine explains
/// less. The line of a ratio beyond its limit begins with an exclamation mark.
func runBars(only beginning: String = "") -> Bool {
    print("Typed observing. Theirs is withObservationTracking.\n")
    print("     ours    theirs    ratio  at most    allocations")
    let holds = printBars(bars(), only: beginning)
    return printBars(trackedBars(), only: beginning) && holds
}

private func printBars(_ bars: [Bar], only beginning: String) -> Bool {
    var holds = true
    for bar in bars where bar.title.hasPrefix(beginning) {
        let results = measure([bar.ours, bar.theirs], operations: 20_000)
        let (ours, theirs) = (results[0], results[1])
        // A round allocates once or twice by itself.
        let allocatesNothing = ours.allocations < 0.01
        let isGood = ours.ratio <= bar.most && allocatesNothing
        holds = holds && ours.ratio <= bar.most * 1.5 && allocatesNothing
        print(
            column(ours.nanoseconds),
            column(theirs.nanoseconds),
            column(ours.ratio, 3),
            column(bar.most, 3),
            column(ours.allocations, 2) + " : " + column(theirs.allocations, 2),
            isGood ? "  \(bar.title)" : "! \(bar.title)"
        )
    }
    return holds
}

let arguments = CommandLine.arguments.dropFirst()
if arguments.first == "--only" {
    let beginning = arguments.dropFirst().first ?? ""
    _ = runLayers(nil, isSaving: false, only: beginning)
    exit(runBars(only: beginning) ? 0 : 1)
}
let isSaving = arguments.contains("--save")
let hasSaved = runLayers(arguments.first { $0 != "--save" }, isSaving: isSaving)
if !hasSaved { print("the baseline could not be written") }
if !runBars() || !hasSaved { exit(1) }
