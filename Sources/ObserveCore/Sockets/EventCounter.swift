// SPDX-License-Identifier: MIT
// A counter that is readable while it is not zero (eventfd): it wakes an epoll set from other threads.

internal import CLinux

/// - Threading: any thread may signal; one owner drains.
/// - Cost: one system call each.
package final class EventCounter: Sendable {
    private let descriptor: FileDescriptor

    package init() throws(SocketError) {
        descriptor = try Syscall.open("eventfd") { eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)) }
    }

    package var number: Int32 { descriptor.number }

    package func signal() {
        // Fails only if the counter is full, after 2^64 - 2 signals; it is then readable anyway.
        _ = Syscall.run { eventfd_write(number, 1) }
    }

    /// Resets the counter and returns its former value.
    @discardableResult package func drain() -> UInt64 {
        var count: UInt64 = 0
        let call = Syscall.run { unsafe eventfd_read(number, &count) }
        return call.hasFailed ? 0 : count
    }
}
