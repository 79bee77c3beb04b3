// SPDX-License-Identifier: MIT
// Terminals: their size, and one on which a program draws, which gets its former modes back. Independent of the output.

internal import CLinux

/// - Errors: none; a descriptor that is not open is not a terminal.
/// - Threading: any thread.
package enum Terminal {
    package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    package static func columns(_ descriptor: Int32) -> Int? { size(descriptor)?.columns }

    package static func size(_ descriptor: Int32) -> (columns: Int, rows: Int)? {
        let size = linux_terminal_size(descriptor)
        let (columns, rows) = (Int(size & 0xFFFF), Int(size >> 16))
        return columns > 0 ? (columns, max(rows, 1)) : nil
    }
}

/// The modes of a terminal on which this process draws: each key arrives at once, and none is shown.
/// - Lifetime: from ``init(_:farewell:)`` to ``end()`` or `deinit`. The former modes return also if a signal ends the
///   process, apart from SIGKILL.
/// - Bounds: one at a time.
/// - Errors: a ``SocketError`` if the descriptor is not a terminal.
package final class DrawnTerminal {
    private var isActive = true

    /// - Parameter farewell: bytes that return the terminal's screen, 64 at most.
    package init(_ descriptor: Int32, farewell: String) throws(SocketError) {
        let bytes = farewell.utf8.map { CChar(bitPattern: $0) }
        try Syscall.check("tcsetattr") {
            unsafe bytes.withUnsafeBufferPointer {
                unsafe linux_terminal_draw(descriptor, $0.baseAddress, $0.count)
            }
        }
    }

    deinit { end() }

    /// Returns the former modes. A second call has no effect.
    package func end() {
        if isActive { linux_terminal_end() }
        isActive = false
    }

    /// The signals of a terminal that do not end a process.
    package static let resized = SIGWINCH
    package static let stopped = SIGTSTP
    package static let continued = SIGCONT

    /// Stops this process and the others of its job, as Ctrl-Z does. Returns when it continues.
    ///
    /// The signal must have its default action.
    package static func stopJob() { _ = kill(0, SIGTSTP) }
}
