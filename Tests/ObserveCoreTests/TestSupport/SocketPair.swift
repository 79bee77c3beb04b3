// SPDX-License-Identifier: MIT
// Connected sockets for tests.

import CLinux
import Glibc
import ObserveCore

/// Two sockets that are connected to each other.
struct SocketPair: ~Copyable {
    var first: FileDescriptor
    var second: FileDescriptor

    init(nonBlocking: Bool = true) throws(SocketError) {
        var numbers: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard
            unsafe socketpair(AF_UNIX, nonBlocking ? kind | Int32(SOCK_NONBLOCK.rawValue) : kind, 0, &numbers)
                == 0
        else { throw .systemCall("socketpair", path: nil, code: errno) }
        first = FileDescriptor(owning: numbers[0])
        second = FileDescriptor(owning: numbers[1])
    }
}

extension UnixSocket {
    /// Ends the output of a socket. Its peer reads the end of input.
    static func shutdownWriting(_ descriptor: Int32) throws(SocketError) {
        guard shutdown(descriptor, Int32(SHUT_WR)) == 0 else {
            throw .systemCall("shutdown", path: nil, code: errno)
        }
    }
}

extension EpollEvents {
    /// The peer ended its output.
    static let readHangUp = EpollEvents(rawValue: EPOLLRDHUP.rawValue)
}
