// SPDX-License-Identifier: MIT
// Waits for readiness of many descriptors. Identifies them by tokens; neither reads nor owns them.

internal import CLinux

/// The kinds of readiness to wait for, or that occurred.
///
/// `hangUp` and `error` occur without a request.
package struct EpollEvents: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    @inline(__always) package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let readable = EpollEvents(rawValue: EPOLLIN.rawValue)
    package static let writable = EpollEvents(rawValue: EPOLLOUT.rawValue)
    /// Both directions are closed.
    package static let hangUp = EpollEvents(rawValue: EPOLLHUP.rawValue)
    package static let error = EpollEvents(rawValue: EPOLLERR.rawValue)
}

/// A level-triggered epoll set with memory for one batch of events.
///
/// - Bounds: a wait returns at most ``batchLimit`` events; the next wait returns the rest.
/// - Errors: throws if the set is full, or can't wait for a descriptor. Traps if the set's own descriptor is broken.
/// - Cost: a wait is one system call and allocates nothing.
///
/// Memory: `init` allocates `events` and `deinit` frees it; no pointer to it leaves a method.
@safe package final class Epoll {
    package static let batchLimit = 256

    private let descriptor: FileDescriptor
    @safe private let events: UnsafeMutableRawPointer
    private var count = 0

    package init() throws(SocketError) {
        descriptor = try Syscall.open("epoll_create1") { epoll_create1(Int32(EPOLL_CLOEXEC)) }
        events = .allocate(byteCount: linux_epoll_event_size() * Epoll.batchLimit, alignment: 16)
    }

    deinit { unsafe events.deallocate() }

    /// The set's own descriptor. It is readable while any descriptor in the set is ready.
    package var number: Int32 { descriptor.number }

    package func add(_ member: Int32, _ interest: EpollEvents, token: UInt64) throws(SocketError) {
        try control(EPOLL_CTL_ADD, member, interest, token)
    }

    package func modify(_ member: Int32, _ interest: EpollEvents, token: UInt64) throws(SocketError) {
        try control(EPOLL_CTL_MOD, member, interest, token)
    }

    /// Removes a descriptor. The current batch may still have events with its token.
    package func remove(_ member: Int32) throws(SocketError) { try control(EPOLL_CTL_DEL, member, [], 0) }

    /// Waits for events until the timeout (-1: none, 0: no wait), and returns their number. A signal ends the wait early.
    @inline(__always) package func wait(timeoutMilliseconds: Int32) -> Int {
        let ready = unsafe linux_epoll_wait(number, events, Int32(Epoll.batchLimit), timeoutMilliseconds)
        if ready < 0 {
            let code = linux_errno()
            precondition(code == EINTR, "the epoll descriptor is broken")
        }
        count = max(Int(ready), 0)
        return count
    }

    @inline(__always) package func token(_ index: Int) -> UInt64 {
        precondition(index >= 0 && index < count, "the last wait did not return this event")
        return unsafe linux_epoll_token(events, index)
    }

    @inline(__always) package func flags(_ index: Int) -> EpollEvents {
        precondition(index >= 0 && index < count, "the last wait did not return this event")
        return EpollEvents(rawValue: unsafe linux_epoll_flags(events, index))
    }

    private func control(_ operation: Int32, _ member: Int32, _ interest: EpollEvents, _ token: UInt64)
        throws(SocketError)
    {
        try Syscall.check("epoll_ctl") {
            linux_epoll_ctl(number, operation, member, interest.rawValue, token)
        }
    }
}
