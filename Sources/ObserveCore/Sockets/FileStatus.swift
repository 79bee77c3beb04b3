// SPDX-License-Identifier: MIT
// The status of files, and the folder of a path.

internal import CLinux

/// The identity of a file, independent of its name.
package struct FileIdentity: Hashable, Sendable {
    package let device: UInt64
    package let inode: UInt64
}

package struct FileStatus {
    package let identity: FileIdentity
    package let owner: UInt32
    let size: Int
    private let mode: UInt32

    private init(_ raw: stat) {
        identity = FileIdentity(device: UInt64(raw.st_dev), inode: UInt64(raw.st_ino))
        owner = raw.st_uid
        size = Int(raw.st_size)
        mode = raw.st_mode
    }

    package var permissions: UInt32 { mode & 0o7777 }
    /// Whether users other than the owner and root may write.
    package var isWritableByOthers: Bool { permissions & 0o022 != 0 }
    /// Whether users other than the owner and root may open it for reading.
    var isReadableByOthers: Bool { permissions & 0o044 != 0 }
    package var isFile: Bool { isKind(S_IFREG) }
    var isPipe: Bool { isKind(S_IFIFO) }
    package var isSocket: Bool { isKind(S_IFSOCK) }
    package var isFolder: Bool { isKind(S_IFDIR) }

    private func isKind(_ kind: Int32) -> Bool { mode & UInt32(S_IFMT) == UInt32(kind) }

    func requirePrivate(_ path: String, of uid: UInt32 = Platform.uid) throws(SocketError) {
        guard owner == uid else { throw .folderOfAnotherUser(path, owner: owner) }
        guard !isWritableByOthers else { throw .folderWritableByOthers(path, mode: permissions) }
    }

    /// Nil if the path does not exist.
    /// - Parameter followsLinks: whether to return the status of a link's target.
    package static func of(_ path: String, followsLinks: Bool = false) throws(SocketError) -> FileStatus? {
        var raw = stat()
        let call = Syscall.run { unsafe followsLinks ? stat(path, &raw) : lstat(path, &raw) }
        switch call.code {
        case 0: return FileStatus(raw)
        case ENOENT: return nil
        default: throw .systemCall(followsLinks ? "stat" : "lstat", path: path, code: call.code)
        }
    }

    static func of(descriptor: Int32) -> FileStatus? {
        var raw = stat()
        return Syscall.run { unsafe fstat(descriptor, &raw) }.hasFailed ? nil : FileStatus(raw)
    }
}

package enum Path {
    /// The folder of `path`: `a` for `a/b`, `.` for `b`, `/` for `/b`.
    package static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: 0x2F) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
