// SPDX-License-Identifier: MIT
// `observectl bench`: loads a daemon and reports its speed. Independent of the load generator.

import ObserveCore

extension CommandSpec {
    static let bench = CommandSpec(
        usage: "bench [WORK]…",
        summary: "load a daemon, and print how fast it was",
        options: [
            OptionSpec("--clients N", "the number of connections that set, instead of the work's own"),
            OptionSpec("--subscribers N", "the number of connections that listen"),
            OptionSpec("--window N", "the number of sets of one client that may be in flight"),
            OptionSpec("--keys N", "the number of keys, which are set in random order"),
            OptionSpec("--size BYTES", "the size of each value; 32"),
            OptionSpec("--seconds TIME", "how long each work is measured, an hour at most; 1"),
            OptionSpec("--json", "print the results as one JSON object"),
            OptionSpec("--socket PATH", "load that daemon, instead of one inside this process"),
        ],
        asksDaemon: false,
        details: """
            Each WORK in turn; all of them if none is named:
            \(works)

            The keys are bench.k0 and so on, under a root that expires with the command.

            Examples:
              observectl bench latency
              observectl bench --seconds 200ms --json pipeline
            """,
        manual: """
            The results are the sets and events per second, and the daemon's processor time for each set. For latency, a
            histogram shows the times. Times of --json are in nanoseconds. The clients of a WORK, their keys and
            sets in flight are its own, unless an option says otherwise.

            A set is over when its answer and its events have arrived. The daemon's processor time is that of
            its whole process, or, for the one inside this process, of all threads but the one that loads it.
            """
    ) { (invocation) throws(CommandError) in try invocation.bench() }

    private static let works = Load.all.map { load in
        "  \(load.name)\(String(repeating: " ", count: 10 - load.name.count))\(load.summary)"
    }.joined(separator: "\n")
}

private extension Invocation {
    func loads() throws(CommandError) -> [Load] {
        let named = try operands.map { (name) throws(CommandError) in
            if let load = Load.all.first(where: { $0.name == name }) { return load }
            let known = Load.all.map(\.name).joined(separator: ", ")
            throw arguments.usage("'\(name)' is not a work: there are \(known)")
        }
        let clients = try arguments.count("--clients", in: 1...10_000)
        let subscribers = try arguments.count("--subscribers").map { Int(clamping: min($0, 10_000)) }
        let window = try arguments.count("--window", in: 1...100_000)
        let keys = try arguments.count("--keys", in: 1...10_000_000)
        let size = try arguments.count("--size", in: 1...1 << 19)
        let measured = try arguments.duration("--seconds")
        if let measured, measured.nanoseconds > 3_600_000_000_000 {
            throw arguments.usage("--seconds takes an hour at most")
        }
        return (named.isEmpty ? Load.all : named).map { load in
            var load = load
            if let clients { load.setters = clients }
            if let subscribers { load.subscribers = subscribers }
            if let window { load.window = window }
            if let keys { load.keys = keys }
            if let size { load.valueBytes = size }
            if let measured { load.seconds = Double(measured.nanoseconds) / 1e9 }
            return load
        }
    }

    func bench() throws(CommandError) {
        let loads = try loads()
        Platform.raiseDescriptorLimit()
        Platform.ignoreBrokenPipe()
        if let path = arguments.options["--socket"] { return try run(loads, path) }
        let isWhole = process.isWholeProcess
        let daemon = try PrivateDaemon(for: "bench", pacing: .dedicated, removedOnSignals: isWhole)
        defer { daemon.stop() }
        try run(loads, daemon.path)
    }

    func run(_ loads: [Load], _ path: String) throws(CommandError) {
        var results: [LoadResult] = []
        for (index, load) in loads.enumerated() {
            let generator = try LoadGenerator(load, path: path)
            streams.progress("\(load.name), \(index + 1) of \(loads.count): \(load.summary)")
            results.append(try generator.run())
        }
        streams.progress(nil)
        if arguments.has("--json") { return try print(BenchReport.json(results).bytes) }
        let histograms = results.filter { !$0.latencies.isEmpty }.map { "\n\n" + BenchReport.histogram($0) }
        try print((BenchReport.table(results) + histograms.joined()).bytes)
    }
}
