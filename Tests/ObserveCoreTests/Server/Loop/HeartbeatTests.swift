// SPDX-License-Identifier: MIT
// Signs of life from the event loop.

import Dispatch
import Testing

@testable import ObserveCore

@Suite(.timeLimit(.minutes(15))) struct HeartbeatTests {
    @Test func `the loop gives a sign of life at each interval, and none while it is busy`() throws {
        let folder = try TemporaryFolder.make(prefix: "observed-test-")
        let server = try Server()
        try server.start(on: try UnixListener.listen(path: folder.path + "/s"))
        let beats = DispatchSemaphore(value: 0)
        server.onQueue { $0.beat(everyMicroseconds: 1000) { beats.signal() } }
        for _ in 0..<3 { #expect(beats.wait(timeout: .now() + .seconds(20)) == .success) }
        server.withTree { _ in
            while beats.wait(timeout: .now()) == .success {}
            #expect(beats.wait(timeout: .now() + .milliseconds(20)) == .timedOut)
        }
        #expect(beats.wait(timeout: .now() + .seconds(20)) == .success)
        server.stop {}
    }

    @Test(arguments: [0, 1, UInt64.max]) func `the loop spins for no interval`(microseconds: UInt64) throws {
        let folder = try TemporaryFolder.make(prefix: "observed-test-")
        let server = try Server()
        try server.start(on: try UnixListener.listen(path: folder.path + "/s"))
        let beats = DispatchSemaphore(value: 0)
        let start = MonotonicTime.now
        server.onQueue { $0.beat(everyMicroseconds: microseconds) { beats.signal() } }
        var count: UInt64 = 0
        while count < 20, microseconds != .max {
            #expect(beats.wait(timeout: .now() + .seconds(20)) == .success)
            count += 1
        }
        #expect(start.nanoseconds(until: .now) >= count * 1_000_000)
        server.stop {}
    }

    @Test func `a sign of life is due an interval after the last one`() {
        var deadlines = Deadlines()
        func isDue(at nanoseconds: UInt64) -> Bool {
            deadlines.popHeartbeat(dueAt: MonotonicTime(nanoseconds: nanoseconds))
        }
        #expect(!isDue(at: 1000))
        deadlines.beat(every: 10, from: MonotonicTime(nanoseconds: 100))
        var armed = deadlines.arm(for: nil)
        #expect(armed == MonotonicTime(nanoseconds: 110))
        #expect(!isDue(at: 109))
        #expect(isDue(at: 200))
        #expect(!isDue(at: 200))
        armed = deadlines.arm(for: nil)
        #expect(armed == MonotonicTime(nanoseconds: 210))
    }
}
