// SPDX-License-Identifier: MIT
// What the hub does when its time has come. Knows no timer: whoever drives the hub arms one at the agenda's next point.

/// Something that the hub does at a point in time. Each case says by itself how it is found moot.
enum TimerItem {
    /// The root `observed` is filled anew, if somebody looks at it.
    case refreshDaemonRoot
    /// The value with that number ends, if nobody has written since.
    case endLifetime(UInt64)
    /// The values end that a connection set which is gone.
    case endLifetimes(Int32)
    /// What the journal has is to be on the disk.
    case syncJournal
    /// What is held back of that path may be told.
    case release(PacedPath)
}

extension Hub {
    /// Puts something on the agenda. What has become moot is taken off it before there is more of that than of the rest.
    func schedule(_ item: TimerItem, at due: MonotonicTime) {
        if timers.count >= timerLimit {
            timers.removeAll(where: isMoot)
            timerLimit = max(64, timers.count * 2)
        }
        timers.add(item, due: due)
    }

    /// Does what is due. What comes of it stands in the sessions' outputs.
    func runTimers(at now: MonotonicTime) {
        // What is told now could not be told once more.
        flushBatch()
        while let item = timers.popDue(at: now) { run(item, at: now) }
    }

    func run(_ item: TimerItem, at now: MonotonicTime) {
        switch item {
        case .refreshDaemonRoot: refreshDaemonRoot(at: now)
        case .endLifetime(let number): endLifetime(number)
        case .endLifetimes(let owner): endLifetimes(of: owner)
        case .syncJournal: syncJournal()
        case .release(let place): release(place, at: now)
        }
    }

    private func isMoot(_ item: TimerItem) -> Bool {
        switch item {
        case .refreshDaemonRoot, .syncJournal: false
        case .endLifetimes(let owner): !tree.reader.hasTemporaryValues(of: owner)
        case .endLifetime(let number): tree.lifetime(ofTimed: number) == nil
        case .release(let place): place.pacer.isOver
        }
    }
}
