// SPDX-License-Identifier: MIT
// State is accessible only on its queue.

import Dispatch
import ObserveCore
import Testing

@Suite(.timeLimit(.minutes(15)))
struct ConfinedTests {
    private struct Refusal: Error, Equatable {}

    private final class Numbers {
        var list: [Int]
        init(_ list: Int...) { self.list = list }
    }

    @Test func `the state keeps its changes`() {
        let queue = DispatchQueue(label: "owner")
        let box = Confined(Numbers(1), on: queue)
        for number in 2...4 { box.async { $0.list.append(number) } }
        #expect(box.sync { $0.list } == [1, 2, 3, 4])
    }

    @Test func `a queue that targets the owner may use the state`() {
        let queue = DispatchQueue(label: "owner")
        let below = DispatchQueue(label: "below", target: queue)
        let box = Confined(Numbers(7), on: queue)
        #expect(below.sync { box.withObject { $0.list } } == [7])
    }

    @Test func `the error of the body is thrown`() {
        let queue = DispatchQueue(label: "owner")
        let box = Confined(Numbers(1), on: queue)
        #expect(throws: Refusal()) {
            try box.sync { numbers throws(Refusal) in
                numbers.list = [2]
                throw Refusal()
            }
        }
        #expect(box.sync { $0.list } == [2])
    }

    @Test(.startsProcess) func `access from another queue traps`() async {
        await #expect(processExitsWith: .failure) {
            let box = Confined(Numbers(0), on: DispatchQueue(label: "owner"))
            box.withObject { $0.list[0] += 1 }
        }
        await #expect(processExitsWith: .failure) {
            let box = Confined(Numbers(0), on: DispatchQueue(label: "owner"))
            DispatchQueue(label: "other").sync { box.withObject { $0.list[0] += 1 } }
        }
    }

    @Test func `freeing the box frees its state`() {
        final class Witness: Sendable {
            let gone: DispatchSemaphore
            init(_ gone: DispatchSemaphore) { self.gone = gone }
            deinit { gone.signal() }
        }
        let gone = DispatchSemaphore(value: 0)
        let queue = DispatchQueue(label: "owner")
        var box: Confined<Witness>? = Confined(Witness(gone), on: queue)
        #expect(box != nil)
        box = nil
        #expect(gone.wait(timeout: .now() + 10) == .success)
    }
}

struct MonotonicTimeTests {
    @Test(
        arguments: [(0, 5, 5), (.max, 1, .max), (.max - 1, 1, .max), (3, 0, 3)] as [(UInt64, UInt64, UInt64)]
    )
    func `adding stops at the maximum`(start: UInt64, more: UInt64, sum: UInt64) {
        #expect(MonotonicTime(nanoseconds: start).adding(nanoseconds: more).nanoseconds == sum)
    }

    @Test(arguments: [(0, 2_000_000), (1, 2_000_001), (.max, .max)] as [(UInt64, UInt64)])
    func `a millisecond is a million nanoseconds`(start: UInt64, sum: UInt64) {
        #expect(MonotonicTime(nanoseconds: start).adding(milliseconds: 2).nanoseconds == sum)
    }

    @Test func `too many milliseconds are the distant future`() {
        #expect(MonotonicTime(nanoseconds: 1).adding(milliseconds: .max) == .distantFuture)
    }

    @Test(arguments: [(5, 7, 2), (7, 5, 0), (5, 5, 0), (0, .max, .max)] as [(UInt64, UInt64, UInt64)])
    func `the time until a past instant is zero`(now: UInt64, then: UInt64, between: UInt64) {
        let now = MonotonicTime(nanoseconds: now)
        #expect(now.nanoseconds(until: MonotonicTime(nanoseconds: then)) == between)
    }
}
