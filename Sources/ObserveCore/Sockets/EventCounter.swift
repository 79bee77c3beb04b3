// SPDX-License-Identifier: MIT
// Wakes one waiter from other threads, as a descriptor. Does not know why it wakes.

internal import CLinux
internal import Glibc

/// A counter that is readable while it is not zero (eventfd): it brings work of other queues into an epoll
/// set.
///
/// - Threading: signal from anywhere; one owner drains.
/// - Cost: one system call each.
package final class EventCounter: Sendable {
    private let descriptor: FileDescriptor

    package init() throws(SocketError) {
        descriptor = try Syscall.open("eventfd") {
            eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        }
    }

    package var number: Int32 { descriptor.number }

    /// Makes it readable. Signals that nobody has drained yet add up.
    package func signal() {
        // The counter full, after 2^64 - 2 signals, is the only failure; it is then readable anyway.
        _ = Syscall.run { eventfd_write(number, 1) }
    }

    /// Takes all signals and returns how many there were; zero if none.
    @discardableResult
    package func drain() -> UInt64 {
        var count: UInt64 = 0
        let call = Syscall.run { unsafe eventfd_read(number, &count) }
        return call.hasFailed ? 0 : count
    }
}
