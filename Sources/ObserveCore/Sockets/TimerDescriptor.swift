// SPDX-License-Identifier: MIT
// One alarm as a descriptor, and the clock that it runs on. Does not know whose deadline it is.

internal import CLinux
internal import Glibc

extension MonotonicTime {
    /// Cost: about 20 ns; no system call.
    @inline(__always)
    package static var now: MonotonicTime { MonotonicTime(nanoseconds: linux_monotonic_nanoseconds()) }
}

/// A timer that is readable once its time has come (timerfd): all deadlines of an epoll set share one.
///
/// - Threading: confined to its owner.
/// - Cost: one system call each; none if the time is the one already armed.
package final class TimerDescriptor {
    private let descriptor: FileDescriptor
    /// The time it is set to; nil if it rests, or may have rung.
    private var armed: MonotonicTime?

    package init() throws(SocketError) {
        descriptor = try Syscall.open("timerfd_create") {
            timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
        }
    }

    package var number: Int32 { descriptor.number }

    /// Rings once at `time`, at once if that has passed; forgets any earlier setting.
    package func arm(at time: MonotonicTime) {
        guard armed != time else { return }
        // Zero would disarm, and the kernel takes signed seconds.
        set(min(max(time.nanoseconds, 1), UInt64(Int64.max)))
        armed = time
    }

    /// Rings no more, and is no longer readable if it had rung.
    package func disarm() {
        set(0)
        armed = nil
    }

    /// Whether it has rung since the last time; it is then no longer readable.
    @discardableResult
    package func drain() -> Bool {
        var count: UInt64 = 0
        let number = number
        let call = Syscall.run { unsafe read(number, &count, MemoryLayout<UInt64>.size) }
        guard !call.hasFailed else { return false }
        armed = nil
        return true
    }

    private func set(_ nanoseconds: UInt64) {
        let call = Syscall.run { linux_timer_set(number, nanoseconds) }
        precondition(!call.hasFailed, "the timer descriptor is broken")
    }
}
