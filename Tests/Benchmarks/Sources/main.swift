// SPDX-License-Identifier: MIT
// Our typed observing beside the toolchain's `withObservationTracking`, in one run: `make bench`.

#if canImport(Musl)
    import Musl
#else
    import Glibc
#endif

func column(_ value: Double, _ digits: Int = 1) -> String {
    var scaled = value
    for _ in 0..<digits { scaled *= 10 }
    let whole = Int(scaled + 0.5)
    var text = String(whole)
    while text.count <= digits { text = "0" + text }
    text.insert(".", at: text.index(text.endIndex, offsetBy: -digits))
    return String(repeating: " ", count: max(0, 9 - text.count)) + text
}

/// Whether all ratios hold and nothing of ours allocates.
func runBars() -> Bool {
    print("     ours    theirs    ratio  at most    allocations")
    var holds = true
    for bar in bars() {
        let results = measure([bar.ours, bar.theirs], operations: 20_000)
        let (ours, theirs) = (results[0], results[1])
        let ratio = ours.nanoseconds / theirs.nanoseconds
        // A round allocates once or twice by itself.
        let isGood = ratio <= bar.most && ours.allocations < 0.01
        holds = holds && isGood
        print(
            column(ours.nanoseconds),
            column(theirs.nanoseconds),
            column(ratio, 3),
            column(bar.most, 3),
            column(ours.allocations, 2) + " : " + column(theirs.allocations, 2),
            isGood ? "  \(bar.title)" : "! \(bar.title)"
        )
    }
    return holds
}

if !runBars() { exit(1) }
