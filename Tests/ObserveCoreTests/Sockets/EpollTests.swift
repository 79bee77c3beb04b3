// SPDX-License-Identifier: MIT
// Readiness from the kernel: batches, levels, hang-ups, wake-ups and deadlines.

import Dispatch
import Glibc
import ObserveCore
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15)))
struct EpollTests {
    enum Action: CaseIterable {
        case nothing, write, shutDown, writeAndShutDown, close, closeWithUnread
    }

    @Test(
        arguments: [
            (.nothing, []),
            (.write, [.readable]),
            (.shutDown, [.readable, .readHangUp]),
            (.writeAndShutDown, [.readable, .readHangUp]),
            (.close, [.readable, .readHangUp, .hangUp]),
            (.closeWithUnread, [.readable, .readHangUp, .hangUp, .error]),
        ] as [(Action, EpollEvents)]
    )
    func `actions of the peer are reported`(_ action: Action, _ expected: EpollEvents) throws {
        var pair = try SocketPair()
        let epoll = try Epoll()
        try epoll.add(pair.second.number, [.readable, .readHangUp], token: 42)
        switch action {
        case .nothing: break
        case .write: _ = ByteIO.write(pair.first.number, [1])
        case .shutDown: try UnixSocket.shutdownWriting(pair.first.number)
        case .writeAndShutDown:
            _ = ByteIO.write(pair.first.number, [1])
            try UnixSocket.shutdownWriting(pair.first.number)
        case .close: pair.first.close()
        case .closeWithUnread:
            _ = ByteIO.write(pair.second.number, [1])
            pair.first.close()
        }
        let count = epoll.wait(timeoutMilliseconds: 0)
        try #require(count == (expected.isEmpty ? 0 : 1))
        if count == 1 {
            #expect(epoll.token(0) == 42)
            #expect(epoll.flags(0) == expected)
        }
    }

    @Test
    func
        `a half-closed peer stays readable until its interest is removed, and its hang-up is still reported`()
        throws
    {
        var pair = try SocketPair()
        let epoll = try Epoll()
        try epoll.add(pair.second.number, [.readable, .readHangUp], token: 1)
        try UnixSocket.shutdownWriting(pair.first.number)
        #expect(readAll(pair.second.number).end == .endOfInput)
        #expect(epoll.wait(timeoutMilliseconds: 0) == 1)
        try epoll.modify(pair.second.number, [], token: 2)
        #expect(epoll.wait(timeoutMilliseconds: 0) == 0)
        pair.first.close()
        try #require(epoll.wait(timeoutMilliseconds: 0) == 1)
        #expect(epoll.token(0) == 2)
        #expect(epoll.flags(0) == .hangUp)
    }

    @Test func `a full socket is writable after the peer reads`() throws {
        let pair = try SocketPair()
        let epoll = try Epoll()
        try epoll.add(pair.first.number, .writable, token: .max)
        try #require(epoll.wait(timeoutMilliseconds: 0) == 1)
        #expect(epoll.flags(0) == .writable && epoll.token(0) == .max)
        let block = [UInt8](repeating: 0, count: 65_536)
        while case .bytes = ByteIO.write(pair.first.number, block) {}
        #expect(epoll.wait(timeoutMilliseconds: 0) == 0)
        _ = readAll(pair.second.number)
        #expect(epoll.wait(timeoutMilliseconds: 0) == 1)
    }

    @Test func `more ready descriptors than a batch are all reported`() throws {
        Platform.raiseDescriptorLimit()
        let epoll = try Epoll()
        let counters = try (0..<600).map { _ in try EventCounter() }
        for (index, counter) in counters.enumerated() {
            try epoll.add(counter.number, .readable, token: UInt64(index))
            counter.signal()
        }
        var seen = Set<UInt64>()
        var batches: [Int] = []
        while case let count = epoll.wait(timeoutMilliseconds: 0), count > 0 {
            batches.append(count)
            for index in 0..<count {
                #expect(seen.insert(epoll.token(index)).inserted)
                #expect(counters[Int(epoll.token(index))].drain() == 1)
            }
        }
        #expect(batches == [256, 256, 88])
        #expect(seen.count == 600)
    }

    @Test func `successive batches report all descriptors without draining`() throws {
        Platform.raiseDescriptorLimit()
        let epoll = try Epoll()
        let counters = try (0..<300).map { _ in try EventCounter() }
        for (index, counter) in counters.enumerated() {
            try epoll.add(counter.number, .readable, token: UInt64(index))
            counter.signal()
        }
        var seen = Set<UInt64>()
        for _ in 0..<2 {
            let count = epoll.wait(timeoutMilliseconds: 0)
            #expect(count == 256)
            for index in 0..<count { seen.insert(epoll.token(index)) }
        }
        #expect(seen.count == 300)
    }

