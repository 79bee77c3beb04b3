// SPDX-License-Identifier: MIT
// Formats the results of loads as tables, histograms and JSON. Measures nothing.

import ObserveCore

enum BenchReport {
    static func table(_ results: [LoadResult]) -> String {
        let head = ["work", "clients", "window", "listeners", "keys", "sets/s", "events/s", "daemon µs/set"]
        let rows = results.map { result in
            [
                result.load.name, "\(result.load.setters)", "\(result.load.window)",
                "\(result.load.subscribers)", "\(result.load.keys)", grouped(result.setsPerSecond),
                result.load.subscribers > 0 ? grouped(result.eventsPerSecond) : "–",
                result.daemonNanosecondsPerSet.map { ($0 / 1000).text(decimals: 3) } ?? "–",
            ]
        }
        let widths = head.indices.map { column in ([head] + rows).map { $0[column].count }.max() ?? 0 }
        return ([head] + rows).map { row in
            row.indices.map { column in
                let space = String(repeating: " ", count: widths[column] - row[column].count)
                return column == 0 ? row[0] + space : space + row[column]
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }

    static func histogram(_ result: LoadResult) -> String {
        var counts: [(limit: UInt32, count: Int)] = []
        var counted = 0
        for limit in limits where counted < result.latencies.count {
            let end = counted + result.latencies[counted...].prefix { $0 <= limit }.count
            if end > counted || !counts.isEmpty { counts.append((limit, end - counted)) }
            counted = end
        }
        if counted < result.latencies.count { counts.append((.max, result.latencies.count - counted)) }
        let most = Double(counts.map(\.count).max() ?? 1)
        let bars = counts.map { limit, count in
            let share = (Double(count) * 100 / Double(max(result.latencies.count, 1))).text(decimals: 2)
            let bar = String(repeating: "█", count: Int(Double(count) * 40 / most + 0.999))
            let name = limit == .max ? "more" : "≤ \(micro(limit)) µs"
            return "\(padded(name, 12))  \(padded(share, 6)) %  \(bar)"
        }
        let parts = [("50 %", 0.5), ("90 %", 0.9), ("99 %", 0.99), ("99.9 %", 0.999)].map { name, part in
            "\(name) ≤ \(micro(result.latency(part))) µs"
        }
        return "\(result.load.name): \(result.load.summary)\n\(bars.joined(separator: "\n"))\n"
            + "\(parts.joined(separator: ", ")), worst \(micro(result.latencies.last ?? 0)) µs"
    }

    static func json(_ results: [LoadResult]) -> RawJSON {
        let works = results.map { result -> Value in
            var work = ValueMembers([("work", .string(result.load.name))])
            for (name, number) in [
                ("clients", result.load.setters), ("window", result.load.window),
                ("subscribers", result.load.subscribers), ("keys", result.load.keys),
                ("valueBytes", result.load.valueBytes), ("nanoseconds", Int(result.nanoseconds)),
                ("sets", result.sets), ("events", result.events),
            ] { work[name] = .int(Int64(number)) }
            work["daemonNanoseconds"] = result.daemonNanoseconds.map { .int(Int64($0)) } ?? .null
            if result.load.measuresLatency {
                let parts = [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p999", 0.999), ("max", 1)]
                let latencies = parts.map { ($0, Value.int(Int64(result.latency($1)))) }
                work["latencyNanoseconds"] = .object(ValueMembers(latencies))
            }
            return .object(work)
        }
        return RawJSON(["version": .string(version), "works": .array(works)])
    }

    /// 1, 2, 5, 10, … microseconds up to a second.
    private static let limits: [UInt32] = (0...5).flatMap { (power: Int) -> [UInt32] in
        let unit = (0..<power).reduce(1000 as UInt32) { size, _ in size * 10 }
        return [unit, unit * 2, unit * 5]
    }

    private static func micro(_ nanoseconds: UInt32) -> String {
        nanoseconds < 100_000 && nanoseconds % 1000 != 0
            ? (Double(nanoseconds) / 1000).text(decimals: 1) : "\(nanoseconds / 1000)"
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(width - text.count, 0)) + text
    }

    static func grouped(_ number: Double) -> String {
        var digits = Array("\(Int(number + 0.5))")
        var index = digits.count - 3
        while index > 0 {
            digits.insert(",", at: index)
            index -= 3
        }
        return String(digits)
    }
}
