// SPDX-License-Identifier: MIT
// A terminal on which a program draws, and which gets its former modes back. Independent of the drawings.

internal import CLinux

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The modes of a terminal on which this process draws: each key arrives at once, and none is shown.
///
/// - Lifetime: from ``init(_:farewell:)`` to ``end()`` or `deinit`. The former modes return also if a signal ends the
///   process, apart from SIGKILL.
/// - Bounds: one at a time.
/// - Errors: a ``SocketError`` if the descriptor is not a terminal.
/// - Threading: confined to its owner.
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
