// SPDX-License-Identifier: MIT
// throttle and debounce: marks become due at their times, all of a subscription at one moment. Independent of sockets.
//
// A pace belongs to a path, not to its attachment: a path that ceases to match and matches again keeps its pace.

extension Clients {
    /// Notes that the path's event was sent at `now`, and when a throttled path may have the next.
    func noteSent(_ path: MarkedPath, at now: MonotonicTime) {
        guard let pacing = path.subscription.pacing, let nanoseconds = pacing.throttle else { return }
        path.freeAt = now.adding(nanoseconds: nanoseconds)
        // Scheduled so that it is forgotten then.
        if !pacing.isLiteral || path.parent != nil { schedule(path, at: path.freeAt) }
    }

    /// Notes the initial event, which counts for `throttle`. Those of one subscription share their time, in however many
    /// turns they are sent.
    func noteInitial(_ id: AttachmentID, _ session: Session) {
        guard
            let pacing = session.marks.subscription(registry.attachments[id].subscription)?.pacing,
            pacing.throttle != nil
        else { return }
        let time = pacing.beganAt ?? timeOfMoment()
        pacing.beganAt = time
        noteSent(path(of: id, session), at: time)
    }

    // MARK: Times

    func schedule(_ path: MarkedPath, at due: MonotonicTime) {
        guard !path.isScheduled, let pacing = path.subscription.pacing else { return }
        path.isScheduled = true
        pacing.waiting.add(path, due: due)
        arm(path.subscription)
    }

    /// Lets the timer queue call ``release(_:at:)`` when the subscription's first path is due.
    private func arm(_ subscription: MarkedSubscription) {
        guard let pacing = subscription.pacing, let due = pacing.waiting.next, due < pacing.armed else {
            return
        }
        pacing.armed = due
        schedule(.release(subscription), at: due)
    }

    /// Makes the marks whose time has come due, and forgets the paths that need no pace any more.
    ///
    /// - Returns: the session of a client that may catch up now; nil if there is none.
    func release(_ subscription: MarkedSubscription, at now: MonotonicTime) -> Session? {
        // Otherwise an earlier timer has released the paths for which this one was set.
        guard !subscription.isOver, let pacing = subscription.pacing, pacing.armed <= now else { return nil }
        pacing.armed = .distantFuture
        for path in pacing.popDue(at: now) { release(path, at: now) }
        arm(subscription)
        return subscription.session.delivery.isBlocked ? nil : subscription.session
    }

    private func release(_ path: MarkedPath, at now: MonotonicTime) {
        path.isScheduled = false
        let subscription = path.subscription
        if path.mark == nil || path.isDue {
            if path.freeAt > now { return schedule(path, at: path.freeAt) }
            return path.forgetIfUseless()
        }
        if path.due > now { return schedule(path, at: path.due) }
        subscription.appendDue(path)
        noteBehind(subscription, subscription.session)
    }

    /// Makes all marks due.
    func releaseAll(of session: Session) {
        guard session.hasMarks else { return }
        for subscription in session.marks.paced {
            for path in subscription.pacing?.popDue(at: .distantFuture) ?? [] {
                path.due = MonotonicTime(nanoseconds: 0)
                path.freeAt = path.due
                release(path, at: path.due)
            }
        }
    }
}
