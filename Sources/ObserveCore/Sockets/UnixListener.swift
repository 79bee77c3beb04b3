// SPDX-License-Identifier: MIT
// Listens at a path, and removes the socket afterwards. Independent of the use of the connections.
//
// If two daemons start at once, one of them must fail. A stale socket file is tested, removed and bound again: a second daemon
// between these steps would remove the first one's new socket. So all three happen under an flock(2) on the *folder*: no lock
// file stays behind, and the kernel releases the lock when its holder dies. A rename of a temporary socket over the path would
// be atomic too, but would also replace a socket that has just become live.

internal import CLinux

package enum AcceptResult: ~Copyable {
    /// A new connection, non-blocking. Child processes do not inherit it.
    case connection(FileDescriptor)
    case wouldBlock
    /// Out of descriptors or memory (EMFILE, ENFILE, ENOBUFS, ENOMEM). The connection still waits, so the listener
    /// stays readable: do not call accept again before a descriptor is closed.
    case exhausted(Int32)
    case failed(Int32)
}

/// - Errors: ``listen(path:mode:backlog:)`` throws a ``SocketError`` of its own for each reason, and leaves no file behind.
/// - Lifetime: ``close()`` and `deinit` remove the socket file, unless another process has replaced it. The file of
///   an adopted socket belongs to the process that passed it, and stays.
package final class UnixListener {
    package let path: String
    private var descriptor: FileDescriptor
    /// The file that this process made for the socket; nil if the service manager made it.
    package let file: FileIdentity?

    private init(path: String, descriptor: consuming FileDescriptor, file: FileIdentity?) {
        self.path = path
        self.descriptor = descriptor
        self.file = file
    }

    deinit { close() }

    /// Ready to accept when readable; -1 once closed.
    package var number: Int32 { descriptor.number }

    /// Listens on `path`.
    ///
    /// Replaces a stale socket file, which has no listener. Refuses a live socket and a file of any other kind,
    /// links included, without changing it.
    ///
    /// - Parameters:
    ///   - mode: The socket's permissions. It never has more, not even for a moment.
    ///   - backlog: The number of connections that may wait; the kernel's own limit applies as well.
    ///   - lockAttempts: The number of attempts to lock the folder, 10 ms apart.
    package static func listen(
        path: String,
        mode: UInt32 = 0o600,
        backlog: Int32 = 4096,
        lockAttempts: Int = 500
    ) throws(SocketError) -> UnixListener {
        try UnixSocket.check(path: path)
        var lock = try lockFolder(of: path, attempts: lockAttempts)
        defer { lock.close() }
        try removeIfStale(path)
        let descriptor = try UnixSocket.open(nonBlocking: true)
        // `bind` gives the file the permissions of the socket, without the bits of the umask.
        try Syscall.check("fchmod", path) { fchmod(descriptor.number, mode) }
        try Syscall.check("bind", path) { unsafe linux_unix_bind(descriptor.number, path) }
        do throws(SocketError) {
            guard let bound = try FileStatus.of(path) else { throw .noSocket(path) }
            if bound.permissions != mode { try Syscall.check("chmod", path) { unsafe chmod(path, mode) } }
            try Syscall.check("listen", path) { CLinux.listen(descriptor.number, backlog) }
            return UnixListener(path: path, descriptor: descriptor, file: bound.identity)
        } catch {
            _ = unsafe unlink(path)
            throw error
        }
    }

    /// Adopts a listening socket that the service manager or the former program of this process passed. Child
    /// processes will not inherit it.
    ///
    /// - Parameter file: the socket's file, if this process made it: see ``file``. Then its mode becomes `mode`.
    package static func adopt(_ number: Int32, file: FileIdentity? = nil, mode: UInt32 = 0o600)
        throws(ServiceFault) -> UnixListener
    {
        guard linux_is_listening_unix_stream(number) == 1
        else { throw ServiceFault(description: "descriptor \(number) is not a listening Unix stream socket") }
        var name = [CChar](repeating: 0, count: UnixSocket.pathLimitBytes + 1)
        guard unsafe linux_unix_path(number, &name, name.count) == 0
        else { throw ServiceFault(description: "the socket with descriptor \(number) has no path") }
        let path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let descriptor = FileDescriptor(owning: number)
        do throws(SocketError) {
            try Syscall.check("fcntl") { linux_fcntl(number, F_SETFD, FD_CLOEXEC) }
            try descriptor.setNonBlocking(true)
            if let file, let present = try FileStatus.of(path), present.identity == file,
                present.permissions != mode
            {
                try Syscall.check("chmod", path) { unsafe chmod(path, mode) }
            }
        } catch {
            throw ServiceFault(description: "\(error)")
        }
        return UnixListener(path: path, descriptor: descriptor, file: file)
    }

    /// Whether the mode of the socket's file lets other users connect.
    package var admitsOthers: Bool { (try? FileStatus.of(path))?.isWritableByOthers ?? false }

    /// Whether `other` leads to the file of this socket.
    package func isAt(_ other: String) -> Bool {
        if other == path { return true }
        guard let own = try? FileStatus.of(path) else { return false }
        return (try? FileStatus.of(other))?.identity == own.identity
    }

    /// Accepts the next waiting connection. Skips connections that their clients have aborted.
    package func accept() -> AcceptResult {
        let flags = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        while true {
            let call = Syscall.run { accept4(descriptor.number, nil, nil, flags) }
            switch call.code {
            case 0: return .connection(FileDescriptor(owning: Int32(call.value)))
            case ECONNABORTED: continue
            case EAGAIN: return .wouldBlock
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted(call.code)
            default: return .failed(call.code)
            }
        }
    }

    /// Removes the own socket file unless another process has replaced it, then stops listening. A second call has no effect.
    ///
    /// The file goes first: until then, other daemons see a live socket, and no other file can get its inode number. If the
    /// folder stays locked, it proceeds without the lock, so that a daemon can always end. Then another daemon could replace the
    /// file between the test and the removal.
    package func close() {
        guard descriptor.isOpen else { return }
        guard let file else { return descriptor.close() }
        let lock = try? UnixListener.lockFolder(of: path, attempts: 1)
        if (try? FileStatus.of(path))?.identity == file { _ = unsafe unlink(path) }
        descriptor.close()
        _ = consume lock
    }
}

