// SPDX-License-Identifier: MIT
// An open descriptor and who closes it. Does not know what is at its other end.

internal import Glibc

/// A descriptor with exactly one owner, closed when the owner lets go of it.
///
/// - Errors: closing reports none and is never tried again: on Linux the number is free even when `close`
///   fails, and may already be somebody else's.
package struct FileDescriptor: ~Copyable, Sendable {
    /// -1 once closed.
    package private(set) var number: Int32

    package init(owning number: Int32) { self.number = number }

    deinit { if number >= 0 { _ = Glibc.close(number) } }

    @inline(__always) package var isOpen: Bool { number >= 0 }

    /// Closes before the owner goes. Harmless when done twice.
    package mutating func close() {
        guard number >= 0 else { return }
        let last = number
        number = -1
        _ = Glibc.close(last)
    }

    /// Takes the number out; closing it is now the caller's business.
    package mutating func release() -> Int32 {
        defer { number = -1 }
        return number
    }

    package func setNonBlocking(_ wanted: Bool) throws(SocketError) {
        let flags = Int32(try Syscall.check("fcntl") { fcntl(number, F_GETFL) })
        let changed = wanted ? flags | O_NONBLOCK : flags & ~O_NONBLOCK
        if changed != flags { try Syscall.check("fcntl") { fcntl(number, F_SETFL, changed) } }
    }

    /// A second descriptor for the same open file, not inherited by children.
    static func duplicate(_ number: Int32) throws(SocketError) -> FileDescriptor {
        try Syscall.open("fcntl") { fcntl(number, F_DUPFD_CLOEXEC, 0) }
    }
}
