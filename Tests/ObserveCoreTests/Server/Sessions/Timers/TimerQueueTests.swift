// SPDX-License-Identifier: MIT
// The timer queue returns due work in the order of its times.

import Testing

@testable import ObserveCore

@Suite struct TimerQueueTests {
    @Test func givesWhatIsDueInOrder() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<200 {
            var timers = TimerQueue<UInt64>()
            let times = (0..<UInt64.random(in: 0...40, using: &random)).map { _ in
                UInt64.random(in: 0...20, using: &random)
            }
            for time in times { timers.add(time, due: MonotonicTime(nanoseconds: time)) }
            #expect(timers.next == times.min().map(MonotonicTime.init(nanoseconds:)))
            var given: [UInt64] = []
            while let item = timers.popDue(at: MonotonicTime(nanoseconds: 10)) { given.append(item) }
            #expect(given == times.filter { $0 <= 10 }.sorted())
            #expect(timers.count == times.count { $0 > 10 })
        }
    }

    @Test func `the queue returns work of equal times in the order of insertion`() {
        var timers = TimerQueue<Int>()
        for item in 0..<100 { timers.add(item, due: MonotonicTime(nanoseconds: UInt64(item % 3))) }
        timers.removeAll { $0 % 10 == 0 }
        var given: [Int] = []
        while let item = timers.popDue(at: MonotonicTime(nanoseconds: 2)) { given.append(item) }
        let kept = (0..<100).filter { $0 % 10 != 0 }
        #expect(given == (0..<3).flatMap { time in kept.filter { $0 % 3 == time } })
    }

    @Test func `the queue is full once most items may be moot`() {
        var timers = TimerQueue<Int>()
        for item in 0..<50 { timers.add(item, due: MonotonicTime(nanoseconds: 1)) }
        timers.noteMoot(30)
        #expect(!timers.isFull)
        timers.noteMoot(10)
        #expect(timers.isFull)
        timers.removeAll { $0 < 40 }
        #expect(!timers.isFull && timers.count == 10)
        for item in 0..<54 { timers.add(item, due: MonotonicTime(nanoseconds: 1)) }
        #expect(timers.isFull)
    }

    @Test func `popped items have the order of their times, and of insertion`() {
        var timers = TimerQueue<Int>()
        for item in 0..<100 { timers.add(item, due: MonotonicTime(nanoseconds: UInt64(item % 3))) }
        let popped = timers.popAll { $0 % 2 == 0 }
        let even = (0..<50).map { $0 * 2 }
        #expect(popped == (0..<3).flatMap { time in even.filter { $0 % 3 == time } })
        #expect(timers.count == 50)
        #expect(timers.firstDue(at: MonotonicTime(nanoseconds: 0)) == 3)
    }

    /// Items may own much.
    @Test(arguments: [1, 3]) func `the queue frees what has left`(count: Int) {
        final class Item {}
        var timers = TimerQueue<Item>()
        weak var popped: Item?
        weak var moot: Item?
        for round in 0..<3 {
            for _ in 0..<count {
                let (first, second) = (Item(), Item())
                (popped, moot) = (first, second)
                timers.add(first, due: MonotonicTime(nanoseconds: 1))
                timers.add(second, due: MonotonicTime(nanoseconds: 2))
            }
            for _ in 0..<count { #expect(timers.popDue(at: MonotonicTime(nanoseconds: 1)) != nil) }
            #expect(popped == nil && moot != nil, "round \(round)")
            timers.removeAll { _ in true }
            #expect(moot == nil && timers.count == 0 && timers.next == nil)
        }
    }
}