    @Test func `a removed descriptor is not reported, and errors are thrown`() throws {
        let epoll = try Epoll()
        let counter = try EventCounter()
        counter.signal()
        try epoll.add(counter.number, .readable, token: 1)
        #expect(throws: SocketError.systemCall("epoll_ctl", path: nil, code: EEXIST)) {
            try epoll.add(counter.number, .readable, token: 1)
        }
        try epoll.remove(counter.number)
        #expect(epoll.wait(timeoutMilliseconds: 0) == 0)
        #expect(throws: SocketError.systemCall("epoll_ctl", path: nil, code: ENOENT)) {
            try epoll.remove(counter.number)
        }
        #expect(throws: SocketError.systemCall("epoll_ctl", path: nil, code: ENOENT)) {
            try epoll.modify(counter.number, .readable, token: 1)
        }
        #expect(throws: SocketError.systemCall("epoll_ctl", path: nil, code: EBADF)) {
            try epoll.add(-1, .readable, token: 1)
        }
    }

    @Test(.startsProcess) func `access to an event beyond the last wait traps`() async {
        await #expect(processExitsWith: .failure) {
            let epoll = try Epoll()
            _ = epoll.wait(timeoutMilliseconds: 0)
            _ = epoll.token(0)
        }
    }

    @Test(arguments: [0, 1, 3] as [Int32])
    func `a wait without events lasts at least its timeout`(milliseconds: Int32) throws {
        let epoll = try Epoll()
        let start = MonotonicTime.now
        #expect(epoll.wait(timeoutMilliseconds: milliseconds) == 0)
        #expect(start.nanoseconds(until: .now) >= UInt64(milliseconds) * 1_000_000)
    }

    @Test func `a wake-up from another thread ends a wait`() throws {
        let epoll = try Epoll()
        let counter = try EventCounter()
        try epoll.add(counter.number, .readable, token: 9)
        DispatchQueue(label: "waker").async { counter.signal() }
        #expect(epoll.wait(timeoutMilliseconds: 20_000) == 1)
        #expect(epoll.token(0) == 9)
        #expect(epoll.wait(timeoutMilliseconds: -1) == 1)
    }
}

@Suite(.timeLimit(.minutes(15)))
struct EventCounterTests {
    @Test func `signals add up until they are drained`() throws {
        let counter = try EventCounter()
        #expect(counter.drain() == 0)
        for _ in 0..<3 { counter.signal() }
        #expect(counter.drain() == 3)
        #expect(counter.drain() == 0)
    }
}

@Suite(.timeLimit(.minutes(15)))
struct TimerDescriptorTests {
    private func isReadable(_ timer: TimerDescriptor, withinMilliseconds: Int32 = 0) throws -> Bool {
        let epoll = try Epoll()
        try epoll.add(timer.number, .readable, token: 0)
        return epoll.wait(timeoutMilliseconds: withinMilliseconds) == 1
    }

    @Test(arguments: [0, 1, 1_000_000] as [UInt64])
    func `a past time fires immediately`(nanoseconds: UInt64) throws {
        let timer = try TimerDescriptor()
        timer.arm(at: MonotonicTime(nanoseconds: nanoseconds))
        #expect(try isReadable(timer, withinMilliseconds: 10_000))
        #expect(timer.drain())
        #expect(!timer.drain())
    }

    @Test func `the timer fires at its time and not before`() throws {
        let timer = try TimerDescriptor()
        let time = MonotonicTime.now.adding(milliseconds: 20)
        timer.arm(at: time)
        #expect(try isReadable(timer, withinMilliseconds: 10_000))
        #expect(MonotonicTime.now >= time)
    }

    @Test(arguments: [.distantFuture, MonotonicTime.now.adding(milliseconds: 3_600_000)])
    func `a future time does not fire`(_ time: MonotonicTime) throws {
        let timer = try TimerDescriptor()
        timer.arm(at: time)
        #expect(try !isReadable(timer))
        #expect(!timer.drain())
    }

    @Test func `disarming clears an undrained timer`() throws {
        let timer = try TimerDescriptor()
        timer.arm(at: MonotonicTime(nanoseconds: 1))
        #expect(try isReadable(timer, withinMilliseconds: 10_000))
        timer.disarm()
        #expect(try !isReadable(timer))
    }

    @Test func `the last setting wins, and the same time can be set again after it fired`() throws {
        let timer = try TimerDescriptor()
        let past = MonotonicTime(nanoseconds: 1)
        timer.arm(at: past)
        timer.arm(at: .distantFuture)
        #expect(try !isReadable(timer))
        for _ in 0..<2 {
            timer.arm(at: past)
            timer.arm(at: past)
            #expect(try isReadable(timer, withinMilliseconds: 10_000))
            #expect(timer.drain())
        }
    }
}
