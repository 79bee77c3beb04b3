// SPDX-License-Identifier: MIT
// The kinds of work in the server's timer queue, and when they are moot. Independent of how it is done.

enum TimerItem {
    /// Refreshes the root `observed`, if it has subscribers.
    case refreshDaemonRoot
    /// Ends the temporary value with that number, if no client has replaced it since.
    case endLifetime(UInt64)
    /// Ends the temporary values of a connection that is closed.
    case endLifetimes(Int32)
    /// Repairs, writes and syncs the journal.
    case syncJournal
    /// Closes the connection with that number, if its client has left something unfinished for too long. No weak reference:
    /// an object that ever had one counts its references more slowly.
    case endIdle(Int32)
    /// Makes the mark of that path due, or ends its pace.
    case release(MarkedPath)

    var path: MarkedPath? { if case .release(let path) = self { path } else { nil } }
}

extension ClientSessions {
    func schedule(_ item: TimerItem, at due: MonotonicTime) {
        if timers.isFull { timers.removeAll(where: isMoot) }
        timers.add(item, due: due)
    }

    /// Removes moot items if the session's ended subscriptions may have left many: their times might keep paths for days.
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
