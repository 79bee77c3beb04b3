// SPDX-License-Identifier: MIT
// Reads and writes, and each way that they end.

import Dispatch
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import ObserveCore

@Suite(.timeLimit(.minutes(15)))
struct ByteIOTests {
    @Test func `a read returns written bytes, as many as fit`() throws {
        let pair = try SocketPair()
        #expect(ByteIO.write(pair.first.number, Array("abcdef".utf8)) == .bytes(6))
        #expect(ByteIO.read(pair.second.number, limitBytes: 4) == (.bytes(4), Array("abcd".utf8)))
        #expect(ByteIO.read(pair.second.number, limitBytes: 4) == (.bytes(2), Array("ef".utf8)))
        #expect(ByteIO.read(pair.second.number, limitBytes: 4) == (.wouldBlock, []))
    }

    @Test func `a full socket accepts a part, then nothing, then the rest`() throws {
        let pair = try SocketPair()
        let bytes = (0..<4_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        var sent = 0
        var received: [UInt8] = []
        var refusals = 0
        while sent < bytes.count {
            switch ByteIO.write(pair.first.number, Array(bytes[sent...].prefix(1_000_000))) {
            case .bytes(let count): sent += count
            case .wouldBlock:
                refusals += 1
                received += readAll(pair.second.number).bytes
            case .failed(let code): Issue.record("write failed: \(SocketError.text(of: code))")
            }
        }
        received += readAll(pair.second.number).bytes
        #expect(received == bytes)
        #expect(refusals > 0)
    }

    @Test func `the end of input follows the last byte, and the other direction stays open`() throws {
        let pair = try SocketPair()
        #expect(ByteIO.write(pair.first.number, Array("last".utf8)) == .bytes(4))
        try UnixSocket.shutdownWriting(pair.first.number)
        #expect(readAll(pair.second.number) == (Array("last".utf8), .endOfInput))
        #expect(ByteIO.write(pair.second.number, Array("reply".utf8)) == .bytes(5))
        #expect(readAll(pair.first.number) == (Array("reply".utf8), .wouldBlock))
        #expect(ByteIO.write(pair.first.number, [1]) == .failed(EPIPE))
    }

    /// The kernel makes its log, which only root may read, as a regular file without an end. Here a socket stands for it.
    @Test func `a file without an end is refused, instead of waited for`() throws {
        var pair = try SocketPair()
        let (end, other) = (pair.second.number, pair.first.number)
        #expect(ByteIO.write(other, Array("message".utf8)) == .bytes(7))
        #expect(throws: SocketError.notAFile("log")) { try ByteIO.readAll(end, "log", isFile: true) }
        #expect(ByteIO.write(other, [1]) == .bytes(1))
        #expect(throws: SocketError.timedOut("log")) { try ByteIO.readAll(end, "log", until: .now) }
        pair.first.close()
    }

    @Test func `bytes of a closed peer can still be read`() throws {
        var pair = try SocketPair()
        #expect(ByteIO.write(pair.first.number, Array("last".utf8)) == .bytes(4))
        pair.first.close()
        #expect(readAll(pair.second.number) == (Array("last".utf8), .endOfInput))
    }

    @Test func `a peer that closed with unread bytes is an error, once`() throws {
        var pair = try SocketPair()
        #expect(ByteIO.write(pair.second.number, [1, 2, 3]) == .bytes(3))
        pair.first.close()
        #expect(ByteIO.read(pair.second.number, limitBytes: 10) == (.failed(ECONNRESET), []))
        #expect(ByteIO.read(pair.second.number, limitBytes: 10) == (.endOfInput, []))
    }

    @Test(.startsProcess) func `writing to a closed peer gives EPIPE and no signal`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            signal(SIGPIPE, SIG_DFL)
            var pair = try SocketPair()
            pair.second.close()
            exit(ByteIO.write(pair.first.number, [1]) == .failed(EPIPE) ? 7 : 1)
        }
    }

    @Test(.startsProcess) func `with SIGPIPE ignored a closed pipe is an error too`() async {
        await #expect(processExitsWith: .exitCode(Int32(EPIPE))) {
            signal(SIGPIPE, SIG_DFL)
            Platform.ignoreBrokenPipe()
            var ends: [Int32] = [0, 0]
            guard unsafe pipe(&ends) == 0, close(ends[0]) == 0 else { exit(1) }
            exit(ByteIO.writeAll(ends[1], [1]))
        }
    }

    @Test func `an invalid descriptor fails with its errno`() {
        #expect(ByteIO.read(-1, limitBytes: 1) == (.failed(EBADF), []))
        #expect(ByteIO.write(-1, [1]) == .failed(EBADF))
        #expect(ByteIO.writeAll(-1, [1]) == EBADF)
        #expect(ByteIO.writeAll(-1, []) == 0)
    }

    @Test func `writing all waits for a slow peer`() throws {
        let pair = try SocketPair()
        let bytes = [UInt8](repeating: 7, count: 3_000_000)
        let writer = pair.first.number
        let queue = DispatchQueue(label: "writer")
        let code = Atomic<Int32>(-1)
        queue.async { code.store(ByteIO.writeAll(writer, bytes), ordering: .releasing) }
        var received = 0
        while received < bytes.count {
            try #require(try wait(for: .readable, on: pair.second.number))
            received += readAll(pair.second.number).bytes.count
        }
        queue.sync {}
        #expect(code.load(ordering: .acquiring) == 0)
        #expect(received == bytes.count)
    }

    @Test(.startsProcess) func `a read into an empty buffer traps`() async {
        await #expect(processExitsWith: .failure) { _ = ByteIO.read(0, limitBytes: 0) }
    }
}

