// SPDX-License-Identifier: MIT
// Formats the results of loads as tables, histograms and JSON. Measures nothing.

import ObserveCore

enum BenchReport {
    /// A table with a line for each load.
    static func table(_ results: [LoadResult]) -> String {
        let head = ["work", "clients", "window", "listeners", "keys", "sets/s", "events/s", "daemon µs/set"]
        let rows = results.map { result in
            [
                result.load.name, "\(result.load.setters)", "\(result.load.window)",
                "\(result.load.subscribers)", "\(result.load.keys)", grouped(result.setsPerSecond),
                result.load.subscribers > 0 ? grouped(result.eventsPerSecond) : "–",
                result.daemonNanosecondsPerSet.map { fixed($0 / 1000, 3) } ?? "–",
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

    /// The distribution of the times of a load's sets, as bars.
    static func histogram(_ result: LoadResult) -> String {
        var counts: [(limit: UInt32, count: Int)] = []
        var counted = 0
        for limit in limits where counted < result.latencies.count {
            let end = result.latencies.partition(upTo: limit)
            if end > counted || !counts.isEmpty { counts.append((limit, end - counted)) }
            counted = end
        }
        if counted < result.latencies.count { counts.append((.max, result.latencies.count - counted)) }
        let most = Double(counts.map(\.count).max() ?? 1)
        let bars = counts.map { limit, count in
            let share = fixed(Double(count) * 100 / Double(max(result.latencies.count, 1)), 2)
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

    /// All results as one JSON object in one line.
    static func json(_ results: [LoadResult]) -> String {
        let works = results.map { result in
            var members = [
                "\"work\":\"\(result.load.name)\"", "\"clients\":\(result.load.setters)",
                "\"window\":\(result.load.window)", "\"subscribers\":\(result.load.subscribers)",
                "\"keys\":\(result.load.keys)", "\"valueBytes\":\(result.load.valueBytes)",
                "\"nanoseconds\":\(result.nanoseconds)", "\"sets\":\(result.sets)",
                "\"events\":\(result.events)",
                "\"daemonNanoseconds\":\(result.daemonNanoseconds.map { "\($0)" } ?? "null")",
            ]
            if result.load.measuresLatency {
                let parts = [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p999", 0.999), ("max", 1)].map {
                    "\"\($0.0)\":\(result.latency($0.1))"
                }
                members.append("\"latencyNanoseconds\":{\(parts.joined(separator: ","))}")
            }
            return "{\(members.joined(separator: ","))}"
        }
        return "{\"version\":\"\(version)\",\"works\":[\(works.joined(separator: ","))]}"
    }

    /// 1, 2, 5, 10, … microseconds up to a second.
    private static let limits: [UInt32] = (0...5).flatMap { (power: Int) -> [UInt32] in
        let unit = (0..<power).reduce(1000 as UInt32) { size, _ in size * 10 }
        return [unit, unit * 2, unit * 5]
    }

    private static func micro(_ nanoseconds: UInt32) -> String {
        nanoseconds < 100_000 && nanoseconds % 1000 != 0
            ? fixed(Double(nanoseconds) / 1000, 1) : "\(nanoseconds / 1000)"
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(width - text.count, 0)) + text
    }

    /// The number with that many decimals.
    static func fixed(_ number: Double, _ decimals: Int) -> String {
        let unit = (0..<decimals).reduce(1) { size, _ in size * 10 }
        let scaled = Int(number * Double(unit) + 0.5)
        let decimalText = "\(scaled % unit)"
        let zeros = String(repeating: "0", count: decimals - decimalText.count)
        return "\(scaled / unit).\(zeros)\(decimalText)"
    }

    /// The rounded number, with its digits in groups of three.
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

private extension [UInt32] {
    /// The number of elements up to `limit`. The array must be sorted.
    func partition(upTo limit: UInt32) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] <= limit { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
