// SPDX-License-Identifier: MIT
// What stands at a path, links not followed. Does not know why one asks.

internal import Glibc

/// Which file it is, whatever its name.
struct FileIdentity: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64
}

struct FileStatus {
    let identity: FileIdentity
    let owner: UInt32
    let size: Int
    private let mode: UInt32

    private init(_ raw: stat) {
        identity = FileIdentity(device: UInt64(raw.st_dev), inode: UInt64(raw.st_ino))
        owner = raw.st_uid
        size = Int(raw.st_size)
        mode = raw.st_mode
    }

    var permissions: UInt32 { mode & 0o7777 }
    var isSocket: Bool { mode & S_IFMT == S_IFSOCK }
    var isFolder: Bool { mode & S_IFMT == S_IFDIR }

    /// Nil if nothing stands there.
    static func of(_ path: String) throws(SocketError) -> FileStatus? {
        var raw = stat()
        let call = Syscall.run { unsafe lstat(path, &raw) }
        switch call.code {
        case 0: return FileStatus(raw)
        case ENOENT: return nil
        default: throw .systemCall("lstat", path: path, code: call.code)
        }
    }

    static func of(descriptor: Int32) -> FileStatus? {
        var raw = stat()
        return Syscall.run { unsafe fstat(descriptor, &raw) }.hasFailed ? nil : FileStatus(raw)
    }
}

/// Paths as text; nothing here looks at a disk.
package enum Path {
    /// The folder that `path` is in: `a/b` is in `a`, `b` in `.`, `/b` in `/`.
    package static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: 0x2F) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
