// SPDX-License-Identifier: MIT
// Does the work in the timer queue when it is due. Independent of timers: the hub's driver arms one.

extension Hub {
    /// Does the work that is due. Its events wait in the sessions' outputs.
    func runTimers(at now: MonotonicTime) {
        // After a refused batch, the hub could not repeat the events of a timer.
        flushBatch()
        var delayed: [PacedPath] = []
        while let item = timers.popDue(at: now) {
            if case .release(let place) = item { delayed.append(place) } else { run(item, at: now) }
        }
        guard !delayed.isEmpty else { return }
        // The delayed events of a subscription that are due now are one frame. Those of other subscriptions must not come
        // between: they may have to wait in the outbox, and the frame continues in the output.
        var released: [ObjectIdentifier: [PacedPath]] = [:]
        for place in delayed { released[ObjectIdentifier(place.pacer), default: []].append(place) }
        for place in delayed {
            for place in released.removeValue(forKey: ObjectIdentifier(place.pacer)) ?? [] {
                release(place, at: now)
            }
        }
        endMoment()
    }

    func run(_ item: TimerItem, at now: MonotonicTime) {
        switch item {
        case .refreshDaemonRoot: refreshDaemonRoot(at: now)
        case .endLifetime(let number): endLifetime(number)
        case .endLifetimes(let owner): endLifetimes(of: owner)
        case .syncJournal: syncJournal()
        case .endIdle(let unfinished): endIdle(unfinished, at: now)
        case .release(let place):
            release(place, at: now)
            endMoment()
        }
    }
}
