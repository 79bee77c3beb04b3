// SPDX-License-Identifier: MIT
// Waits for a handful of descriptors, for a program that does one thing at a time. Does not know what they are.

internal import Glibc

/// What is waited for on one descriptor, and what has come.
package struct PollEvents: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let readable = PollEvents(rawValue: 1)
    package static let writable = PollEvents(rawValue: 2)
    /// It is broken, closed, or nobody is at its other end. Comes whether or not it was asked for.
    package static let gone = PollEvents(rawValue: 4)
}

/// `poll(2)`, which unlike an epoll set takes regular files as well (they are always ready).
///
/// - Threading: any.
/// - Cost: one system call and two small arrays; not for servers.
package enum Poll {
    /// Waits until something has come for one of them, or until `deadline` (nil: for ever).
    ///
    /// - Returns: what has come for each, in their order; all empty if the deadline passed.
    package static func wait(
        for wanted: [(descriptor: Int32, events: PollEvents)],
        until deadline: MonotonicTime? = nil
    ) -> [PollEvents] {
        var entries = wanted.map { pollfd(fd: $0.descriptor, events: $0.events.asked, revents: 0) }
        while true {
            let milliseconds = remaining(until: deadline)
            let ready = unsafe poll(&entries, nfds_t(entries.count), milliseconds)
            if ready < 0 {
                let code = errno
                // A signal interrupts the wait; short of memory, the kernel may have some the next time.
                precondition(code == EINTR || code == EAGAIN || code == ENOMEM, "poll was asked wrongly")
                continue
            }
            let isLate = deadline.map { $0 <= .now } ?? false
            if ready > 0 || isLate { return entries.map { PollEvents(came: $0.revents) } }
        }
    }

    /// Rounded up, so that a wait that ends has never ended early.
    private static func remaining(until deadline: MonotonicTime?) -> Int32 {
        guard let deadline else { return -1 }
        let nanoseconds = MonotonicTime.now.nanoseconds(until: deadline)
        return Int32(clamping: nanoseconds / 1_000_000 + (nanoseconds % 1_000_000 == 0 ? 0 : 1))
    }
}

private extension PollEvents {
    var asked: Int16 {
        Int16((contains(.readable) ? POLLIN : 0) | (contains(.writable) ? POLLOUT : 0))
    }

    init(came: Int16) {
        let bits = Int32(came)
        self = []
        if bits & POLLIN != 0 { insert(.readable) }
        if bits & POLLOUT != 0 { insert(.writable) }
        if bits & (POLLERR | POLLHUP | POLLNVAL) != 0 { insert(.gone) }
    }
}
