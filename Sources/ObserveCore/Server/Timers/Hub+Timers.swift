// SPDX-License-Identifier: MIT
// Does the work in the timer queue when it is due. Independent of timers: the hub's driver arms one.

extension Hub {
    /// Does the work that is due, until the round is over; at least one item. Its events wait in the sessions' outputs.
    func runTimers(at now: MonotonicTime) {
        // After a refused batch, the hub could not repeat the events of a timer.
        flushBatch()
        repeat {
            guard let item = timers.popDue(at: now) else { return }
            sessions.turns.count(Turns.request)
            run(item, at: now)
            countTreeWork()
        } while !isRoundOver
    }

    func run(_ item: TimerItem, at now: MonotonicTime) {
        switch item {
        case .refreshDaemonRoot: refreshDaemonRoot(at: now)
        case .endLifetime(let number): endLifetime(number)
        case .endLifetimes(let owner): endLifetimes(of: owner)
        case .syncJournal: syncJournal()
        case .endIdle(let unfinished): endIdle(unfinished, at: now)
        case .release(let subscription): release(subscription, at: now)
        }
    }
}
