// SPDX-License-Identifier: MIT
// Does the work in the timer queue when it is due. Independent of timers: the hub's driver arms one.

extension Hub {
    /// Does the work that is due, until the round is over; at least one item. Its events wait in the sessions' outputs.
    func runTimers(at now: MonotonicTime) {
        repeat {
            guard let item = clients.timers.popDue(at: now) else { return }
            clients.count(work: Cost.request)
            run(item, at: now)
            clients.countTreeWork()
        } while !clients.isRoundOver
    }

    func run(_ item: TimerItem, at now: MonotonicTime) {
        switch item {
        case .refreshDaemonRoot: refreshDaemonRoot(at: now)
        case .endLifetime(let number): journaling.endLifetime(number)
        case .endLifetimes(let owner): journaling.endLifetimes(of: owner)
        case .syncJournal: journaling.syncJournal()
        case .endIdle(let number): clients.endIdle(number, at: now)
        case .release(let subscription):
            if let session = clients.release(subscription, at: now) { journaling.catchUp(session) }
        }
    }
}
