// SPDX-License-Identifier: MIT
// Errors of sockets, folders and files, with messages.

internal import CLinux

/// Errors of sockets, folders and files.
public enum SocketError: Error, Hashable, Sendable {
    /// A system call failed, with an error that has no case of its own.
    case systemCall(String, path: String?, code: Int32)

    /// The path is empty.
    case pathEmpty
    /// The path is too long for a socket.
    case pathTooLong(String, limitBytes: Int)
    /// The path has a zero byte, at which the kernel would truncate it.
    case pathHasZeroByte(String)

    /// The folder of the path does not exist.
    case folderMissing(folder: String, path: String)
    /// A component of the path is not a folder.
    case notAFolder(String)
    /// Another process has held the folder's lock for too long.
    case folderBusy(String)
    /// Another user owns the folder and could have created the socket.
    case folderOfAnotherUser(String, owner: UInt32)
    /// Other users could create a socket in the folder.
    case folderWritableByOthers(String, mode: UInt32)

    /// The file at the path is not a socket, or one of another kind that is in use. It was not changed.
    case notASocket(String)
    /// A running daemon listens at the path.
    case alreadyRunning(String)

    /// The path does not exist.
    case noSocket(String)
    /// The path has a socket, but no daemon listens on it.
    case noListener(String)
    /// The timeout passed: no daemon accepted the connection, as the description says, or the input did not end.
    case timedOut(String)

    /// Another daemon keeps its state in the folder.
    case stateInUse(String)

    /// The file does not exist.
    case fileMissing(String)
    /// Users other than the owner may write the file.
    case fileWritableByOthers(String, mode: UInt32)
    /// The file is a folder, a pipe, a device or a socket.
    case notAFile(String)
    /// The file exceeds the limit.
    case fileTooLarge(String, limitBytes: Int)
}

extension SocketError: CustomStringConvertible {
    /// One sentence.
    public var description: String {
        switch self {
        case .systemCall(let name, nil, let code): "\(name) failed: \(SocketError.text(of: code))"
        case .systemCall(let name, let path?, let code):
            "\(name) failed for \(path): \(SocketError.text(of: code))"
        case .pathEmpty: "the path is empty"
        case .pathTooLong(let path, let limit):
            "the socket path \(path) is \(path.utf8.count) bytes long; the limit is \(limit)"
        case .pathHasZeroByte(let path):
            "the path \(path.split(separator: "\0").joined(separator: "\\0")) contains a zero byte"
        case .folderMissing(let folder, let path):
            "the folder \(folder) does not exist, so \(path) cannot be made in it"
        case .notAFolder(let path): "\(path) is not a folder"
        case .folderBusy(let folder): "another process keeps the folder \(folder) locked"
        case .folderOfAnotherUser(let folder, let owner):
            "the folder \(folder) belongs to another user (uid \(owner))"
        case .folderWritableByOthers(let folder, let mode):
            "the folder \(folder) is writable by others (mode \(String(mode, radix: 8)))"
        case .fileWritableByOthers(let path, let mode):
            "\(path) is writable by others (mode \(String(mode, radix: 8))): remove that, as chmod go-w does"
        case .notASocket(let path): "\(path) exists and is not a stream socket; it was left as it is"
        case .alreadyRunning(let path): "another daemon is already running on \(path)"
        case .noSocket(let path): "no socket at \(path); is the daemon running?"
        case .noListener(let path): "no daemon listens on \(path)"
        case .timedOut(let path): "the daemon on \(path) did not accept the connection in time"
        case .stateInUse(let path): "another daemon keeps its state in \(path)"
        case .fileMissing(let path): "\(path) does not exist"
        case .notAFile(let path): "\(path) is not a regular file"
        case .fileTooLarge(let path, let limit): "\(path) is larger than the limit of \(limit) bytes"
        }
    }

    /// The C library's text for an `errno`, or for a negative code of `getaddrinfo`.
    package static func text(of code: Int32) -> String {
        if code < 0 { return unsafe String(cString: gai_strerror(code)) }
        guard let text = unsafe strerror(code) else { return "error \(code)" }
        return unsafe String(cString: text)
    }
}
