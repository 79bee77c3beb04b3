// SPDX-License-Identifier: MIT
// Helpers for tests of sockets.

import Dispatch
import Glibc
import ObserveCore
import Testing

/// Calls `body` with a new folder, and removes it afterwards.
func withFolder<R>(_ body: (String) throws -> R) throws -> R {
    let folder = try TemporaryFolder.make(prefix: "observed-test-")
    defer { folder.removeAll() }
    return try body(folder.path)
}

/// Leaves a socket file without a listener, like a killed daemon.
func makeStaleSocket(_ path: String) throws {
    let listener = try UnixListener.listen(path: path + "-")
    try #require(unsafe rename(path + "-", path) == 0)
    listener.close()
    try #require(exists(path))
}

func exists(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0
}

func permissions(_ path: String) -> UInt32 {
    var status = stat()
    return unsafe lstat(path, &status) == 0 ? status.st_mode & 0o7777 : .max
}

func makeFile(_ path: String, _ text: String = "keep me") throws {
    let number = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    try #require(number >= 0)
    let file = FileDescriptor(owning: number)
    try #require(ByteIO.writeAll(file.number, Array(text.utf8)) == 0)
}

/// The names in a folder, sorted.
func names(in folder: String) throws -> [String] {
    guard let stream = unsafe opendir(folder) else { throw SocketError.fileMissing(folder) }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
        let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
            unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
        }
        if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
}

/// Blocks until `descriptor` is ready for `events`, at most ten seconds.
func wait(for events: EpollEvents, on descriptor: Int32) throws -> Bool {
    let epoll = try Epoll()
    try epoll.add(descriptor, events, token: 0)
    return epoll.wait(timeoutMilliseconds: 10_000) == 1
}

/// Reads until the end of input or until no bytes are available.
func readAll(_ descriptor: Int32) -> (bytes: [UInt8], end: ReadResult) {
    var all: [UInt8] = []
    while true {
        let piece = ByteIO.read(descriptor, limitBytes: 65_536)
        guard case .bytes = piece.result else { return (all, piece.result) }
        all += piece.bytes
    }
}

extension UnixListener {
    /// Waits for the next connection.
    func next() throws -> FileDescriptor {
        try #require(try wait(for: .readable, on: number))
        switch accept() {
        case .connection(let descriptor): return descriptor
        case .wouldBlock: throw SocketError.systemCall("accept", path: path, code: EAGAIN)
        case .exhausted(let code): throw SocketError.systemCall("accept", path: path, code: code)
        case .failed(let code): throw SocketError.systemCall("accept", path: path, code: code)
        }
    }
}
