// SPDX-License-Identifier: MIT
// The kinds of work in the server's timer queue.

/// Work that the server does at a point in time. Each case has a condition under which it is moot.
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
