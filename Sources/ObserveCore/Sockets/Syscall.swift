// SPDX-License-Identifier: MIT
// Makes system calls with correct handling of `errno` and signals.

internal import CLinux

package struct Syscall {
    package let value: Int
    /// Zero unless the call failed.
    package let code: Int32

    @inline(__always) package var hasFailed: Bool { code != 0 }

    /// Repeats the call while signals interrupt it, and reads `errno` before other code can change it.
    @inline(__always) package static func run(_ call: () -> some SignedInteger) -> Syscall {
        while true {
            let value = Int(call())
            guard value < 0 else { return Syscall(value: value, code: 0) }
            let code = linux_errno()
            if code != EINTR { return Syscall(value: value, code: code) }
        }
    }

    /// Like ``run(_:)``, but throws on failure.
    /// - Parameter refusals: the errors for codes that have one of their own.
    @discardableResult static func check(
        _ name: String,
        _ path: String? = nil,
        _ refusals: [Int32: SocketError] = [:],
        _ call: () -> some SignedInteger
    ) throws(SocketError) -> Int {
        let result = run(call)
        if !result.hasFailed { return result.value }
        throw refusals[result.code] ?? .systemCall(name, path: path, code: result.code)
    }

    /// Like ``check(_:_:_:_:)``, for calls that return a new descriptor.
    static func open(
        _ name: String,
        _ path: String? = nil,
        _ refusals: [Int32: SocketError] = [:],
        _ call: () -> Int32
    ) throws(SocketError) -> FileDescriptor {
        FileDescriptor(owning: Int32(try check(name, path, refusals, call)))
    }
}
