// SPDX-License-Identifier: MIT
// Times what it is given, in turns, so that a slow moment of the machine is everybody's. Knows nothing of observing.

/// One thing to be timed.
struct Contender {
    /// Does it that often.
    let run: (Int) -> Void

    init(_ run: @escaping (Int) -> Void) { self.run = run }
}

/// How long one operation took, and how often it allocated.
struct Measurement {
    let nanoseconds: Double
    let allocations: Double
}

/// Times all contenders in `rounds` turns of as many operations, and takes the median of each.
func measure(_ contenders: [Contender], operations: Int, rounds: Int = 21) -> [Measurement] {
    var times = [[Double]](repeating: [], count: contenders.count)
    var allocations = [Double](repeating: 0, count: contenders.count)
    for contender in contenders { contender.run(operations / 10) }
    for _ in 0..<rounds {
        for (index, contender) in contenders.enumerated() {
            let before = unsafe allocationCount
            let start = ContinuousClock.now
            contender.run(operations)
            let elapsed = ContinuousClock.now - start
            allocations[index] = unsafe Double(allocationCount - before) / Double(operations)
            times[index].append(Double(elapsed.components.attoseconds) / 1e9 / Double(operations))
        }
    }
    return contenders.indices.map { index in
        Measurement(
            nanoseconds: times[index].sorted()[rounds / 2],
            allocations: allocations[index]
        )
    }
}

/// What the optimiser must not see through.
@inline(never) @_optimize(none)
func opaque<T>(_ value: T) -> T { value }

/// What can't fail here.
@inline(__always) @discardableResult
func sure<R>(_ body: () throws -> R) -> R {
    do { return try body() } catch { fatalError("\(error)") }
}
