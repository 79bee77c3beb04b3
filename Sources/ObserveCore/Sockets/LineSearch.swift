// SPDX-License-Identifier: MIT
// What C does faster with much memory: the end of a long line, and checksums.

internal import CLinux

/// Finds the end of a long line by the C library, which is faster than ``ByteView/firstIndex(of:from:)`` there.
enum LineSearch {
    @inline(__always) static func lineFeed(in bytes: UnsafePointer<UInt8>, count: Int) -> Int? {
        guard let found = unsafe memchr(bytes, 0x0A, count) else { return nil }
        return unsafe UnsafeRawPointer(found) - UnsafeRawPointer(bytes)
    }
}

/// CRC-32C by processor instructions.
enum ProcessorChecksum {
    /// Whether the processor has the instructions. Otherwise do not call ``of(_:count:after:)``.
    static let isThere = linux_has_crc32c() != 0

    @inline(__always)
    static func of(_ bytes: UnsafePointer<UInt8>, count: Int, after before: UInt32) -> UInt32 {
        unsafe linux_crc32c(bytes, count, before)
    }
}
