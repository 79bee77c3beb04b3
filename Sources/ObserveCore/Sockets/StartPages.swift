// SPDX-License-Identifier: MIT
// Memory that only starting needed. Knows nothing of what was started.

internal import Glibc

extension Platform {
    /// Gives back the pages of code that have been read so far: most of them were needed to start, and never again. What is
    /// still needed comes back, from the page cache, when it is run.
    ///
    /// - Cost: most of a millisecond, now and in the next requests. What it gives back is two thirds of the resident
    ///   memory of a daemon that does nothing yet.
    package static func releaseStartPages() {
        guard let bytes = try? readFile("/proc/self/maps", limitBytes: 1 << 20) else { return }
        for line in bytes.split(separator: 0x0A) {
            // first-last permissions offset device inode path
            let fields = line.split(separator: 0x20, maxSplits: 5)
            // Only what nobody can have written to: relocated data is read-only as well, and would be gone.
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
