// SPDX-License-Identifier: MIT
// A locked folder with files. Independent of their contents.

internal import CLinux

/// A folder that only this process uses. The lock lasts until the object is freed.
/// - Errors: `SocketError.systemCall`, with the call's name and the path; ``SocketError/stateInUse(_:)``; if other users own the
///   folder or may write it, ``SocketError/folderOfAnotherUser(_:owner:)`` and ``SocketError/folderWritableByOthers(_:mode:)``.
/// - Threading: any thread; the kernel orders concurrent calls for one file.
package final class StateFolder: Sendable {
    package let path: String
    private let folder: FileDescriptor
    private let lock: FileDescriptor

    private init(path: String, _ folder: consuming FileDescriptor, lock: consuming FileDescriptor) {
        self.path = path
        self.folder = folder
        self.lock = lock
    }

    /// The descriptor that holds the lock, to pass to the next program of this process.
    package var lockNumber: Int32 { lock.number }

    /// Locks the folder. Creates it if it is missing, for its owner alone.
    /// - Parameter passed: a descriptor from the former program of this process. If it holds the lock of this folder, the
    ///   folder was never unlocked; otherwise it is closed.
    package static func open(_ path: String, holding passed: Int32? = nil) throws(SocketError) -> StateFolder
    {
        let held = passed.map { FileDescriptor(owning: $0) }
        try Platform.makeFolder(path)
        let folder = try openFolder(path)
        guard let status = FileStatus.of(descriptor: folder.number)
        else { throw .systemCall("fstat", path: path, code: linux_errno()) }
        try status.requirePrivate(path)
        if status.permissions & 0o077 != 0 {
            try Syscall.check("fchmod", path) { fchmod(folder.number, 0o700) }
        }
        let lock = try openLock(in: path, held)
        try Syscall.check("flock", path, [EWOULDBLOCK: .stateInUse(path)]) {
            flock(lock.number, LOCK_EX | LOCK_NB)
        }
        let opened = StateFolder(path: path, folder, lock: lock)
        try opened.refuseOpenFiles()
        return opened
    }

    /// Refuses a folder with a file that another daemon writes, though its lock is gone.
    private func refuseOpenFiles() throws(SocketError) {
        for name in try names() where name != StateFolder.lockName {
            guard let file = try? FileDescriptor.openFile(place(name), O_RDONLY | O_NOFOLLOW)
            else { continue }
            if Syscall.run({ flock(file.number, LOCK_EX | LOCK_NB) }).code == EWOULDBLOCK {
                throw .stateInUse(path)
            }
        }
    }

    private static let lockName = "lock"

    /// Opens the file whose lock stands for the folder's: that may be held by a user who opened the folder while it was readable.
    /// Returns the folder itself if the file is missing and can't be made: on a full or read-only disk.
    private static func openLock(in path: String, _ held: consuming FileDescriptor?) throws(SocketError)
        -> FileDescriptor
    {
        let place = "\(path)/\(lockName)"
        if let held, let identity = FileStatus.of(descriptor: held.number)?.identity,
            try [FileStatus.of(place)?.identity, FileStatus.of(path)?.identity].contains(identity)
        {
            try Syscall.check("fcntl") { linux_fcntl(held.number, F_SETFD, FD_CLOEXEC) }
            return held
        }
        // A daemon makes it for itself alone. If other users may have opened it, no daemon holds it.
        if let status = try FileStatus.of(place), status.isFile {
            if status.permissions & 0o077 != 0 {
                try Syscall.check("unlink", place) { unsafe unlink(place) }
            } else if status.permissions & 0o400 == 0 {
                try Syscall.check("chmod", place) { unsafe chmod(place, 0o600) }
            }
        }
        do throws(SocketError) {
            return try FileDescriptor.openFile(place, O_RDONLY | O_CREAT | O_NOFOLLOW)
        } catch .systemCall(_, _, EROFS), .systemCall(_, _, ENOSPC), .systemCall(_, _, EDQUOT) {
            return try openFolder(path)
        }
    }

    private static func openFolder(_ path: String) throws(SocketError) -> FileDescriptor {
        try Syscall.open("open", path) { unsafe linux_open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0) }
    }

    /// Reads files of a folder without locking or changing it; none if it is missing.
    /// - Parameter isWanted: whether a file with that name is read.
    /// - Errors: those of ``open(_:holding:)`` and ``read(_:)``, but a lock that another daemon holds is none.
    package static func copy(_ path: String, _ isWanted: (String) -> Bool) throws(SocketError)
        -> [String: [UInt8]]
    {
        let found: FileStatus?
        do throws(SocketError) { found = try FileStatus.of(path, followsLinks: true) } catch {
            guard case .systemCall(_, _, let code) = error, code == ENOTDIR || code == EACCES
            else { throw error }
            throw .systemCall("mkdir", path: path, code: code)
        }
        guard let status = found else {
            try checkRoom(for: path)
            return [:]
        }
        guard status.isFolder else { throw .notAFolder(path) }
        try status.requirePrivate(path)
        let lock = "\(path)/\(lockName)"
        if let status = try FileStatus.of(lock), !status.isFile { throw .notAFile(lock) }
        var files: [String: [UInt8]] = [:]
        for name in try names(in: path) where isWanted(name) { files[name] = try read(at: "\(path)/\(name)") }
        return files
    }

    /// Refuses the path of a missing folder that could not be made, without making it.
    private static func checkRoom(for path: String) throws(SocketError) {
        if path.isEmpty { throw .systemCall("mkdir", path: path, code: ENOENT) }
        // The name of a link that leads nowhere is taken.
        if try FileStatus.of(path) != nil { throw .notAFolder(path) }
        let above = Path.folder(of: path)
        guard let status = try FileStatus.of(above, followsLinks: true)
        else { return try checkRoom(for: above) }
        guard status.isFolder else { throw .notAFolder(above) }
        // Only the kernel makes names in /proc, whatever its modes are.
        if try FileStatus.of("/proc")?.identity.device == status.identity.device {
            throw .systemCall("mkdir", path: path, code: ENOENT)
        }
        try Syscall.check("mkdir", path) { unsafe access(above, W_OK | X_OK) }
    }

    package func place(_ name: String) -> String { "\(path)/\(name)" }

    /// All names in the folder, without `.` and `..`.
    package func names() throws(SocketError) -> [String] { try StateFolder.names(in: path) }

    /// All names in a folder that is not locked.
    package static func names(in path: String) throws(SocketError) -> [String] {
        guard let folder = unsafe opendir(path)
        else { throw .systemCall("opendir", path: path, code: linux_errno()) }
        defer { _ = unsafe closedir(folder) }
        var names: [String] = []
        while true {
            guard let entry = unsafe linux_next_name(folder) else {
                let code = linux_errno()
                if code != 0 { throw .systemCall("readdir", path: path, code: code) }
                return names
            }
            let name = unsafe String(cString: entry)
            if name != ".", name != ".." { names.append(name) }
        }
    }

    /// Opens a file for reading and writing. Does not follow links. While it is open, no other daemon can use the folder.
    package func open(_ name: String, making: Bool = false) throws(SocketError) -> FolderFile {
        let flags = O_RDWR | O_NOFOLLOW | (making ? O_CREAT | O_TRUNC : 0)
        let file = try FileDescriptor.openFile(place(name), flags)
        _ = flock(file.number, LOCK_SH | LOCK_NB)
        return FolderFile(file)
    }

    /// Reads a whole file; nil if it does not exist.
    package func read(_ name: String) throws(SocketError) -> [UInt8]? {
        try StateFolder.read(at: place(name))
    }

    private static func read(at place: String) throws(SocketError) -> [UInt8]? {
        guard let file = try openToRead(place) else { return nil }
        return try ByteIO.readAll(file.number, place)
    }

    /// Like ``FolderFile/sync(_:)``, for a file that may be closed. Ignores a missing file.
    package func sync(_ name: String) throws(SocketError) {
        if let file = try StateFolder.openToRead(place(name)) { try FolderFile(file).sync(place(name)) }
    }

    private static func openToRead(_ place: String) throws(SocketError) -> FileDescriptor? {
        do throws(SocketError) {
            return try FileDescriptor.openFile(place, O_RDONLY | O_NOFOLLOW)
        } catch .systemCall(_, _, ENOENT) { return nil }
    }

    /// Returns when the names are on the disk.
    package func syncNames() throws(SocketError) { try Syscall.check("fsync", path) { fsync(folder.number) } }

    package func rename(_ name: String, to other: String) throws(SocketError) {
        let (from, to) = (place(name), place(other))
        try Syscall.check("rename", from) { unsafe CLinux.rename(from, to) }
    }

    /// Ignores a missing file.
    package func remove(_ name: String) throws(SocketError) { try Platform.removeFile(place(name)) }
}

