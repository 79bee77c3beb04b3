// SPDX-License-Identifier: MIT
// How long processors have worked for somebody. Does not know what they did.

internal import CLinux
internal import Glibc

/// Nanoseconds of processor time, user and system together.
///
/// - Threading: any.
/// - Cost: one system call.
package enum ProcessorTime {
    /// That of all threads of a process, of another user too; nil if there is none of that number.
    package static func ofProcess(_ pid: Int32) -> UInt64? {
        var clock = clockid_t()
        guard unsafe clock_getcpuclockid(pid, &clock) == 0 else { return nil }
        return read(clock)
    }

    /// That of the thread that asks.
    package static var ofThread: UInt64 { read(CLOCK_THREAD_CPUTIME_ID) ?? 0 }

    private static func read(_ clock: clockid_t) -> UInt64? {
        var time = timespec()
        guard unsafe clock_gettime(clock, &time) == 0 else { return nil }
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
