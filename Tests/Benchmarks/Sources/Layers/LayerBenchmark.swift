// SPDX-License-Identifier: MIT
// Measures each layer's everyday work against a loop that never changes. Independent of files and arguments.

/// A layer's everyday work.
struct LayerBenchmark {
    /// The baseline's key: a new title loses the comparison.
    let title: String
    /// Prepares the work, and returns a function that does it that many times.
    let prepare: () -> (Int) -> Void

    init(_ title: String, _ run: @escaping (Int) -> Void) { self.init(title, preparing: { run }) }

    /// Fewer operations, for work that takes much memory or time to prepare.
    init(_ title: String, preparing prepare: @escaping () -> (Int) -> Void) {
        self.title = title
        self.prepare = prepare
    }
}

/// The result of one benchmark.
struct LayerResult {
    let title: String
    let nanoseconds: Double
    /// In runs of ``referenceLoop(_:)``.
    let ratio: Double
    let allocations: Double
}

/// Hashes the bytes of an ordinary request one by one: work that depends on the processor alone.
@inline(never)
func referenceLoop(_ count: Int) {
    let line = Array(setLine(1).utf8)
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for _ in 0..<count {
        for byte in line { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        hash = opaque(hash)
    }
}

/// An ordinary request.
func setLine(_ index: Int) -> String {
    #"{"jsonrpc":"2.0","id":\#(1000 + index),"method":"set","params":{"path":"app.player.title","value":"title number \#(1000 + index)"}}"#
}

/// Measures each in turns with the reference, a few milliseconds a turn, so that a slow moment affects both.
func measure(_ benchmarks: [LayerBenchmark]) -> [LayerResult] {
    benchmarks.map { benchmark in
        let run = benchmark.prepare()
        let once = measure([Contender(run)], operations: 20, rounds: 3)[0].nanoseconds
        let operations = min(max(Int(2e6 / max(once, 1)), 4), 20_000)
        var ratios: [Double] = []
        var times: [Double] = []
        var allocations = Double.infinity
        for _ in 0..<21 {
            let done = measure([Contender(run)], operations: operations, rounds: 1)[0]
            // A few operations would measure cold caches.
            let reference = measure(
                [Contender(referenceLoop)],
                operations: max(operations, 2_000),
                rounds: 1
            )[0]
            ratios.append(done.nanoseconds / reference.nanoseconds)
            times.append(done.nanoseconds)
            allocations = min(allocations, done.allocations)
        }
        return LayerResult(
            title: benchmark.title,
            nanoseconds: times.sorted()[10],
            ratio: ratios.sorted()[10],
            allocations: allocations
        )
    }
}
