// SPDX-License-Identifier: MIT
// Stands for a service manager: receives the notifications of one daemon. Independent of their meaning.

import CLinux
import Glibc
import ObserveCore

/// A datagram socket, at a path or with an abstract name.
///
/// - Order: messages come in the order in which the daemon sent them.
final class NotifySocket {
    enum Kind: CaseIterable, Sendable {
        case path
        case abstract
    }

    /// The value of `$NOTIFY_SOCKET`.
    let address: String
    private let directory: TemporaryDirectory
    private let descriptor: FileDescriptor

    init(_ kind: Kind = .path) throws {
        directory = try TemporaryDirectory()
        // The folder's name is unique, and so is the abstract one.
        address = (kind == .abstract ? "@" : "") + directory.path("notify")
        descriptor = FileDescriptor(
            owning: socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        )
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(address.utf8)
        unsafe withUnsafeMutableBytes(of: &name.sun_path) { unsafe $0.copyBytes(from: bytes) }
        if kind == .abstract { name.sun_path.0 = 0 }
        let size = MemoryLayout<sa_family_t>.size + bytes.count + (kind == .abstract ? 0 : 1)
        let code = unsafe withUnsafePointer(to: &name) { start in
            unsafe start.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor.number, $0, socklen_t(size))
            }
        }
        guard code == 0 else { throw ProcessError(description: "bind failed: errno \(errno)") }
    }

    /// The lines of the next message.
    func next(within limit: Duration = ChildProcess.patience) throws -> [String] {
        guard let lines = try nextIfAny(within: limit) else {
            throw ProcessError(description: "no notification came in time")
        }
        return lines
    }

    /// The lines of the next message that is not a sign of life.
    func nextEvent() throws -> [String] {
        while true {
            let lines = try next()
            if lines != ["WATCHDOG=1"] { return lines }
        }
    }

    /// Nil if none comes within that time.
    func nextIfAny(within limit: Duration) throws -> [String]? {
        var entries = [Deadline.entry(descriptor.number)]
        guard Deadline(after: limit).waitForInput(&entries) else { return nil }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = unsafe read(descriptor.number, &buffer, buffer.count)
        guard count >= 0 else { throw ProcessError(description: "read failed: errno \(errno)") }
        return String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
