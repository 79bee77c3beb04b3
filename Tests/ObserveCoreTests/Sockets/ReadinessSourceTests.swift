// SPDX-License-Identifier: MIT
// Dispatch sources: when handlers run, when they stop, and which descriptors close.

import CLinux
import Dispatch
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import ObserveCore

@Suite(.timeLimit(.minutes(15)))
struct ReadinessSourceTests {
    private let queue = DispatchQueue(label: "readiness")

    @Test func `one source drains all ready descriptors of an epoll set`() throws {
        let epoll = try Epoll()
        let counters = try (0..<300).map { _ in try EventCounter() }
        for (index, counter) in counters.enumerated() {
            try epoll.add(counter.number, .readable, token: UInt64(index))
        }
        let box = Confined(Waiting(epoll), on: queue)
        let drained = DispatchSemaphore(value: 0)
        let source = try ReadinessSource(descriptor: box.sync { $0.epoll.number }, queue: queue) {
            box.withObject { state in
                while case let count = state.epoll.wait(timeoutMilliseconds: 0), count > 0 {
                    for index in 0..<count {
                        let token = state.epoll.token(index)
                        counters[Int(token)].drain()
                        if state.seen.insert(token).inserted { drained.signal() }
                    }
                }
            }
        }
        for counter in counters { counter.signal() }
        source.start()
        for _ in counters { #expect(drained.wait(timeout: .now() + 20) == .success) }
        source.cancel()
        #expect(box.sync { $0.seen.count } == 300)
    }

    @Test func `the handler runs again while the descriptor is readable`() throws {
        let counter = try EventCounter()
        let calls = DispatchSemaphore(value: 0)
        let source = try ReadinessSource(descriptor: counter.number, queue: queue) { calls.signal() }
        source.start()
        source.start()
        counter.signal()
        for _ in 0..<3 { #expect(calls.wait(timeout: .now() + 20) == .success) }
        source.cancel()
    }

    @Test func `after a cancellation on its queue the handler never runs`() throws {
        let counter = try EventCounter()
        counter.signal()
        let state = Mutex((calls: 0, isCancelled: false, late: 0))
        let called = DispatchSemaphore(value: 0)
        let source = try ReadinessSource(descriptor: counter.number, queue: queue) {
            let isFirst = state.withLock { state in
                state.calls += 1
                if state.isCancelled { state.late += 1 }
                return state.calls == 1
            }
            if isFirst { called.signal() }
        }
        source.start()
        #expect(called.wait(timeout: .now() + 20) == .success)
        queue.sync {
            source.cancel()
            state.withLock { $0.isCancelled = true }
        }
        source.cancel()
        counter.signal()
        for _ in 0..<100 { queue.sync {} }
        #expect(state.withLock { $0.late } == 0)
    }

    @Test(arguments: [false, true])
    func `the duplicate descriptor is closed with or without a start`(hasStarted: Bool) throws {
        var pair = try SocketPair()
        var source: ReadinessSource? = try ReadinessSource(descriptor: pair.first.number, queue: queue) {}
        if hasStarted { source?.start() }
        pair.first.close()
        #expect(readAll(pair.second.number) == ([], .wouldBlock))
        source = nil
        #expect(try wait(for: [.readable, .readHangUp], on: pair.second.number))
        #expect(readAll(pair.second.number) == ([], .endOfInput))
        #expect(source == nil)
    }

    @Test func `an invalid descriptor throws`() {
        #expect(throws: SocketError.systemCall("fcntl", path: nil, code: EBADF)) {
            _ = try ReadinessSource(descriptor: -1, queue: queue) {}
        }
    }

    private final class Waiting {
        let epoll: Epoll
        var seen: Set<UInt64> = []

        init(_ epoll: Epoll) { self.epoll = epoll }
    }
}

@Suite(.timeLimit(.minutes(15)))
struct SignalCounterTests {
    @Test(.startsProcess, arguments: [SIGTERM, SIGINT, SIGHUP])
    func `a signal calls the handler and does not end the process`(_ number: Int32) async {
        await #expect(processExitsWith: .exitCode(7)) { [number = number as Int32] in
            let notified = DispatchSemaphore(value: 0)
            let source = try SignalSource(signal: number, queue: DispatchQueue(label: "signals")) {
                notified.signal()
            }
            for _ in 0..<3 {
                kill(getpid(), number)
                guard notified.wait(timeout: .now() + 20) == .success else { exit(1) }
            }
            withExtendedLifetime(source) { exit(7) }
        }
    }

    @Test(.startsProcess) func `freeing the source restores the signal's default action`() async {
        await #expect(processExitsWith: .signal(SIGTERM)) {
            var source: SignalSource? = try SignalSource(signal: SIGTERM, queue: .global()) {}
            source = nil
            try #require(source == nil)
            kill(getpid(), SIGTERM)
            while true { pause() }
        }
    }

    @Test(.startsProcess) func `a new source does not report old signals`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            let queue = DispatchQueue(label: "signals")
            let notified = DispatchSemaphore(value: 0)
            for _ in 0..<3 {
                var source: SignalSource? = try SignalSource(signal: SIGUSR1, queue: queue) {
                    notified.signal()
                }
                kill(getpid(), SIGUSR1)
                guard notified.wait(timeout: .now() + 20) == .success, source != nil else { exit(1) }
                source = nil
                queue.sync {}
            }
            exit(notified.wait(timeout: .now()) == .timedOut ? 7 : 2)
        }
    }

    @Test(arguments: [0, -1, 65, SIGKILL])
    func `a signal that cannot be caught throws`(_ number: Int32) {
        #expect(throws: SocketError.systemCall("sigaction", path: nil, code: EINVAL)) {
            _ = try SignalSource(signal: number, queue: .global()) {}
        }
    }

    @Test(arguments: [0, -1, 65, .min, .max])
    func `only signals have a slot in the table`(_ number: Int32) {
        #expect(unsafe linux_signal_slot(number) == nil)
        #expect(unsafe linux_signal_slot(1) != nil)
        #expect(unsafe linux_signal_slot(64) != nil)
    }

    /// Regression: a refused signal once wrote beyond the table and cleared the flag of weak properties. Runs in a separate
    /// process, so that a failure does not affect other tests.
    @Test(.startsProcess) func `a refused signal changes no other memory`() async {
        await #expect(processExitsWith: .success) {
            let flags = PropertyRecord.Flags.weak
            #expect(flags.rawValue == 1)
            for number in [0, -1, 65, SIGKILL] as [Int32] {
                _ = try? SignalSource(signal: number, queue: .global()) {}
                #expect(PropertyRecord.Flags.weak == flags)
            }
        }
    }
}

/// Calls its handler on a queue when the process receives a signal.
private final class SignalSource {
    private let signal: SignalCounter
    private let source: ReadinessSource

    init(
        signal number: Int32,
        queue: DispatchQueue,
        handler: @escaping @Sendable () -> Void
    ) throws(SocketError) {
        signal = try SignalCounter(number)
        source = try ReadinessSource(descriptor: signal.number, queue: queue) { [counter = signal.counter] in
            if counter.drain() > 0 { handler() }
        }
        source.start()
    }
}