struct SyscallTests {
    @Test func `an interrupted call is repeated, and its errno is discarded`() {
        var calls = 0
        let result = Syscall.run { () -> Int32 in
            calls += 1
            errno = EINTR
            return calls < 3 ? -1 : 5
        }
        #expect(calls == 3 && result.value == 5 && result.code == 0 && !result.hasFailed)
    }

    @Test(arguments: [EAGAIN, EBADF, EPIPE])
    func `any other failure is returned immediately`(_ code: Int32) {
        var calls = 0
        let result = Syscall.run { () -> Int in
            calls += 1
            errno = code
            return -1
        }
        #expect(calls == 1 && result.hasFailed && result.code == code)
    }

    @Test(arguments: [
        (SocketError.systemCall("bind", path: "/a", code: EACCES), "bind failed for /a: Permission denied"),
        (.systemCall("epoll_ctl", path: nil, code: ENOSPC), "epoll_ctl failed: No space left on device"),
        (.pathTooLong("/aé", limitBytes: 3), "the socket path /aé is 4 bytes long; the limit is 3"),
        (.pathHasZeroByte("a\0b"), "the path a\\0b contains a zero byte"),
        (
            .folderWritableByOthers("/f", mode: 0o777),
            "the folder /f is writable by others (mode 777)"
        ),
        (.alreadyRunning("/s"), "another daemon is already running on /s"),
    ])
    func `messages of errors name the path`(_ error: SocketError, _ sentence: String) {
        #expect("\(error)" == sentence)
    }
}

struct FileDescriptorTests {
    @Test func `closing closes once, and the peer reads the end of input`() throws {
        var pair = try SocketPair()
        let before = pair.first.isOpen
        pair.first.close()
        #expect(before && pair.first.number == -1 && !pair.first.isOpen)
        pair.first.close()
        #expect(readAll(pair.second.number) == ([], .endOfInput))
    }

    @Test func `freeing the owner closes the descriptor`() throws {
        var pair = try SocketPair()
        let released = pair.first.release()
        #expect(pair.first.number == -1)
        do { _ = FileDescriptor(owning: released) }
        #expect(readAll(pair.second.number) == ([], .endOfInput))
    }

    @Test func `blocking is switched off and on`() throws {
        let pair = try SocketPair(nonBlocking: false)
        for wanted in [true, true, false, false] {
            try pair.first.setNonBlocking(wanted)
            #expect((fcntl(pair.first.number, F_GETFL) & O_NONBLOCK != 0) == wanted)
        }
    }
}
