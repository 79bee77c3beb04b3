// SPDX-License-Identifier: MIT
// A point in time that no clock change moves. Does not know what time it is: `Sockets` reads the clock.

/// Nanoseconds on the kernel's CLOCK_MONOTONIC, the clock that timer descriptors run on.
///
/// Not `ContinuousClock`: on Linux that one also counts time asleep, so its instants would arm timers
/// wrongly.
package struct MonotonicTime: Comparable, Hashable, Sendable {
    package var nanoseconds: UInt64

    package init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

    /// Later than anything that happens.
    package static let distantFuture = MonotonicTime(nanoseconds: .max)

    @inline(__always)
    package static func < (left: MonotonicTime, right: MonotonicTime) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// Stops at ``distantFuture`` instead of overflowing.
    @inline(__always)
    package func adding(nanoseconds more: UInt64) -> MonotonicTime {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(more)
        return MonotonicTime(nanoseconds: overflow ? .max : sum)
    }

    package func adding(milliseconds: UInt64) -> MonotonicTime {
        let (product, overflow) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
        return adding(nanoseconds: overflow ? .max : product)
    }

    /// How long until `later`; zero if that has passed.
    @inline(__always)
    package func nanoseconds(until later: MonotonicTime) -> UInt64 {
        later.nanoseconds > nanoseconds ? later.nanoseconds &- nanoseconds : 0
    }
}
