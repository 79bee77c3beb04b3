// SPDX-License-Identifier: MIT
// The name, the memory and the processor time of processes, as the kernel reports them. Never names a later process with the
// same number.

internal import CLinux

/// A time on the clock by which the kernel dates processes.
package struct TimeSinceBoot: Sendable {
    /// Hundredths of a second since the system started.
    fileprivate let ticks: UInt64

    package static var now: TimeSinceBoot {
        TimeSinceBoot(ticks: (Platform.nanoseconds(CLOCK_BOOTTIME) ?? 0) / 10_000_000)
    }
}

package enum ProcessName {
    /// The name of the process that has had this number since that time; nil if it has ended.
    ///
    /// Both come from one read. A process that started later is another one, which got the number of the first.
    package static func of(_ pid: Int32, runningAt time: TimeSinceBoot) -> String? {
        guard pid > 0, let bytes = try? Platform.readFile("/proc/\(pid)/stat", limitBytes: 4096),
            let (name, start) = parse(bytes), start <= time.ticks
        else { return nil }
        return name
    }

    /// Parses `pid (name) state …`. The name may have any characters; the start is the twentieth word after it.
    private static func parse(_ bytes: [UInt8]) -> (name: String, start: UInt64)? {
        guard let open = bytes.firstIndex(of: UInt8(ascii: "(")),
            let close = bytes.lastIndex(of: UInt8(ascii: ")")), open < close
        else { return nil }
        let words = bytes[(close + 1)...].split(separator: UInt8(ascii: " "))
        guard words.count > 19, let start = UInt64(String(decoding: words[19], as: UTF8.self))
        else { return nil }
        return (String(decoding: bytes[(open + 1)..<close], as: UTF8.self), start)
    }
}

package enum ProcessMemory {
    /// The bytes of a process that are in memory; nil if it has ended.
    package static func resident(_ pid: Int32) -> Int? {
        guard pid > 0, let bytes = try? Platform.readFile("/proc/\(pid)/statm", limitBytes: 4096)
        else { return nil }
        let words = bytes.split(separator: UInt8(ascii: " "))
        guard words.count > 1, let pages = Int(String(decoding: words[1], as: UTF8.self)) else { return nil }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}

/// Nanoseconds of processor time, user and system together.
/// - Threading: any thread.
/// - Cost: one system call.
package enum ProcessorTime {
    /// The time of all threads of a process, also another user's; nil if no process has that number.
    package static func ofProcess(_ pid: Int32) -> UInt64? {
        var clock = clockid_t()
        guard unsafe clock_getcpuclockid(pid, &clock) == 0 else { return nil }
        return Platform.nanoseconds(clock)
    }

    /// The time of the current thread.
    package static var ofThread: UInt64 { Platform.nanoseconds(CLOCK_THREAD_CPUTIME_ID) ?? 0 }
}
