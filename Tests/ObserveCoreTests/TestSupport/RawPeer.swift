// SPDX-License-Identifier: MIT
// A server in its own folder, and a connection to it: bytes and lines, independent of the protocol.

import Dispatch

@testable import ObserveCore

/// A wait that reached its deadline.
struct TookTooLong: Error {
    let what: String
}

/// A server on a new socket. Freeing it stops it and waits for its end.
final class TestServer {
    let server: Server
    let path: String
    private let folder: TemporaryFolder
    private var isStopped = false

    init(
        _ roots: [(String, String)] = [("a", #"{"x":0}"#)],
        limits: ServerLimits = ServerLimits(),
        pacing: Pacing = .embedded
    ) throws {
        folder = try TemporaryFolder.make(prefix: "observed-test-")
        path = folder.path + "/s"
        server = try Server(limits: limits, pacing: pacing)
        try server.withTree { (tree) throws(TreeError) in
            for (name, json) in roots { try tree.define(root: name, json: json) }
        }
        try server.start(on: try UnixListener.listen(path: path))
    }

    deinit { if !isStopped { _ = stop() } }

    func connect() throws -> RawPeer { try RawPeer(path) }

    /// Stops the server; returns whether it was done within `milliseconds`.
    func stop(within milliseconds: Int = 20_000) -> Bool {
        isStopped = true
        let done = DispatchSemaphore(value: 0)
        server.stop { done.signal() }
        return done.wait(timeout: .now() + .milliseconds(milliseconds)) == .success
    }

    var socketFileExists: Bool { (try? FileStatus.of(path)) != nil }

    /// Asks repeatedly until the status has the wanted values.
    func wait(_ what: String, with peer: RawPeer, until isRight: (Value) -> Bool) throws {
        let deadline = MonotonicTime.now.adding(milliseconds: 20_000)
        while MonotonicTime.now < deadline {
            let status = try peer.ask(#"{"id":0,"method":"status"}"#)["result"] ?? nil
            if isRight(status) { return }
        }
        throw TookTooLong(what: what)
    }
}

/// One end of a connection. Every wait has a deadline.
final class RawPeer {
    private var descriptor: FileDescriptor
    private let epoll: Epoll
    private var received: [UInt8] = []
    private var scanned = 0
    private var interest: EpollEvents = []

    init(_ path: String) throws {
        descriptor = try UnixSocket.connect(path: path, timeoutMilliseconds: 20_000)
        try descriptor.setNonBlocking(true)
        epoll = try Epoll()
        try epoll.add(descriptor.number, [], token: 0)
    }

    /// Waits until the socket is ready; false after the deadline.
    func wait(_ wanted: EpollEvents, milliseconds: Int32 = 20_000) throws -> Bool {
        if wanted != interest {
            try epoll.modify(descriptor.number, wanted, token: 0)
            interest = wanted
        }
        return epoll.wait(timeoutMilliseconds: milliseconds) > 0
    }

    /// Waits until the server has closed, without reading anything.
    func waitForHangUp(milliseconds: Int32) throws -> Bool { try wait([], milliseconds: milliseconds) }

    // MARK: Sending

    func send(_ bytes: [UInt8]) throws {
        guard try offer(bytes, patience: 20_000) == bytes.count else { throw TookTooLong(what: "sending") }
    }

    func send(_ lines: String...) throws { try send(Array(lines.map { $0 + "\n" }.joined().utf8)) }

    /// Sends as many bytes as the socket takes, waiting for space until a deadline. Returns their number.
    func offer(_ bytes: [UInt8], patience milliseconds: Int32) throws -> Int {
        var sent = 0
        while sent < bytes.count {
            let piece = Array(bytes[sent..<min(bytes.count, sent + 1 << 20)])
            switch ByteIO.write(descriptor.number, piece) {
            case .bytes(let count): sent += count
            case .wouldBlock: guard try wait(.writable, milliseconds: milliseconds) else { return sent }
            case .failed(let code): throw SocketError.systemCall("send", path: nil, code: code)
            }
        }
        return sent
    }

    func endOutput() throws { try UnixSocket.shutdownWriting(descriptor.number) }

    func close() { descriptor.close() }

    // MARK: Receiving

    /// The next line; nil at the end of input.
    func line() throws -> String? {
        while true {
            if let end = received.firstLineFeed(from: scanned) {
                defer {
                    scanned = end + 1
                    if scanned > 1 << 20 {
                        received.removeFirst(scanned)
                        scanned = 0
                    }
                }
                return String(decoding: received[scanned..<end], as: UTF8.self)
            }
            guard try receive() else { return nil }
        }
    }

    /// False at the end of input, or after a reset, which closing with unread input causes.
    private func receive() throws -> Bool {
        while true {
            let piece = ByteIO.read(descriptor.number, limitBytes: 1 << 16)
            switch piece.result {
            case .bytes:
                received += piece.bytes
                return true
            case .endOfInput, .failed: return false
            case .wouldBlock: guard try wait(.readable) else { throw TookTooLong(what: "receiving") }
            }
        }
    }

    func lines(_ count: Int) throws -> [String] {
        var lines: [String] = []
        while lines.count < count, let line = try line() { lines.append(line) }
        return lines
    }

    /// All lines up to the end of input.
    func rest() throws -> [String] {
        var lines: [String] = []
        while let line = try line() { lines.append(line) }
        return lines
    }

    /// Sends a request and returns its answer, ignoring earlier events.
    func ask(_ request: String) throws -> Value {
        try send(request)
        while let line = try line() {
            let message = try Value(json: line)
            if message["method"] == nil { return message }
        }
        throw TookTooLong(what: "an answer to \(request)")
    }

    func set(_ path: String, _ value: String) throws {
        let answer = try ask(#"{"id":1,"method":"set","params":{"path":"\#(path)","value":\#(value)}}"#)
        if answer["result"] == nil { throw TookTooLong(what: answer.json) }
    }
}

extension RawPeer {
    static let pong = #"{"jsonrpc":"2.0","id":1,"result":{}}"#
    static let ping = #"{"id":1,"method":"ping"}"#

    static func goodbye(_ reason: String) -> String {
        #"{"jsonrpc":"2.0","method":"goodbye","params":{"reason":"\#(reason)"}}"#
    }

    /// The number of open sockets, meaningful only in the test's own process. Dispatch opens other descriptors at any
    /// time.
    static var openSockets: Int { (0..<8192).count { FileStatus.of(descriptor: $0)?.isSocket == true } }

    /// The process's resident memory in bytes, meaningful only in the test's own process.
    static var residentBytes: Int {
        guard let bytes = try? Platform.readFile("/proc/self/statm", limitBytes: 1000) else { return 0 }
        let pages = String(decoding: bytes, as: UTF8.self).split(separator: " ").dropFirst().first
        return (pages.flatMap { Int($0) } ?? 0) * 4096
    }
}
