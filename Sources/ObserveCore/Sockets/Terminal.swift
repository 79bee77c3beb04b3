// SPDX-License-Identifier: MIT
// Whether a descriptor is a terminal, and its size. Independent of the output.

internal import CLinux

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A terminal as a program finds it.
///
/// - Errors: none; a descriptor that is not open is not a terminal.
/// - Threading: any thread.
package enum Terminal {
    package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// The number of columns now; nil if it is unknown.
    package static func columns(_ descriptor: Int32) -> Int? { size(descriptor)?.columns }

    /// The columns and rows now; nil if they are unknown.
    package static func size(_ descriptor: Int32) -> (columns: Int, rows: Int)? {
        let size = linux_terminal_size(descriptor)
        let (columns, rows) = (Int(size & 0xFFFF), Int(size >> 16))
        return columns > 0 ? (columns, max(rows, 1)) : nil
    }
}
