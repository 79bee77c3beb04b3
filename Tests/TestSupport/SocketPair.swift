// SPDX-License-Identifier: MIT
// Connected sockets for tests.

import Glibc
package import ObserveCore

/// Two sockets that are connected to each other.
package struct SocketPair: ~Copyable {
    package var first: FileDescriptor
    package var second: FileDescriptor

    package init(nonBlocking: Bool = true) throws(SocketError) {
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
