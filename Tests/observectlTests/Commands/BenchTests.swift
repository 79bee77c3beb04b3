// SPDX-License-Identifier: MIT
// The counts of bench, and its reports. Asserts no speed.

import ObserveCore
import Testing

@testable import observectl

struct BenchTests {
    @Test func `each work counts an answer for each set, and its events`() throws {
        for load in Load.all {
            var load = load
            // However short, each work sets values: the test does not depend on speed.
            load.seconds = 0
            load.keys = min(load.keys, 200)
            load.subscribers = min(load.subscribers, 7)
            let daemon = try PrivateDaemon(
                for: "bench",
                models: [("bench", "{}")],
                removedOnSignals: false
            )
            defer { daemon.stop() }
            let result = try LoadGenerator(load, path: daemon.path).run()
            #expect(result.sets > 0, "\(load.name)")
            #expect(result.events == result.sets * load.eventsPerSet, "\(load.name)")
            #expect(result.latencies.count == (load.measuresLatency ? result.sets : 0))
            #expect(result.latencies == result.latencies.sorted())
            #expect(result.nanoseconds > 0 && result.daemonNanoseconds ?? 0 > 0)
            let status = try ClientConnection(path: daemon.path).call("status")
            #expect(try status.required("revision").value().int ?? 0 >= Int64(result.sets))
        }
    }

    @Test func `bench prints a table and a histogram, and leaves no root on the daemon`() throws {
        let daemon = try PrivateDaemon(for: "bench", models: [("app", "1")], removedOnSignals: false)
        defer { daemon.stop() }
        let client = try ClientConnection(path: daemon.path)
        _ = try client.call("subscribe", ["path": RawJSON(.string("bench"))])
        let words = [
            "bench", "--socket", daemon.path, "--seconds", "1", "--window", "1", "events", "pipeline",
        ]
        let run = try ToolRun(words)
        #expect(run.ending == .status(.done))
        let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[0].hasPrefix("work "))
        #expect(lines[1].hasPrefix("events "))
        #expect(lines[2].hasPrefix("pipeline "))
        #expect(lines.contains("events: the same with a subscriber"))
        #expect(lines.contains { $0.hasPrefix("50 % ≤ ") })
        #expect(run.error.hasPrefix("events, 1 of 2: the same with a subscriber\npipeline, 2 of 2: "))
        let deadline = MonotonicTime.now.adding(milliseconds: 20_000)
        while try client.nextEvent(until: deadline).reason != .sourceDeleted {}
    }

    @Test func `bench --json prints one object in one line`() throws {
        let run = try ToolRun(["bench", "latency", "--json", "--seconds", "1"])
        #expect(run.ending == .status(.done))
        let result = try Value(json: run.output)
        #expect(result["version"]?.string == version)
        let work = try #require(result["works"]?.array?.first)
        #expect(work["work"] == "latency" && work["clients"] == 1 && work["keys"] == 1)
        #expect(work["sets"]?.int ?? 0 > 0 && work["sets"] == work["events"])
        let latencies = try #require(work["latencyNanoseconds"]?.object)
        let parts = ["p50", "p90", "p99", "p999", "max"].compactMap { latencies[$0]?.int }
        #expect(parts.count == 5 && parts == parts.sorted())
    }

    @Test func `bench reports a daemon that refuses, and a missing daemon`() throws {
        let refusing = try FakeDaemon(result: #"{},"error":{"code":1,"message":"no"}"#)
        let run = try ToolRun(["bench", "--socket", refusing.path, "pipeline"])
        #expect(run.ending == .status(.refused))
        #expect(run.error.contains("observectl: the daemon refused the load: "))
        let missing = try ToolRun(["bench", "--socket", "/nonexistent/socket"])
        #expect(missing.ending == .status(.unavailable))
    }

    @Test func `invalid numbers and names are refused`() throws {
        for words in [
            ["--seconds", "2h"], ["--clients", "0"], ["--keys", "x"], ["--window", "-1"],
            ["--size", "99999999"], ["speed"],
        ] {
            #expect(try ToolRun(["bench"] + words).ending == .status(.usage), "\(words)")
        }
    }

    @Test func `a histogram has a bar for each part, and a table its columns aligned`() {
        var result = LoadResult(load: Load.all[0])
        result.latencies = [1500, 3000, 3100, 4000, 70_000, 150_000]
        (result.sets, result.events, result.nanoseconds) = (1_234_567, 1_234_567, 1_000_000_000)
        result.daemonNanoseconds = 1_234_567_000
        let full = String(repeating: "█", count: 40)
        #expect(
            BenchReport.histogram(result).split(separator: "\n") == [
                "latency: from a set to its event, one at a time",
                "      ≤ 2 µs   16.67 %  \(full.prefix(14))", "      ≤ 5 µs   50.00 %  \(full)",
                "     ≤ 10 µs    0.00 %  ", "     ≤ 20 µs    0.00 %  ", "     ≤ 50 µs    0.00 %  ",
                "    ≤ 100 µs   16.67 %  \(full.prefix(14))", "    ≤ 200 µs   16.67 %  \(full.prefix(14))",
                "50 % ≤ 4 µs, 90 % ≤ 150 µs, 99 % ≤ 150 µs, 99.9 % ≤ 150 µs, worst 150 µs",
            ]
        )
        #expect(
            BenchReport.table([result]).split(separator: "\n") == [
                "work     clients  window  listeners  keys     sets/s   events/s  daemon µs/set",
                "latency        1       1          1     1  1,234,567  1,234,567          1.000",
            ]
        )
    }
}
