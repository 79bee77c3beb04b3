// SPDX-License-Identifier: MIT
// When a disk that was broken is tried again. Independent of what proves it.

/// When a disk that was broken is tried next.
struct ProofWait {
    /// The milliseconds between two attempts: they double.
    private(set) var milliseconds = Breakage.shortestWait
    private var provedAt: MonotonicTime?

    init() {}

    init(after breakage: Breakage) { milliseconds = breakage.wait }

    mutating func noteProof(at now: MonotonicTime) { provedAt = now }

    mutating func noteFailure() { milliseconds = doubled }

    /// The wait of the next program: after a minute without a failure, it begins anew.
    func next(at now: MonotonicTime) -> UInt64 {
        guard let provedAt, provedAt.nanoseconds(until: now) < 60_000_000_000 else {
            return Breakage.shortestWait
        }
        return doubled
    }

    private var doubled: UInt64 { min(milliseconds * 2, Breakage.longestWait) }
}
