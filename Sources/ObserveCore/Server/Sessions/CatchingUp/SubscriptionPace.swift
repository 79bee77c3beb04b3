// SPDX-License-Identifier: MIT
// When the paths of a subscription with `throttle` or `debounce` may have events. Independent of trees and sockets.

/// How often a subscription gets events of one path.
enum Pace {
    /// At most once in so many nanoseconds.
    case throttle(UInt64)
    /// Once there was no change for so many nanoseconds.
    case debounce(UInt64)
}

/// The pace of one subscription, and its paths whose times are still to come.
final class SubscriptionPace {
    let pace: Pace
    /// All of its paths are literal: they keep their paces as long as it lasts.
    let isLiteral: Bool
    /// The time of the initial events.
    var beganAt: MonotonicTime?
    /// Those whose marks become due, or that are forgotten then.
    var waiting = TimerQueue<MarkedPath>()
    /// When the next timer for ``waiting`` is due; the distant future if there is none.
    var armed = MonotonicTime.distantFuture

    init(_ pace: Pace, isLiteral: Bool) { (self.pace, self.isLiteral) = (pace, isLiteral) }

    var throttle: UInt64? { if case .throttle(let nanoseconds) = pace { nanoseconds } else { nil } }
    var debounce: UInt64? { if case .debounce(let nanoseconds) = pace { nanoseconds } else { nil } }

    /// Removes and returns the paths that are due.
    func popDue(at now: MonotonicTime) -> [MarkedPath] {
        var paths: [MarkedPath] = []
        while let path = waiting.popDue(at: now) { paths.append(path) }
        return paths
    }
}