/// An open file of a ``StateFolder``. It may be renamed, so its methods get the place that an error names.
package final class FolderFile: Sendable {
    private let descriptor: FileDescriptor

    fileprivate init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }

    /// Writes all of `bytes` at `offset`.
    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int, _ place: String) throws(SocketError) {
        var written = 0
        while written < bytes.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[written...])
            written += try Syscall.check("write", place) {
                unsafe pwrite(descriptor.number, rest.baseAddress, rest.count, off_t(offset + written))
            }
        }
    }

    /// Reserves room for these bytes, and keeps the file's length. Returns false if the file system can't.
    package func reserve(_ bytes: Range<Int>, _ place: String) throws(SocketError) -> Bool {
        // The system checks the limit of a file's size only when the file grows.
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
        if unsafe getrlimit(resource, &limit) == 0, UInt64(limit.rlim_cur) < UInt64(bytes.upperBound) {
            throw .systemCall("fallocate", path: place, code: EFBIG)
        }
        // FALLOC_FL_KEEP_SIZE
        let call = Syscall.run {
            fallocate64(descriptor.number, 1, Int64(bytes.lowerBound), Int64(bytes.count))
        }
        if call.code == EOPNOTSUPP || call.code == ENOSYS { return false }
        if call.hasFailed { throw .systemCall("fallocate", path: place, code: call.code) }
        return true
    }

    package func truncate(to count: Int, _ place: String) throws(SocketError) {
        try Syscall.check("ftruncate", place) { ftruncate(descriptor.number, off_t(count)) }
    }

    /// Returns when the contents are on the disk.
    package func sync(_ place: String) throws(SocketError) {
        try Syscall.check("fdatasync", place) { fdatasync(descriptor.number) }
    }
}

extension SocketError {
    /// Whether the disk is full, or a quota or size limit is exceeded.
    package var isFull: Bool {
        guard case .systemCall(_, _, let code) = self else { return false }
        return code == ENOSPC || code == EDQUOT || code == EFBIG
    }
}
