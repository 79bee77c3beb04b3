// SPDX-License-Identifier: MIT
// CRC-32C by processor instructions.

internal import CLinux

enum ProcessorChecksum {
    /// Whether the processor has the instructions. Otherwise do not call ``of(_:count:after:)``.
    static let isThere = linux_has_crc32c() != 0

    @inline(__always)
    static func of(_ bytes: UnsafePointer<UInt8>, count: Int, after before: UInt32) -> UInt32 {
        unsafe linux_crc32c(bytes, count, before)
    }
}
