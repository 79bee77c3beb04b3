// SPDX-License-Identifier: MIT
// Times contenders in turns, so that a slow moment of the machine affects all of them. Independent of what they do.

/// One piece of work to time.
struct Contender {
    /// Does the work that many times.
    let run: (Int) -> Void

    init(_ run: @escaping (Int) -> Void) { self.run = run }
}

/// The time of one operation, and its allocations.
struct Measurement {
    let nanoseconds: Double
    /// The time as a ratio to the last contender's in the same turn. A processor's clock may change between two turns.
    let ratio: Double
    let allocations: Double
}

/// Times all contenders in `rounds` turns of equally many operations, and returns the medians of each.
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
            ratio: zip(times[index], times[contenders.count - 1]).map(/).sorted()[rounds / 2],
            allocations: allocations[index]
        )
    }
}

/// Hides a value from the optimiser.
@inline(never) @_optimize(none)
func opaque<T>(_ value: T) -> T { value }

/// Unwraps a result that can't fail here.
@inline(__always) @discardableResult
func sure<R>(_ body: () throws -> R) -> R {
    do { return try body() } catch { fatalError("\(error)") }
}
