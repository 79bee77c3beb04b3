// SPDX-License-Identifier: MIT
// Frees code pages that only the start needed.

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

extension Platform {
    /// Frees the pages of code that the process has used so far. Most of them were needed only for the start. The
    /// kernel loads the others again from the page cache.
    ///
    /// - Cost: most of a millisecond, now and in the next requests. It frees two thirds of the resident memory of
    ///   an idle daemon.
    package static func releaseStartPages() {
        guard let bytes = try? readFile("/proc/self/maps", limitBytes: 1 << 20) else { return }
        for line in bytes.split(separator: 0x0A) {
            // first-last permissions offset device inode path
            let fields = line.split(separator: 0x20, maxSplits: 5)
            // Only pages that can have no changes: relocated data is read-only too, and would be lost.
            guard fields.count == 6, fields[1].elementsEqual("r-xp".utf8), fields[5].contains(0x2F) else {
                continue
            }
            let ends = fields[0].split(separator: 0x2D)
            guard ends.count == 2, let first = address(ends[0]), let last = address(ends[1]) else { continue }
            _ = unsafe madvise(
                UnsafeMutableRawPointer(bitPattern: first),
                size_t(last - first),
                MADV_DONTNEED
            )
        }
    }

    private static func address(_ digits: ArraySlice<UInt8>) -> UInt? {
        UInt(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}
