// SPDX-License-Identifier: MIT
// Services of the operating system other than sockets, and temporary folders.

internal import CLinux

package enum Platform {
    package static var uid: UInt32 { geteuid() }
    package static var gid: UInt32 { getegid() }
    package static var pid: Int32 { getpid() }

    package static func environment(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }

    /// If a peer has closed, a write then fails and does not end the process.
    package static func ignoreBrokenPipe() { linux_signal_ignore(SIGPIPE) }

    /// If a file exceeds its size limit, a write then fails and does not end the process.
    package static func ignoreFileSizeLimit() { linux_signal_ignore(SIGXFSZ) }

    /// Raises the limit of open descriptors to its maximum, and returns it.
    @discardableResult package static func raiseDescriptorLimit() -> Int {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard unsafe getrlimit(resource, &limit) == 0 else { return 0 }
        if limit.rlim_cur < limit.rlim_max {
            var raised = rlimit(rlim_cur: limit.rlim_max, rlim_max: limit.rlim_max)
            if unsafe setrlimit(resource, &raised) == 0 { limit = raised }
        }
        return Int(clamping: limit.rlim_cur)
    }

    /// So many descriptors were open when this was read first: those that a program inherited, if it reads this at its start.
    /// That of the list itself does not count.
    package static let initialDescriptors = ((try? StateFolder.names(in: "/proc/self/fd"))?.count ?? 1) - 1

    package static func uid(named name: String) -> UInt32? {
        // C would cut the name off there.
        guard !name.utf8.contains(0), let entry = unsafe getpwnam(name) else { return nil }
        return unsafe entry.pointee.pw_uid
    }

    package static func userName(_ uid: UInt32) -> String? {
        guard let entry = unsafe getpwuid(uid), let name = unsafe entry.pointee.pw_name else { return nil }
        return unsafe String(cString: name)
    }

    package static func gid(named name: String) -> UInt32? {
        guard !name.utf8.contains(0), let entry = unsafe getgrnam(name) else { return nil }
        return unsafe entry.pointee.gr_gid
    }
}

extension Platform {
    /// Lets another runnable thread use this processor.
    @inline(__always) package static func yield() { _ = sched_yield() }

    /// Lets each block of a megabyte or more have pages of its own, which move when it grows and go back to the kernel when it is
    /// freed. By default, the C library ceases to do so once a program has freed such a block. Call it at the start.
    package static func separateLargeBlocks() {
        _ = mallopt(M_MMAP_THRESHOLD, 1 << 20)
        // Smaller blocks come and go often. The kernel would clear their pages each time.
        _ = mallopt(M_TRIM_THRESHOLD, 16 << 20)
    }

    /// Gives memory that was freed back to the kernel, also between buffers that are in use.
    package static func trimMemory() { _ = malloc_trim(0) }

    /// An identifier that changes with each boot of the system; empty if the system has none.
    package static var boot: String {
        guard let bytes = try? readFile("/proc/sys/kernel/random/boot_id", limitBytes: 4096)
        else { return "" }
        return String(decoding: bytes.prefix { $0 > 0x20 }, as: UTF8.self)
    }

    /// The system's clock, in milliseconds since 1970.
    package static var timeOfDay: Int64 { nanoseconds(CLOCK_REALTIME).map { Int64($0 / 1_000_000) } ?? 0 }

