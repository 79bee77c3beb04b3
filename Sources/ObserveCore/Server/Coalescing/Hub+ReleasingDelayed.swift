// SPDX-License-Identifier: MIT
// When delayed events are released: all of a subscription that are due, as one frame. Independent of what they report.

extension Hub {
    func schedule(_ place: PacedPath, at due: MonotonicTime) {
        guard !place.isScheduled else { return }
        place.isScheduled = true
        place.pacer.waiting.add(place, due: due)
        arm(place.pacer)
    }

    /// Lets the timer queue call ``release(_:at:)`` when the pacer's first path is due.
    func arm(_ pacer: Pacer) {
        guard let due = pacer.waiting.next, due < pacer.armed else { return }
        pacer.armed = due
        schedule(.release(pacer), at: due)
    }

    /// Sends the delayed events of the paths that are due, as one frame.
    func release(_ pacer: Pacer, at now: MonotonicTime) {
        // Otherwise an earlier timer has released the paths for which this one was set.
        guard pacer.armed <= now else { return }
        pacer.armed = .distantFuture
        for place in pacer.popDue(at: now) { release(place, at: now) }
        endMoment()
        arm(pacer)
    }

    /// Sends all delayed events of the subscription now, as one frame.
    func releaseAll(_ pacer: Pacer, at now: MonotonicTime) {
        for place in pacer.popDue(at: .distantFuture) {
            place.due = now
            release(place, at: now)
        }
        endMoment()
    }
}
