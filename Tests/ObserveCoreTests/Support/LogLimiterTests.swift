// SPDX-License-Identifier: MIT
// Which lines the log leaves out, and that each of them is counted.

import Synchronization
import Testing

@testable import ObserveCore

struct LogLimiterTests {
    private func message(_ text: String) -> LogMessage { LogMessage(level: .info, text: text) }

    private func time(_ milliseconds: UInt64) -> MonotonicTime {
        MonotonicTime(nanoseconds: 0).adding(milliseconds: milliseconds)
    }

    private func admit(_ limiter: inout LogLimiter, _ text: String, _ place: String = "a", at now: UInt64)
        -> [String]
    {
        limiter.admit(message(text), from: place, at: time(now)).map(\.text)
    }

    @Test func `a repeated line is written once, and then with its count`() {
        var limiter = LogLimiter()
        #expect(admit(&limiter, "x", at: 0) == ["x"])
        for now in 1...99 as ClosedRange<UInt64> { #expect(admit(&limiter, "x", at: now) == []) }
        #expect(admit(&limiter, "y", "b", at: 100) == ["x (99 more times)", "y"])
        #expect(admit(&limiter, "x", at: 101) == ["x"])
        // Long after, it is written again.
        #expect(admit(&limiter, "x", at: 5000) == [])
        #expect(admit(&limiter, "x", at: 10_101) == ["x (1 more times)", "x"])
    }

    @Test func `each place writes at most twenty lines a second`() {
        var limiter = LogLimiter()
        for index in 0..<500 {
            #expect(admit(&limiter, "\(index)", at: 10) == (index < 20 ? ["\(index)"] : []))
        }
        #expect(admit(&limiter, "other", "b", at: 20) == ["other"])
        #expect(
            admit(&limiter, "next", "b", at: 1010) == ["left out 480 lines, the last of them: 499", "next"]
        )
        #expect(admit(&limiter, "again", at: 1011) == ["again"])
    }

    /// Whatever alternates: messages of one place or of several, each once or several times.
    @Test(arguments: 1...4, 1...4)
    func `no rotation of messages passes the limit, and all are counted`(places: Int, runLength: Int) throws {
        for messages in [1, 2, 3, 50] {
            var limiter = LogLimiter()
            var lines: [String: [UInt64]] = [:]
            var counted = 0
            func note(_ texts: [String], at now: UInt64) throws {
                for text in texts {
                    let words = text.split(separator: " ")
                    let place = try #require(words.first { $0.hasPrefix("place") })
                    lines[String(place), default: []].append(now)
                    counted +=
                        text.hasPrefix("left out")
                        ? Int(words[2]) ?? 0
                        : text.hasSuffix("more times)")
                            ? Int(words[words.count - 3].dropFirst()) ?? 0 : 1
                }
            }
            let sent = 12_000
            for index in 0..<sent {
                let (turn, now) = (index / runLength, UInt64(index / 4))
                let place = "place\(turn % places)"
                try note(admit(&limiter, "\(place) message\(turn % messages)", place, at: now), at: now)
            }
            try note(limiter.counts(at: time(3000), isLast: true).map(\.text), at: 3000)
            #expect(counted == sent)
            for times in lines.values {
                // Windows begin with a line, so any second has the lines of two at most.
                for start in stride(from: 0, to: 3000, by: 100) as StrideTo<UInt64> {
                    #expect(
                        times.count { (start..<start + 1000).contains($0) } <= 2 * LogLimiter.linesPerSecond
                    )
                }
                #expect(times.count <= 4 * LogLimiter.linesPerSecond)
            }
        }
    }

    /// The log's own lines, from a file of the library and from another one.
    @Test func `limits hold for the library's lines`() {
        let lines = Mutex<[String]>([])
        let log = Log()
        log.open(threshold: .info, prefix: .name("n"), limitedBy: { MonotonicTime(nanoseconds: 5) }) { line in
            lines.withLock { $0.append(line) }
        }
        for _ in 0..<3 { log.info("mine") }
        for _ in 0..<3 { log.warning("theirs", file: "ObserveCore/X.swift", line: 1) }
        log.warning("last", file: "ObserveCore/X.swift", line: 2)
        #expect(
            lines.withLock { $0 } == [
                "n: mine\n", "n: mine\n", "n: mine\n", "n: warning: theirs\n",
                "n: warning: theirs (2 more times)\n", "n: warning: last\n",
            ]
        )
    }

    @Test(arguments: [
        ("abc", 3, "abc"), ("abcd", 3, "…"), ("abcdef", 5, "ab…"), ("éé", 3, "…"), ("ééé", 5, "é…"),
        ("a🙂🙂", 8, "a🙂…"), ("a🙂🙂", 7, "a…"),
    ])
    func `text is cut at a whole character`(text: String, limit: Int, expected: String) {
        #expect(text.cut(atBytes: limit) == expected)
        #expect(text.cut(atBytes: limit).utf8.count <= limit)
    }

    @Test func `a line is as long as a pipe accepts it as a whole`() {
        let line = Log.line(.info, String(repeating: "\u{1B}é", count: 9000), prefix: .name("n"))
        #expect(line.utf8.count <= 4096 && line.utf8.count > 4090)
        #expect(line.hasSuffix("…\n"))
    }

    @Test func `the log cuts the paths of a binding`() throws {
        let long = String(repeating: "p", count: 5000)
        #expect(long.logged.utf8.count == 200)
    }
}
