// SPDX-License-Identifier: MIT
// The memory of another process, as the kernel reports it. Independent of its contents.

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

package enum ProcessMemory {
    /// The bytes of a process that are in memory; nil if it has ended.
    package static func resident(_ pid: Int32) -> Int? {
        guard pid > 0, let bytes = try? Platform.readFile("/proc/\(pid)/statm", limitBytes: 4096) else {
            return nil
        }
        let words = bytes.split(separator: UInt8(ascii: " "))
        guard words.count > 1, let pages = Int(String(decoding: words[1], as: UTF8.self)) else { return nil }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}
