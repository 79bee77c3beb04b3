// SPDX-License-Identifier: MIT
// CRC-32C where the processor has an instruction for it. Does not know what is checked.

internal import CLinux

enum ProcessorChecksum {
    /// Whether ``of(_:count:)`` may be asked.
    static let isThere = linux_has_crc32c() != 0

    @inline(__always)
    static func of(_ bytes: UnsafePointer<UInt8>, count: Int) -> UInt32 { unsafe linux_crc32c(bytes, count) }
}
