// SPDX-License-Identifier: MIT
// Unix stream sockets. Independent of the bytes on them.

internal import CLinux

/// The process at the other end, as the kernel saw it when it connected.
package struct PeerCredentials: Hashable, Sendable {
    package let pid: Int32
    package let uid: UInt32
    package let gid: UInt32
}

package enum UnixSocket {
    /// The longest path, in bytes, that fits into the kernel's address.
    package static let pathLimitBytes = linux_unix_path_limit()

    /// Connects to the daemon that listens on `path`. The connection is blocking; see ``FileDescriptor/setNonBlocking(_:)``.
    /// - Parameter timeoutMilliseconds: The timeout for a daemon with a full queue; nil for none.
    package static func connect(
        path: String,
        timeoutMilliseconds: Int? = nil
    ) throws(SocketError) -> FileDescriptor {
        try check(path: path)
        let end = try open()
        if let timeoutMilliseconds { try limitSending(end.number, milliseconds: max(timeoutMilliseconds, 1)) }
        try Syscall.check(
            "connect",
            path,
            [ENOENT: .noSocket(path), ECONNREFUSED: .noListener(path), EAGAIN: .timedOut(path)]
        ) { unsafe linux_unix_connect(end.number, path) }
        if timeoutMilliseconds != nil { try limitSending(end.number, milliseconds: 0) }
        return end
    }

    /// Ends the output of a socket. Its peer reads the end of input.
    package static func shutdownWriting(_ descriptor: Int32) throws(SocketError) {
        try Syscall.check("shutdown") { shutdown(descriptor, Int32(SHUT_WR)) }
    }

    package static func peerCredentials(_ descriptor: Int32) throws(SocketError) -> PeerCredentials {
        var raw: [Int32] = [0, 0, 0]
        try Syscall.check("getsockopt") { unsafe linux_peer_credentials(descriptor, &raw) }
        return PeerCredentials(pid: raw[0], uid: UInt32(bitPattern: raw[1]), gid: UInt32(bitPattern: raw[2]))
    }

    /// The peer's supplementary groups when it connected. They may not include its `gid`.
    package static func peerGroups(_ descriptor: Int32) throws(SocketError) -> [UInt32] {
        var groups = [UInt32](repeating: 0, count: 64)
        while true {
            let call = Syscall.run { unsafe linux_peer_groups(descriptor, &groups, groups.count) }
            if !call.hasFailed { return Array(groups.prefix(call.value)) }
            guard call.code == ERANGE, groups.count < 65_536
            else { throw .systemCall("getsockopt", path: nil, code: call.code) }
            groups = [UInt32](repeating: 0, count: groups.count * 4)
        }
    }
}

// MARK: - Within Sockets

extension UnixSocket {
    /// Refuses a path that the kernel would truncate or misread.
    static func check(path: String) throws(SocketError) {
        if path.isEmpty { throw .pathEmpty }
        if path.utf8.contains(0) { throw .pathHasZeroByte(path) }
        if path.utf8.count > pathLimitBytes { throw .pathTooLong(path, limitBytes: pathLimitBytes) }
    }

    static func open(_ kind: __socket_type = SOCK_STREAM, nonBlocking: Bool = false) throws(SocketError)
        -> FileDescriptor
    {
        let mode = SOCK_CLOEXEC.rawValue | (nonBlocking ? SOCK_NONBLOCK.rawValue : 0)
        return try Syscall.open("socket") { socket(AF_UNIX, Int32(kind.rawValue | mode), 0) }
    }

    /// Limits the time of sends, and of `connect`; zero removes the limit.
    static func limitSending(_ descriptor: Int32, milliseconds: Int) throws(SocketError) {
        var span = timeval(tv_sec: milliseconds / 1000, tv_usec: milliseconds % 1000 * 1000)
        let size = socklen_t(MemoryLayout<timeval>.size)
        try Syscall.check("setsockopt") {
            unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &span, size)
        }
    }
}
