// SPDX-License-Identifier: MIT
// Which of many descriptors are ready. Knows them by tokens only, and neither reads nor owns any but its own.

internal import CLinux
internal import Glibc

/// What is waited for, and what has come.
///
/// `hangUp` and `error` come whether or not they were asked for.
package struct EpollEvents: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    @inline(__always)
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let readable = EpollEvents(rawValue: EPOLLIN.rawValue)
    package static let writable = EpollEvents(rawValue: EPOLLOUT.rawValue)
    /// Both directions are over.
    package static let hangUp = EpollEvents(rawValue: EPOLLHUP.rawValue)
    package static let error = EpollEvents(rawValue: EPOLLERR.rawValue)
}

/// A level-triggered epoll set with room for one batch of events.
///
/// - Bounds: a wait returns at most ``batchLimit`` events; the rest come with the next.
/// - Errors: a set that is full, or a descriptor that cannot be waited for, is thrown. A broken set traps.
/// - Threading: confined to its owner; only the kernel's half is shared.
/// - Cost: a wait is one system call and allocates nothing.
///
/// Memory: `events` is private, made in `init` and freed in `deinit`; no pointer to it leaves a method.
@safe
package final class Epoll {
    package static let batchLimit = 256

    private let descriptor: FileDescriptor
    @safe private let events: UnsafeMutableRawPointer
    /// How many events the last wait filled in.
    private var count = 0

    package init() throws(SocketError) {
        descriptor = try Syscall.open("epoll_create1") { epoll_create1(Int32(EPOLL_CLOEXEC)) }
        events = .allocate(
            byteCount: linux_epoll_event_size() * Epoll.batchLimit,
            alignment: 16
        )
    }

    deinit { unsafe events.deallocate() }

    /// The set's own descriptor, which is readable while any descriptor in it is ready.
    package var number: Int32 { descriptor.number }

    /// Starts waiting for `interest` on `member`. Its events carry `token`.
    package func add(_ member: Int32, _ interest: EpollEvents, token: UInt64) throws(SocketError) {
        try control(EPOLL_CTL_ADD, member, interest, token)
    }

    package func modify(_ member: Int32, _ interest: EpollEvents, token: UInt64) throws(SocketError) {
        try control(EPOLL_CTL_MOD, member, interest, token)
    }

    /// Stops waiting. Events of the current batch may still name the token; no later one will.
    package func remove(_ member: Int32) throws(SocketError) {
        try control(EPOLL_CTL_DEL, member, [], 0)
    }

    /// Waits at most so long (-1: for ever, 0: not at all) and returns how many events came. A signal ends
    /// the wait early.
    @inline(__always)
    package func wait(timeoutMilliseconds: Int32) -> Int {
        let ready = unsafe linux_epoll_wait(number, events, Int32(Epoll.batchLimit), timeoutMilliseconds)
        if ready < 0 {
            let code = errno
            precondition(code == EINTR, "the epoll descriptor is broken")
        }
        count = max(Int(ready), 0)
        return count
    }

    /// The token of the last wait's event `index`.
    @inline(__always)
    package func token(_ index: Int) -> UInt64 {
        precondition(index >= 0 && index < count, "an event that the last wait did not return was asked for")
        return unsafe linux_epoll_token(events, index)
    }

    /// What the last wait's event `index` said.
    @inline(__always)
    package func flags(_ index: Int) -> EpollEvents {
        precondition(index >= 0 && index < count, "an event that the last wait did not return was asked for")
        return EpollEvents(rawValue: unsafe linux_epoll_flags(events, index))
    }
}

private extension Epoll {
    func control(
        _ operation: Int32,
        _ member: Int32,
        _ interest: EpollEvents,
        _ token: UInt64
    ) throws(SocketError) {
        try Syscall.check("epoll_ctl") {
            linux_epoll_ctl(number, operation, member, interest.rawValue, token)
        }
    }
}