    /// Nil if the system has no such clock.
    @inline(__always) static func nanoseconds(_ clock: clockid_t) -> UInt64? {
        var time = timespec()
        guard unsafe clock_gettime(clock, &time) == 0 else { return nil }
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// The time at zero of the monotonic clock, in milliseconds since 1970.
    package static var clockOffset: Int64 { timeOfDay - Int64(MonotonicTime.now.nanoseconds / 1_000_000) }
}

// MARK: - Files

extension Platform {
    /// The bytes of the file at `path`. Throws if there are more than `limitBytes`.
    /// - Parameter refusesSharedWriting: whether to refuse a file that users other than its owner may write.
    /// - Parameter mustBeFile: whether to refuse pipes, devices and the like, which may never end.
    package static func readFile(
        _ path: String,
        limitBytes: Int,
        refusesSharedWriting: Bool = false,
        mustBeFile: Bool = false,
        until deadline: MonotonicTime? = nil
    ) throws(SocketError) -> [UInt8] {
        if path.utf8.contains(0) { throw .pathHasZeroByte(path) }
        let file: FileDescriptor
        do throws(SocketError) {
            if mustBeFile {
                file = try FileDescriptor.openFile(path, O_RDONLY)
            } else {
                // Without O_NONBLOCK, a pipe waits for its other end; with it, reading would end at once.
                let isFile = (try? FileStatus.of(path, followsLinks: true))?.isFile == true
                let waits = deadline == nil && !isFile
                let flags = waits ? O_RDONLY | O_CLOEXEC : O_RDONLY | O_CLOEXEC | O_NONBLOCK
                file = try Syscall.open("open", path) { unsafe linux_open(path, flags, 0) }
            }
        } catch .systemCall(_, _, ENOENT), .systemCall(_, _, ENOTDIR) {
            throw .fileMissing(path)
        }
        if refusesSharedWriting, let status = FileStatus.of(descriptor: file.number), status.isFile,
            status.isWritableByOthers
        {
            throw .fileWritableByOthers(path, mode: status.permissions)
        }
        return try ByteIO.readAll(file.number, path, limitBytes: limitBytes, until: deadline)
    }

    /// Ignores a missing file.
    static func removeFile(_ path: String) throws(SocketError) {
        let call = Syscall.run { unsafe unlink(path) }
        if call.hasFailed, call.code != ENOENT { throw .systemCall("unlink", path: path, code: call.code) }
    }

    /// Replaces the file at `path`, or creates it. Other processes see the former bytes or the new ones, nothing between.
    /// Refuses a path of anything but a regular file, such as `/dev/null`: the new file would take its place.
    ///
    /// - Parameter mode: the permissions of the new file, without those that the umask removes.
    package static func replaceFile(_ path: String, _ bytes: [UInt8], mode: UInt32 = 0o666)
        throws(SocketError)
    {
        if path.utf8.contains(0) { throw .pathHasZeroByte(path) }
        if let status = try? FileStatus.of(path, followsLinks: true), !status.isFile { throw .notAFile(path) }
        // In a folder that others can write, they must not have made the file, or a link, before.
        let fresh = "\(path).\(String(UInt64.random(in: 0...UInt64.max), radix: 36))"
        guard try makeFile(fresh, bytes, mode: mode, of: path)
        else { throw .systemCall("open", path: fresh, code: EEXIST) }
        let renamed = Syscall.run { unsafe CLinux.rename(fresh, path) }
        guard renamed.hasFailed else { return }
        _ = unsafe unlink(fresh)
        throw .systemCall("rename", path: path, code: renamed.code)
    }

    /// Makes a file. Does not change an existing one, nor follow a link.
    /// - Parameter other: the path that an error names instead.
    /// - Returns: false if the path exists.
    package static func makeFile(_ path: String, _ bytes: [UInt8], mode: UInt32, of other: String? = nil)
        throws(SocketError) -> Bool
    {
        if path.utf8.contains(0) { throw .pathHasZeroByte(path) }
        let call = Syscall.run { unsafe linux_open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode) }
        if call.code == EEXIST { return false }
        if call.hasFailed { throw .systemCall("open", path: other ?? path, code: call.code) }
        let file = FileDescriptor(owning: Int32(call.value))
        let code = ByteIO.writeAll(file.number, bytes)
        guard code != 0 else { return true }
        _ = unsafe unlink(path)
        throw .systemCall("write", path: other ?? path, code: code)
    }

    /// Creates a folder that only its owner can enter, and missing folders above it. Does not change an existing folder.
    package static func makeFolder(_ path: String) throws(SocketError) {
        if path.utf8.contains(0) { throw .pathHasZeroByte(path) }
        var call = Syscall.run { unsafe mkdir(path, 0o700) }
        // The folder above may exist: in /proc, and where it is a removed one.
        if call.code == ENOENT, Path.folder(of: path) != path, !path.isEmpty {
            try makeFolder(Path.folder(of: path))
            call = Syscall.run { unsafe mkdir(path, 0o700) }
        }
        switch call.code {
        case 0:
            // A umask may have removed bits; it never adds any.
            try Syscall.check("chmod", path) { unsafe chmod(path, 0o700) }
        case EEXIST:
            guard try FileStatus.of(path, followsLinks: true)?.isFolder == true
            else { throw .notAFolder(path) }
        default: throw .systemCall("mkdir", path: path, code: call.code)
        }
    }
}