private extension UnixListener {
    /// Removes a stale socket file at `path`, or throws. The caller holds the folder's lock.
    static func removeIfStale(_ path: String) throws(SocketError) {
        guard let present = try FileStatus.of(path) else { return }
        guard present.isSocket else { throw .notASocket(path) }
        // Non-blocking: a live daemon with a full queue returns EAGAIN.
        let probe = try UnixSocket.open(nonBlocking: true)
        let call = Syscall.run { unsafe linux_unix_connect(probe.number, path) }
        switch call.code {
        case 0, EAGAIN, EINPROGRESS: throw .alreadyRunning(path)
        case ENOENT: return
        case ECONNREFUSED: break
        // Another program uses a datagram socket there, or one of packets.
        case EPROTOTYPE: throw .notASocket(path)
        default: throw .systemCall("connect", path: path, code: call.code)
        }
        try Platform.removeFile(path)
    }

    /// Locks the folder of `path` until the descriptor is closed.
    ///
    /// If the folder stays locked, and other users can open it, proceeds without the lock: it may be theirs.
    ///
    /// - Parameter attempts: as many, 10 ms apart.
    static func lockFolder(of path: String, attempts: Int) throws(SocketError) -> FileDescriptor {
        let folder = Path.folder(of: path)
        let descriptor = try Syscall.open(
            "open",
            folder,
            [ENOENT: .folderMissing(folder: folder, path: path), ENOTDIR: .notAFolder(folder)]
        ) { unsafe linux_open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0) }
        for attempt in 1...attempts {
            let call = Syscall.run { flock(descriptor.number, LOCK_EX | LOCK_NB) }
            guard call.hasFailed else { return descriptor }
            guard call.code == EWOULDBLOCK else { throw .systemCall("flock", path: folder, code: call.code) }
            if attempt < attempts { usleep(10_000) }
        }
        // No daemon holds the lock for so long. Without it, two daemons could start at once.
        let status = FileStatus.of(descriptor: descriptor.number)
        if let status, status.isReadableByOthers || status.owner != Platform.uid { return descriptor }
        throw .folderBusy(folder)
    }
}
