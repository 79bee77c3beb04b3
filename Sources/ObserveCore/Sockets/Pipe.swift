// SPDX-License-Identifier: MIT
// A pipe between this process and a child.

internal import CLinux

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Both ends close when another program starts.
struct Pipe: ~Copyable {
    let reading: FileDescriptor
    var writing: FileDescriptor

    init() throws(SocketError) {
        var ends: [Int32] = [-1, -1]
        try Syscall.check("pipe2") { unsafe pipe2(&ends, O_CLOEXEC) }
        reading = FileDescriptor(owning: ends[0])
        writing = FileDescriptor(owning: ends[1])
    }
}
