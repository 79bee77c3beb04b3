// SPDX-License-Identifier: MIT
// Puts work into the timer queue. Independent of how it is done.

extension ClientSessions {
    func schedule(_ item: TimerItem, at due: MonotonicTime) {
        if timers.isFull { timers.removeAll(where: isMoot) }
        timers.add(item, due: due)
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