extension Platform {
    /// The folder for temporary files: `TMPDIR` if it is the absolute path of a folder that may be written, else `/tmp`.
    package static var temporaryFolder: String {
        var path = environment("TMPDIR") ?? ""
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        guard path.hasPrefix("/"), unsafe access("\(path)/.", W_OK | X_OK) == 0 else { return "/tmp" }
        return path
    }

    /// Whether this user may read the file at `path`, or search the folder there; if `writes`, list and change it.
    package static func mayUse(_ path: String, writes: Bool) -> Bool {
        let isFolder = (try? FileStatus.of(path, followsLinks: true))?.isFolder == true
        return unsafe access(path, !isFolder ? R_OK : writes ? R_OK | W_OK | X_OK : X_OK) == 0
    }
}

/// - Lifetime: ``removeAll()`` and `deinit` remove the folder and its contents. A killed process leaves it behind.
package final class TemporaryFolder: Sendable {
    package let path: String

    private init(path: String) { self.path = path }

    deinit { removeAll() }

    /// Creates a folder in `parent`, named `prefix` and six random characters. Only its owner can enter.
    package static func make(prefix: String, in parent: String = Platform.temporaryFolder) throws(SocketError)
        -> TemporaryFolder
    {
        var template = Array("\(parent)/\(prefix)XXXXXX".utf8CString)
        let made = unsafe template.withUnsafeMutableBufferPointer { buffer -> String? in
            guard let base = buffer.baseAddress, let start = unsafe mkdtemp(base) else { return nil }
            return unsafe String(cString: start)
        }
        guard let made else { throw .systemCall("mkdtemp", path: "\(parent)/\(prefix)", code: linux_errno()) }
        // A umask may have removed bits.
        try Syscall.check("chmod", made) { unsafe chmod(made, 0o700) }
        return TemporaryFolder(path: made)
    }

    /// Removes links without following them. A second call has no effect.
    package func removeAll() { _ = unsafe linux_remove_tree(path) }
}

extension Platform {
    /// Frees the pages of code that the process has used so far. Most of them were needed only for the start. The
    /// kernel loads the others again from the page cache.
    ///
    /// - Cost: most of a millisecond, now and in the next requests. It frees two thirds of the resident memory of an idle daemon.
    package static func releaseStartPages() {
        guard let bytes = try? readFile("/proc/self/maps", limitBytes: 1 << 20) else { return }
        for line in bytes.split(separator: 0x0A) {
            // first-last permissions offset device inode path
            let fields = line.split(separator: 0x20, maxSplits: 5)
            // Only pages that can have no changes: relocated data is read-only too, and would be lost.
            guard fields.count == 6, fields[1].elementsEqual("r-xp".utf8), fields[5].contains(0x2F)
            else { continue }
            let ends = fields[0].split(separator: 0x2D)
            guard ends.count == 2, let first = address(ends[0]), let last = address(ends[1]) else { continue }
            let pages = unsafe UnsafeMutableRawPointer(bitPattern: first)
            _ = unsafe madvise(pages, size_t(last - first), MADV_DONTNEED)
        }
    }

    private static func address(_ digits: ArraySlice<UInt8>) -> UInt? {
        UInt(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}

extension Platform {
    /// The seconds that local clocks are ahead of UTC at a time, and the name that the zone has then.
    /// - Parameter seconds: since 1970.
    package static func zone(at seconds: Int64) -> (offset: Int64, name: String) {
        var time = time_t(seconds)
        var local = unsafe tm()
        guard unsafe localtime_r(&time, &local) != nil else { return (0, "UTC") }
        let name = unsafe local.tm_zone.map { unsafe String(cString: $0) }
        return unsafe (Int64(local.tm_gmtoff), name ?? "UTC")
    }
}
