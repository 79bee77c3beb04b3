// SPDX-License-Identifier: MIT
// An open descriptor with one owner, who closes it by releasing it. Independent of the kind of file.

internal import CLinux

/// - Errors: closing ignores errors and never retries: the number is free even if `close` fails, and may be another file's.
package struct FileDescriptor: ~Copyable, Sendable {
    /// -1 once closed.
    package private(set) var number: Int32

    package init(owning number: Int32) { self.number = number }

    deinit { if number >= 0 { _ = CLinux.close(number) } }

    @inline(__always) package var isOpen: Bool { number >= 0 }

    /// Closes the descriptor now. A second call has no effect.
    package mutating func close() {
        guard number >= 0 else { return }
        let last = number
        number = -1
        _ = CLinux.close(last)
    }

    /// Returns the number without closing it. The caller must close it.
    package mutating func release() -> Int32 {
        defer { number = -1 }
        return number
    }

    /// Opens a regular file, and refuses all others without waiting for them: a pipe would wait for its other end.
    ///
    /// Only its owner may use a file that this makes, whatever the umask is.
    static func openFile(_ path: String, _ flags: Int32) throws(SocketError) -> FileDescriptor {
        let mode: UInt32 = 0o600
        let file = try Syscall.open("open", path, [EISDIR: .notAFile(path), ENXIO: .notAFile(path)]) {
            unsafe linux_open(path, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, mode)
        }
        guard let status = FileStatus.of(descriptor: file.number), status.isFile
        else { throw .notAFile(path) }
        if flags & O_CREAT != 0, status.permissions != mode {
            try Syscall.check("fchmod", path) { fchmod(file.number, mode) }
        }
        return file
    }

    package func setNonBlocking(_ wanted: Bool) throws(SocketError) {
        let flags = Int32(try Syscall.check("fcntl") { linux_fcntl(number, F_GETFL, 0) })
        let changed = wanted ? flags | O_NONBLOCK : flags & ~O_NONBLOCK
        if changed != flags { try Syscall.check("fcntl") { linux_fcntl(number, F_SETFL, changed) } }
    }

    /// Duplicates a descriptor. Child processes do not inherit the duplicate.
    static func duplicate(_ number: Int32) throws(SocketError) -> FileDescriptor {
        try Syscall.open("fcntl") { linux_fcntl(number, F_DUPFD_CLOEXEC, 0) }
    }
}
