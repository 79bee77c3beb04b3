// SPDX-License-Identifier: MIT
// Puts work into the timer queue. Independent of how it is done.

extension ClientSessions {
    func schedule(_ item: TimerItem, at due: MonotonicTime) {
        if timers.isFull { timers.removeAll(where: isMoot) }
        timers.add(item, due: due)
    }

    /// Removes moot items from the timer queue if the session's ended subscriptions may have left it many: paths, which their
    /// times might keep for days.
    func removeMootReleases(of session: Session) {
        guard session.delivery.further.mootReleases > 0 else { return }
        timers.noteMoot(session.delivery.further.mootReleases)
        session.delivery.further.mootReleases = 0
        guard timers.isFull else { return }
        count(work: timers.count >> 3)
        timers.removeAll(where: isMoot)
    }

    private func isMoot(_ item: TimerItem) -> Bool {
        switch item {
        case .refreshDaemonRoot, .syncJournal: false
        case .endLifetimes(let owner): !tree.reader.hasTemporaryValues(of: owner)
        case .endLifetime(let number): !tree.reader.hasTimedValue(number)
        case .endIdle(let number): sessions[number] == nil
        case .release(let path): path.subscription.isOver
        }
    }
}
