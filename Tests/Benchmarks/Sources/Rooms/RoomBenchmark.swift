// SPDX-License-Identifier: MIT
// What each room's daily work costs, beside a loop that never changes. Knows nothing of files and arguments.

/// One thing that a room does all day.
struct RoomBenchmark {
    /// Stands in the baseline: not to be changed lightly.
    let title: String
    /// Prepares it, and hands out what does it so often.
    let prepare: () -> (Int) -> Void

    init(_ title: String, _ run: @escaping (Int) -> Void) { self.init(title, preparing: { run }) }

    /// For what takes room or time to prepare.
    init(_ title: String, preparing prepare: @escaping () -> (Int) -> Void) {
        self.title = title
        self.prepare = prepare
    }
}

/// What one of them took.
struct RoomResult {
    let title: String
    let nanoseconds: Double
    /// In runs of ``referenceLoop(_:)``.
    let ratio: Double
    let allocations: Double
}

/// The bytes of an ordinary request, hashed one by one: work that only the processor decides about.
@inline(never)
func referenceLoop(_ count: Int) {
    let line = Array(setLine(1).utf8)
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for _ in 0..<count {
        for byte in line { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        hash = opaque(hash)
    }
}

/// A request as most are.
func setLine(_ index: Int) -> String {
    #"{"jsonrpc":"2.0","id":\#(1000 + index),"method":"set","params":{"path":"app.player.title","value":"title number \#(1000 + index)"}}"#
}

/// Measures each in turns with the reference, a few milliseconds a turn, so that a slow moment is both's.
func measure(_ benchmarks: [RoomBenchmark]) -> [RoomResult] {
    benchmarks.map { benchmark in
        let run = benchmark.prepare()
        let once = measure([Contender(run)], operations: 20, rounds: 3)[0].nanoseconds
        let operations = min(max(Int(2e6 / max(once, 1)), 4), 20_000)
        var ratios: [Double] = []
        var times: [Double] = []
        var allocations = Double.infinity
        for _ in 0..<21 {
            let done = measure([Contender(run)], operations: operations, rounds: 1)[0]
            // A few of them would tell of cold caches.
            let reference = measure(
                [Contender(referenceLoop)],
                operations: max(operations, 2_000),
                rounds: 1
            )[0]
            ratios.append(done.nanoseconds / reference.nanoseconds)
            times.append(done.nanoseconds)
            allocations = min(allocations, done.allocations)
        }
        return RoomResult(
            title: benchmark.title,
            nanoseconds: times.sorted()[10],
            ratio: ratios.sorted()[10],
            allocations: allocations
        )
    }
}
