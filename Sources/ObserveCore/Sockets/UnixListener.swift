// SPDX-License-Identifier: MIT
// Takes a path, listens there, and gives the path back. Does not know what becomes of the connections.
//
// How two daemons that start at once end as one. Looking whether the socket file is stale, removing it and
// binding anew are three steps, and a second daemon between them would remove the first one's fresh socket.
// So all three happen under an flock(2) on the *folder* that holds the socket. There is no lock file to leave
// behind, and the kernel lets go of the lock when its holder dies, however it dies. It is held for
// microseconds. Renaming a temporary socket over the path would be atomic too, but could not tell a stale
// file from one that became live a moment ago.

internal import CLinux
internal import Glibc

/// What came of one accept.
package enum AcceptResult: ~Copyable {
    /// A new connection, non-blocking and not inherited by children.
    case connection(FileDescriptor)
    case wouldBlock
    /// Out of descriptors or memory (EMFILE, ENFILE, ENOBUFS, ENOMEM). The connection still waits, so the
    /// listener stays readable: stop asking until something was closed.
    case exhausted(Int32)
    case failed(Int32)
}

/// A socket that takes connections at a path.
///
/// - Errors: each way to fail to get the path is a ``SocketError`` of its own; nothing is left behind by a
///   failure.
/// - Threading: confined to its owner.
/// - Lifetime: ``close()``, or freeing it, removes the socket file if it is still ours.
package final class UnixListener {
    package let path: String
    private var descriptor: FileDescriptor
    private let identity: FileIdentity

    private init(path: String, descriptor: consuming FileDescriptor, identity: FileIdentity) {
        self.path = path
        self.descriptor = descriptor
        self.identity = identity
    }

    deinit { close() }

    /// Ready to accept when readable; -1 once closed.
    package var number: Int32 { descriptor.number }

    /// Listens on `path`.
    ///
    /// A stale socket file, one that nobody listens on, is replaced. A live one, and a file of any other
    /// kind, links included, is refused and never touched.
    ///
    /// - `mode`: the socket's permissions. It never has more, not even for a moment.
    /// - `backlog`: how many connections may wait to be accepted; the kernel's own limit applies as well.
    package static func listen(
        path: String,
        mode: UInt32 = 0o600,
        backlog: Int32 = 4096
    ) throws(SocketError) -> UnixListener {
        try UnixSocket.check(path: path)
        var lock = try lockFolder(of: path)
        defer { lock.close() }
        try removeIfStale(path)
        let descriptor = try UnixSocket.open(nonBlocking: true)
        // The file gets the permissions that the socket has when it is bound, less the umask.
        try Syscall.check("fchmod", path) { fchmod(descriptor.number, mode) }
        try Syscall.check("bind", path) { unsafe linux_unix_bind(descriptor.number, path) }
        do throws(SocketError) {
            guard let bound = try FileStatus.of(path) else { throw .noSocket(path) }
            if bound.permissions != mode { try Syscall.check("chmod", path) { unsafe chmod(path, mode) } }
            try Syscall.check("listen", path) { Glibc.listen(descriptor.number, backlog) }
            return UnixListener(path: path, descriptor: descriptor, identity: bound.identity)
        } catch {
            _ = unsafe unlink(path)
            throw error
        }
    }

    /// Takes the next waiting connection. One that its client gave up meanwhile is passed over.
    package func accept() -> AcceptResult {
        while true {
            let call = Syscall.run { linux_accept(descriptor.number) }
            switch call.code {
            case 0: return .connection(FileDescriptor(owning: Int32(call.value)))
            case ECONNABORTED: continue
            case EAGAIN: return .wouldBlock
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted(call.code)
            default: return .failed(call.code)
            }
        }
    }

    /// Removes the socket file if it is still ours, and stops listening. Harmless when done twice.
    ///
    /// The file goes first: as long as we listen, other daemons see it as live and leave it alone, and its
    /// inode number cannot be given to another file. Without the lock somebody could still remove it by hand
    /// and another daemon bind between the look and the removal; but a folder that stays locked must not keep
    /// a daemon from ending.
    package func close() {
        guard descriptor.isOpen else { return }
        let lock = try? UnixListener.lockFolder(of: path, attempts: 1)
        if (try? FileStatus.of(path))?.identity == identity { _ = unsafe unlink(path) }
        descriptor.close()
        _ = consume lock
    }
}

private extension UnixListener {
    /// Makes way at `path`, or says why it cannot. Asked under the folder's lock.
    static func removeIfStale(_ path: String) throws(SocketError) {
        guard let present = try FileStatus.of(path) else { return }
        guard present.isSocket else { throw .notASocket(path) }
        // Non-blocking: a daemon too busy to accept answers EAGAIN, and is as live as one that accepts.
        let probe = try UnixSocket.open(nonBlocking: true)
        let call = Syscall.run { unsafe linux_unix_connect(probe.number, path) }
        switch call.code {
        case 0, EAGAIN, EINPROGRESS: throw .alreadyRunning(path)
        case ENOENT: return
        case ECONNREFUSED: break
        default: throw .systemCall("connect", path: path, code: call.code)
        }
        let removal = Syscall.run { unsafe unlink(path) }
        if removal.hasFailed, removal.code != ENOENT {
            throw .systemCall("unlink", path: path, code: removal.code)
        }
    }
    /// The lock on the folder that holds `path`, kept until the descriptor is closed.
    ///
    /// - `attempts`: how often it is tried, 10 ms apart. Waiting for ever would let anybody who can read the
    ///   folder stop us.
    static func lockFolder(of path: String, attempts: Int = 500) throws(SocketError) -> FileDescriptor {
        let folder = Path.folder(of: path)
        let call = Syscall.run { unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        switch call.code {
        case 0: break
        case ENOENT: throw .folderMissing(folder: folder, path: path)
        case ENOTDIR: throw .notAFolder(folder)
        default: throw .systemCall("open", path: folder, code: call.code)
        }
        let descriptor = FileDescriptor(owning: Int32(call.value))
        for attempt in 1...attempts {
            let call = Syscall.run { flock(descriptor.number, LOCK_EX | LOCK_NB) }
            guard call.hasFailed else { return descriptor }
            guard call.code == EWOULDBLOCK else { throw .systemCall("flock", path: folder, code: call.code) }
            if attempt < attempts { usleep(10_000) }
        }
        throw .folderBusy(folder)
    }
}
