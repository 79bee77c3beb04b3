// SPDX-License-Identifier: MIT
// Ends of connected sockets, which only tests use.

import CLinux
import Glibc

@testable import ObserveCore

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
