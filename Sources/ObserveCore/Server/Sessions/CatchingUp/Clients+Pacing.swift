// SPDX-License-Identifier: MIT
// throttle and debounce: marks become due at their times, all of one time in one frame. Independent of sockets.
//
// A pace belongs to a path, not to its attachment: a path that ceases to match and matches again keeps its pace.

extension Clients {
    /// Notes that the path's event was sent at `now`, and when a throttled path may have the next.
    func noteSent(_ path: MarkedPath, at now: MonotonicTime) {
        guard let pace = path.subscription.pace, pace.throttle > 0 else { return }
        path.time = now.adding(nanoseconds: pace.throttle)
        // Scheduled so that it is forgotten then.
        if !pace.isLiteral || path.parent != nil { schedule(path) }
    }

    /// Lets the timer queue call ``release(_:at:)`` at the path's time.
    func schedule(_ path: MarkedPath) {
        if path.isScheduled { return }
        path.isScheduled = true
        schedule(.release(path), at: path.time)
    }

    /// Makes the path's mark due if its time has come, or forgets the path if it needs no pace any more.
    func release(_ path: MarkedPath, at now: MonotonicTime) {
        if path.subscription.isOver { return }
        path.isScheduled = false
        if path.time > now { return schedule(path) }
        if path.mark == nil { path.forgetIfUseless() } else { noteDue(path) }
    }

    /// Makes all marks due: the daemon is about to end. Of equal times, the oldest comes first.
    func releaseAll() {
        let paths = timers.popAll { $0.path != nil }.compactMap(\.path)
        let order = paths.indices.sorted { (paths[$0].time, $0) < (paths[$1].time, $1) }
        for path in order.lazy.map({ paths[$0] }) {
            path.time = MonotonicTime(nanoseconds: 0)
            release(path, at: path.time)
        }
    }
}
