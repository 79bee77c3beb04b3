// SPDX-License-Identifier: MIT
// Waits for descriptors until a deadline.

import Glibc

/// Waits until a condition without a descriptor holds.
func waitUntil(_ what: String, _ holds: () -> Bool) throws {
    let deadline = Deadline(after: ChildProcess.patience)
    while !holds() {
        guard deadline.remaining > .zero else {
            throw ProcessError(description: "waited in vain until \(what)")
        }
        usleep(2000)
    }
}

/// The end of a wait.
struct Deadline {
    private let end: ContinuousClock.Instant

    init(after limit: Duration) { end = ContinuousClock.now + limit }

    var remaining: Duration { max(ContinuousClock.now.duration(to: end), .zero) }

    /// Waits until one of the descriptors is readable or closed; false after the deadline.
    func waitForInput(_ entries: inout [pollfd]) -> Bool {
        while true {
            let left = remaining.components
            let milliseconds = Int32(left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000)
            let ready = unsafe poll(&entries, nfds_t(entries.count), milliseconds)
            if ready < 0, errno == EINTR { continue }
            return ready > 0
        }
    }

    static func entry(_ descriptor: Int32) -> pollfd {
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    }
}
