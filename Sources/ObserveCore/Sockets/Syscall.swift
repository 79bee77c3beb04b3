// SPDX-License-Identifier: MIT
// Makes system calls the one right way. Does not know what any call means.

internal import Glibc

/// What one system call said.
package struct Syscall {
    package let value: Int
    /// Zero unless the call failed.
    package let code: Int32

    @inline(__always) package var hasFailed: Bool { code != 0 }

    /// Makes the call again while signals interrupt it, and reads `errno` before anything else can change it.
    @inline(__always)
    package static func run(_ call: () -> some SignedInteger) -> Syscall {
        while true {
            let value = Int(call())
            guard value < 0 else { return Syscall(value: value, code: 0) }
            let code = errno
            if code != EINTR { return Syscall(value: value, code: code) }
        }
    }

    /// As ``run(_:)``, for calls whose failure ends what the caller was doing.
    @discardableResult
    static func check(
        _ name: String,
        _ path: String? = nil,
        _ call: () -> some SignedInteger
    ) throws(SocketError) -> Int {
        let result = run(call)
        if result.hasFailed { throw .systemCall(name, path: path, code: result.code) }
        return result.value
    }

    /// As ``check(_:_:_:)``, for calls that return a new descriptor.
    static func open(
        _ name: String,
        _ path: String? = nil,
        _ call: () -> Int32
    ) throws(SocketError) -> FileDescriptor {
        FileDescriptor(owning: Int32(try check(name, path, call)))
    }
}
