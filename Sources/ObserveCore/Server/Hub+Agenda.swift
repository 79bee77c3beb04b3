// SPDX-License-Identifier: MIT
// What the hub does when its time has come. Knows no timer: whoever drives the hub arms one at the agenda's next point.

/// Something that the hub does at a point in time. Each case says by itself how it is found moot.
enum AgendaItem {
    /// The root `observed` is filled anew, if somebody looks at it.
    case refreshDaemonRoot
}

extension Hub {
    /// Does what is due. What comes of it stands in the sessions' outputs.
    func runAgenda(at now: MonotonicTime) {
        while let item = agenda.popDue(at: now) {
            switch item {
            case .refreshDaemonRoot: refreshDaemonRoot(at: now)
            }
        }
    }
}
