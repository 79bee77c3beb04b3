// SPDX-License-Identifier: MIT
// Finds the end of a long line by the C library, which is faster than ``ByteView/firstIndex(of:from:)`` there.

internal import CLinux

enum LineSearch {
    /// The index of the first line feed; nil if there is none.
    @inline(__always)
    static func lineFeed(in bytes: UnsafePointer<UInt8>, count: Int) -> Int? {
        let index = unsafe linux_index(bytes, count, 0x0A)
        return index < 0 ? nil : index
    }
}
