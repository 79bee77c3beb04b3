// SPDX-License-Identifier: MIT
// Connects one tree with its clients' sessions. Independent of sockets, of requests and of the journal's work.

/// The clients of one tree, as the sink of its changes: who gets which event, and when.
///
/// `CatchingUp` has the marks of slow clients, `Timers` the work with a due time.
@safe final class Clients: ClientSessions {
    override init(limits: ServerLimits, now: MonotonicTime, clock: @escaping () -> MonotonicTime) {
        super.init(limits: limits, now: now, clock: clock)
        tree.notify(self)
    }

    deinit {
        tree.notify(nil)
        daemonRoot.dismiss()
    }
}
