// SPDX-License-Identifier: MIT
// What a program asks of the system besides sockets. Does not know which program asks.

internal import CLinux
internal import Glibc

package enum Platform {
    package static var uid: UInt32 { geteuid() }
    package static var gid: UInt32 { getegid() }
    package static var pid: Int32 { getpid() }

    /// The variable's value; nil if it is not set.
    package static func environment(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }

    /// A peer that is gone is then an error of the write to it instead of the end of the process.
    package static func ignoreBrokenPipe() { _ = signal(SIGPIPE, SIG_IGN) }

    /// A file that may not grow is then an error of the write to it instead of the end of the process.
    package static func ignoreFileSizeLimit() { _ = signal(SIGXFSZ, SIG_IGN) }

    /// Allows as many descriptors as the system lets us have, and returns how many that is.
    @discardableResult
    package static func raiseDescriptorLimit() -> Int {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard unsafe getrlimit(resource, &limit) == 0 else { return 0 }
        if limit.rlim_cur < limit.rlim_max {
            var raised = rlimit(rlim_cur: limit.rlim_max, rlim_max: limit.rlim_max)
            if unsafe setrlimit(resource, &raised) == 0 { limit = raised }
        }
        return Int(clamping: limit.rlim_cur)
    }

    /// The number of the user called `name`.
    package static func uid(named name: String) -> UInt32? {
        guard let entry = unsafe getpwnam(name) else { return nil }
        return unsafe entry.pointee.pw_uid
    }

    package static func gid(named name: String) -> UInt32? {
        guard let entry = unsafe getgrnam(name) else { return nil }
        return unsafe entry.pointee.gr_gid
    }
}

extension Platform {
    /// Lets another thread run that waits for this processor, if there is one.
    @inline(__always)
    package static func yield() { _ = sched_yield() }

    /// Names this run of the system: another one has another name. Empty where the system does not say.
    package static var boot: String {
        guard let bytes = try? readFile("/proc/sys/kernel/random/boot_id", limitBytes: 4096) else {
            return ""
        }
        return String(decoding: bytes.prefix { $0 > 0x20 }, as: UTF8.self)
    }

    /// What the system's clock shows when the monotonic one shows zero, in milliseconds since 1970.
    package static var clockOffset: Int64 {
        var now = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &now)
        let milliseconds = Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
        return milliseconds - Int64(MonotonicTime.now.nanoseconds / 1_000_000)
    }
}

// MARK: - Files

extension Platform {
    /// The bytes of the file at `path`, at most `limitBytes` of them; a larger file is refused.
    package static func readFile(_ path: String, limitBytes: Int) throws(SocketError) -> [UInt8] {
        if path.utf8.contains(0) { throw .pathHasZeroByte(path) }
        let call = Syscall.run { unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC) }
        switch call.code {
        case 0: break
        case ENOENT, ENOTDIR: throw .fileMissing(path)
        default: throw .systemCall("open", path: path, code: call.code)
        }
        let file = FileDescriptor(owning: Int32(call.value))
        var bytes: [UInt8] = []
        while true {
            let piece = ByteIO.read(file.number, limitBytes: 65_536)
            switch piece.result {
            case .bytes: bytes += piece.bytes
            case .endOfInput: return bytes
            case .wouldBlock: throw .systemCall("read", path: path, code: EAGAIN)
            case .failed(let code): throw .systemCall("read", path: path, code: code)
            }
            if bytes.count > limitBytes { throw .fileTooLarge(path, limitBytes: limitBytes) }
        }
    }

    /// Makes a folder that only its owner can enter, and those above it that are missing. One that exists is
    /// left as it is.
    package static func makeFolder(_ path: String) throws(SocketError) {
        if path.utf8.contains(0) { throw .pathHasZeroByte(path) }
        let call = Syscall.run { unsafe mkdir(path, 0o700) }
        switch call.code {
        case 0:
            // A umask may have taken bits away; none were ever added.
            try Syscall.check("chmod", path) { unsafe chmod(path, 0o700) }
        case EEXIST:
            var status = stat()
            try Syscall.check("stat", path) { unsafe stat(path, &status) }
            guard status.st_mode & S_IFMT == S_IFDIR else { throw .notAFolder(path) }
        case ENOENT where Path.folder(of: path) != path && !path.isEmpty:
            try makeFolder(Path.folder(of: path))
            try makeFolder(path)
        default:
            throw .systemCall("mkdir", path: path, code: call.code)
        }
    }
}

/// A fresh folder of one's own, removed with all that is in it.
///
/// - Lifetime: ``removeAll()``, or freeing it, removes it. A killed process leaves it.
package final class TemporaryFolder: Sendable {
    package let path: String

    private init(path: String) { self.path = path }

    deinit { removeAll() }

    /// Makes a folder named `prefix` and six random characters, open to its owner only, in `parent`.
    package static func make(prefix: String, in parent: String = "/tmp") throws(SocketError)
        -> TemporaryFolder
    {
        var template = Array("\(parent)/\(prefix)XXXXXX".utf8CString)
        let made = unsafe template.withUnsafeMutableBufferPointer { buffer -> String? in
            guard let base = buffer.baseAddress, let start = unsafe mkdtemp(base) else { return nil }
            return unsafe String(cString: start)
        }
        guard let made else { throw .systemCall("mkdtemp", path: "\(parent)/\(prefix)", code: errno) }
        return TemporaryFolder(path: made)
    }

    /// Links in it are removed and not followed. Harmless when done twice.
    package func removeAll() { _ = unsafe linux_remove_tree(path) }
}
