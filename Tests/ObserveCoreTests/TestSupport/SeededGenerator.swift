// SPDX-License-Identifier: MIT
// Random numbers that are the same in each run.

@testable import ObserveCore

/// SplitMix64: a failing test fails again.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

/// The number under `make exhaustive`, whose build is optimised, or the usual one under `swift test`, whose build is twenty
/// times as slow.
func many<Value>(_ count: Value, usually usual: Value) -> Value {
    #if EXHAUSTIVE
        count
    #else
        usual
    #endif
}

/// The seeds of a randomised test: its own number of them, or what `$OBSERVED_TEST_SEEDS` says: `200` for that many, `31-31`
/// for one.
func seeds(_ count: UInt64, usually usual: UInt64? = nil) -> ClosedRange<UInt64> {
    let bounds = (Platform.environment("OBSERVED_TEST_SEEDS") ?? "").split(separator: "-").compactMap {
        UInt64($0)
    }
    switch (bounds.first, bounds.last) {
    case (let first?, let last?) where bounds.count == 2 && first <= last: return first...last
    case (let count?, _): return 1...max(count, 1)
    default: return 1...many(count, usually: usual ?? count)
    }
}
