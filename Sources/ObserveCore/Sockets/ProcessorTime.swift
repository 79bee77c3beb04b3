// SPDX-License-Identifier: MIT
// The processor time of processes and threads.

internal import CLinux

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Nanoseconds of processor time, user and system together.
///
/// - Threading: any thread.
/// - Cost: one system call.
package enum ProcessorTime {
    /// The time of all threads of a process, also another user's; nil if no process has that number.
    package static func ofProcess(_ pid: Int32) -> UInt64? {
        var clock = clockid_t()
        guard unsafe clock_getcpuclockid(pid, &clock) == 0 else { return nil }
        return read(clock)
    }

    /// The time of the current thread.
    package static var ofThread: UInt64 { read(CLOCK_THREAD_CPUTIME_ID) ?? 0 }

    private static func read(_ clock: clockid_t) -> UInt64? {
        var time = timespec()
        guard unsafe clock_gettime(clock, &time) == 0 else { return nil }
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
