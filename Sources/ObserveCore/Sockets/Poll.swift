// SPDX-License-Identifier: MIT
// Waits for a few descriptors, for programs that do one thing at a time.

internal import CLinux

package struct PollEvents: OptionSet, Hashable, Sendable {
    package let rawValue: Int16

    package init(rawValue: Int16) { self.rawValue = rawValue }

    package static let readable = PollEvents(rawValue: Int16(POLLIN))
    package static let writable = PollEvents(rawValue: Int16(POLLOUT))
    /// The descriptor is broken or closed, or its other end is closed. Occurs without a request.
    package static let gone = PollEvents(rawValue: Int16(POLLERR | POLLHUP | POLLNVAL))

    /// Each of the three bits of ``gone`` stands for it.
    fileprivate init(returned: Int16) {
        self.init(rawValue: returned)
        if !isDisjoint(with: .gone) { insert(.gone) }
    }
}

/// `poll(2)`, which accepts regular files too, unlike an epoll set (they are always ready).
/// - Threading: any thread.
/// - Cost: one system call and two small arrays; too slow for servers.
package enum Poll {
    /// - Returns: The readiness of each descriptor, in their order; all empty if the deadline passed.
    package static func wait(
        for wanted: [(descriptor: Int32, events: PollEvents)],
        until deadline: MonotonicTime? = nil
    ) -> [PollEvents] {
        var entries = wanted.map { pollfd(fd: $0.descriptor, events: $0.events.rawValue, revents: 0) }
        while true {
            let milliseconds = remaining(until: deadline)
            let ready = unsafe poll(&entries, nfds_t(entries.count), milliseconds)
            if ready < 0 {
                let code = linux_errno()
                // A signal interrupted the wait, or the kernel was short of memory: retry.
                let mayRepeat = code == EINTR || code == EAGAIN || code == ENOMEM
                precondition(mayRepeat, "poll was called with invalid arguments")
                continue
            }
            let isLate = deadline.map { $0 <= .now } ?? false
            if ready > 0 || isLate { return entries.map { PollEvents(returned: $0.revents) } }
        }
    }

    /// Rounds up, so that a wait never ends early.
    private static func remaining(until deadline: MonotonicTime?) -> Int32 {
        guard let deadline else { return -1 }
        let nanoseconds = MonotonicTime.now.nanoseconds(until: deadline)
        return Int32(clamping: nanoseconds / 1_000_000 + (nanoseconds % 1_000_000 == 0 ? 0 : 1))
    }
}
