// SPDX-License-Identifier: MIT
// A point in time that clock changes do not move. Independent of the clock, which `Sockets` reads.

/// Nanoseconds on the kernel's CLOCK_MONOTONIC, the clock that timer descriptors run on. `ContinuousClock` also counts time
/// asleep on Linux, so its instants would arm timers wrongly.
package struct MonotonicTime: Comparable, Hashable, Sendable {
    package var nanoseconds: UInt64

    package init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

    package static let distantFuture = MonotonicTime(nanoseconds: .max)

    @inline(__always) package static func < (left: MonotonicTime, right: MonotonicTime) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// Stops at ``distantFuture`` instead of overflowing.
    @inline(__always) package func adding(nanoseconds more: UInt64) -> MonotonicTime {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(more)
        return MonotonicTime(nanoseconds: overflow ? .max : sum)
    }

    package func adding(milliseconds: UInt64) -> MonotonicTime {
        let (product, overflow) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
        return adding(nanoseconds: overflow ? .max : product)
    }

    /// The time until `later`; zero if `later` has passed.
    @inline(__always) package func nanoseconds(until later: MonotonicTime) -> UInt64 {
        later.nanoseconds > nanoseconds ? later.nanoseconds &- nanoseconds : 0
    }
}
