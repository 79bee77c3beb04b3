// SPDX-License-Identifier: MIT
// Standard streams that are pipes, sockets, files or nothing at all; and waiting for them.

import Dispatch
import CLinux
import Glibc
import ObserveCore
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15)))
struct StandardStreamsTests {
    /// A pipe with `output` writing into it.
    private struct Pipe: ~Copyable {
        var reading: FileDescriptor
        let writing: FileDescriptor

        init() throws {
            var ends: [Int32] = [-1, -1]
            try #require(unsafe pipe2(&ends, O_CLOEXEC) == 0)
            reading = FileDescriptor(owning: ends[0])
            writing = FileDescriptor(owning: ends[1])
        }

        var streams: StandardStreams { StandardStreams(input: -1, output: writing.number, error: -1) }

        /// Fills the pipe.
        func fill() throws {
            try writing.setNonBlocking(true)
            let page = [UInt8](repeating: 0x78, count: 4096)
            while unsafe write(writing.number, page, page.count) > 0 {}
            try writing.setNonBlocking(false)
        }
    }

    @Test func `written bytes are in the pipe immediately`() throws {
        let pipe = try Pipe()
        #expect(pipe.streams.write(Array("one\n".utf8)) == .done)
        #expect(ByteIO.read(pipe.reading.number, limitBytes: 100).bytes == Array("one\n".utf8))
        #expect(pipe.streams.write([]) == .done)
    }

    @Test func `more bytes than a pipe holds are written completely`() throws {
        let pipe = try Pipe()
        let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let received = Mutex<[UInt8]>([])
        let group = DispatchGroup()
        DispatchQueue(label: "reader").async(group: group) { [reading = pipe.reading.number] in
            while received.withLock(\.count) < bytes.count {
                let piece = ByteIO.read(reading, limitBytes: 65_536)
                guard case .bytes = piece.result else { return }
                received.withLock { $0 += piece.bytes }
            }
        }
        #expect(pipe.streams.write(bytes) == .done)
        group.wait()
        #expect(received.withLock { $0 } == bytes)
    }

    @Test func `a full pipe blocks the writer only until its deadline`() throws {
        let pipe = try Pipe()
        try pipe.fill()
        let deadline = MonotonicTime.now.adding(milliseconds: 20)
        #expect(pipe.streams.write([0x78], until: deadline) == .timedOut)
        #expect(MonotonicTime.now >= deadline)
    }

    @Test func `a closed pipe is reported without a signal`() throws {
        var pipe = try Pipe()
        pipe.reading.close()
        #expect(pipe.streams.write([0x78]) == .readerGone)
        var pair = try SocketPair(nonBlocking: false)
        pair.second.close()
        let streams = StandardStreams(input: -1, output: pair.first.number, error: -1)
        #expect(streams.write([0x78]) == .readerGone)
    }

    @Test func `a full disk and a read-only file are reported by their errors`() throws {
        let full = FileDescriptor(owning: unsafe open("/dev/full", O_WRONLY | O_CLOEXEC))
        #expect(StandardStreams(input: -1, output: full.number, error: -1).write([0x78]) == .failed(ENOSPC))
        let readOnly = FileDescriptor(owning: unsafe open("/dev/null", O_RDONLY | O_CLOEXEC))
        #expect(
            StandardStreams(input: -1, output: readOnly.number, error: -1).write([0x78]) == .failed(EBADF)
        )
    }

    @Test func `endless input stops at the deadline`() throws {
        let pair = try SocketPair(nonBlocking: false)
        #expect(ByteIO.writeAll(pair.first.number, Array("hello".utf8)) == 0)
        let streams = StandardStreams(input: pair.second.number, output: -1, error: -1)
        #expect(throws: SocketError.timedOut("standard input")) {
            try streams.readInput(limitBytes: 100, until: .now.adding(milliseconds: 5))
        }
    }

    @Test func `input is read to its end, or refused beyond a limit`() throws {
        for (limit, isTaken) in [(5, true), (4, false)] {
            var pair = try SocketPair()
            #expect(ByteIO.writeAll(pair.first.number, Array("hello".utf8)) == 0)
            pair.first.close()
            let streams = StandardStreams(input: pair.second.number, output: -1, error: -1)
            if isTaken {
                #expect(try streams.readInput(limitBytes: limit) == Array("hello".utf8))
            } else {
                #expect(throws: SocketError.fileTooLarge("standard input", limitBytes: limit)) {
                    try streams.readInput(limitBytes: limit)
                }
            }
        }
    }
}

@Suite(.timeLimit(.minutes(15)))
struct PollTests {
    @Test func `readable, writable and closed descriptors are reported`() throws {
        var pair = try SocketPair()
        let entry = (descriptor: pair.first.number, events: PollEvents([.readable, .writable]))
        #expect(Poll.wait(for: [entry]) == [[.writable]])
        #expect(ByteIO.write(pair.second.number, [1]) == .bytes(1))
        #expect(Poll.wait(for: [entry, (-1, .readable)]) == [[.readable, .writable], []])
        pair.second.close()
        #expect(Poll.wait(for: [(pair.first.number, [])]) == [.gone])
        // Not a descriptor.
        #expect(Poll.wait(for: [(.max, .readable)]) == [.gone])
    }

    @Test func `a wait without events ends at its deadline`() throws {
        let pair = try SocketPair()
        for milliseconds in [0, 1, 7] as [UInt64] {
            let deadline = MonotonicTime.now.adding(milliseconds: milliseconds)
            #expect(Poll.wait(for: [(pair.first.number, .readable)], until: deadline) == [[]])
            #expect(MonotonicTime.now >= deadline)
        }
    }
}

struct CurrentProcessTests {
    @Test(.startsProcess) func `a process dies by a signal that it ignored`() async {
        await #expect(processExitsWith: .signal(SIGPIPE)) {
            Platform.ignoreBrokenPipe()
            CurrentProcess.die(by: SIGPIPE)
        }
    }

    @Test(.startsProcess) func `a process dies by a signal that it blocked`() async {
        await #expect(processExitsWith: .signal(SIGTERM)) {
            var set = sigset_t()
            unsafe sigfillset(&set)
            _ = unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
            CurrentProcess.die(by: SIGTERM)
        }
    }

    @Test(.startsProcess) func `a signal without effect becomes a status`() async {
        await #expect(processExitsWith: .exitCode(128 + SIGCHLD)) { CurrentProcess.die(by: SIGCHLD) }
    }
}
