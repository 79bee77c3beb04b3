// SPDX-License-Identifier: MIT
// What can go wrong between us and the kernel, in sentences for people. Does not know who is told.

internal import Glibc

/// Why a socket, a folder or a file could not be had.
public enum SocketError: Error, Hashable, Sendable {
    /// A call failed for a reason that has no case of its own.
    case systemCall(String, path: String?, code: Int32)

    /// A path without characters.
    case pathEmpty
    /// The kernel takes no path of that length for a socket.
    case pathTooLong(String, limitBytes: Int)
    /// A path that the kernel would cut off.
    case pathHasZeroByte(String)

    /// The folder that the path is in does not exist.
    case folderMissing(folder: String, path: String)
    /// Something other than a folder is on the way.
    case notAFolder(String)
    /// Somebody has held the folder's lock for longer than any start takes.
    case folderBusy(String)
    /// Somebody else could have put a socket there.
    case folderOfAnotherUser(String, owner: UInt32)
    /// Others could put a socket there.
    case folderWritableByOthers(String, mode: UInt32)

    /// Something other than a socket stands at the path. It was not touched.
    case notASocket(String)
    /// A live daemon has the path.
    case alreadyRunning(String)

    /// Nothing stands at the path.
    case noSocket(String)
    /// A socket stands at the path, but its daemon is gone.
    case noListener(String)
    /// It took longer than was asked for.
    case timedOut(String)

    /// Another daemon keeps its state in the folder.
    case stateInUse(String)

    /// There is no such file.
    case fileMissing(String)
    /// The file has more than it may.
    case fileTooLarge(String, limitBytes: Int)
}

extension SocketError: CustomStringConvertible {
    /// One sentence for people.
    public var description: String {
        switch self {
        case .systemCall(let name, nil, let code):
            "\(name) failed: \(SocketError.text(of: code))"
        case .systemCall(let name, let path?, let code):
            "\(name) failed for \(path): \(SocketError.text(of: code))"
        case .pathEmpty:
            "the path is empty"
        case .pathTooLong(let path, let limit):
            "the socket path \(path) is \(path.utf8.count) bytes long; the limit is \(limit)"
        case .pathHasZeroByte(let path):
            "the path \(path.split(separator: "\0").joined(separator: "\\0")) contains a zero byte"
        case .folderMissing(let folder, let path):
            "the folder \(folder) does not exist, so \(path) cannot be made in it"
        case .notAFolder(let path):
            "\(path) is not a folder"
        case .folderBusy(let folder):
            "another process keeps the folder \(folder) locked"
        case .folderOfAnotherUser(let folder, let owner):
            "the folder \(folder) belongs to another user (uid \(owner))"
        case .folderWritableByOthers(let folder, let mode):
            "the folder \(folder) is writable by others (mode \(String(mode, radix: 8)))"
        case .notASocket(let path):
            "\(path) exists and is not a socket; it was left as it is"
        case .alreadyRunning(let path):
            "another daemon is already running on \(path)"
        case .noSocket(let path):
            "there is no socket at \(path); is the daemon running?"
        case .noListener(let path):
            "no daemon listens on \(path)"
        case .timedOut(let path):
            "the daemon on \(path) did not take the connection in time"
        case .stateInUse(let path):
            "another daemon keeps its state in \(path)"
        case .fileMissing(let path):
            "\(path) does not exist"
        case .fileTooLarge(let path, let limit):
            "\(path) is larger than the limit of \(limit) bytes"
        }
    }

    /// What the C library calls an `errno`.
    package static func text(of code: Int32) -> String {
        guard let text = unsafe strerror(code) else { return "error \(code)" }
        return unsafe String(cString: text)
    }
}
