// SPDX-License-Identifier: MIT
// Whether a descriptor is a terminal, and its width. Independent of the output.

internal import CLinux
internal import Glibc

/// A terminal as a program finds it.
///
/// - Errors: none; a descriptor that is not open is not a terminal.
/// - Threading: any thread.
package enum Terminal {
    package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// The number of columns now; nil if it is unknown.
    package static func columns(_ descriptor: Int32) -> Int? {
        let columns = linux_terminal_columns(descriptor)
        return columns > 0 ? Int(columns) : nil
    }
}
