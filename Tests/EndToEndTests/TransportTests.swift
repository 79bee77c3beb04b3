// SPDX-License-Identifier: MIT
// The memory of the real daemon beside a slow client. `ServerConnectionTests` and `ServerLoadTests` have the other tests of
// connections.

import Testing

struct TransportTests {
    private static let ping = #"{"id":1,"method":"ping"}"#
    private static let pong = #"{"jsonrpc":"2.0","id":1,"result":{}}"#

    @Test(.timeLimit(.minutes(15)))
    func `a slow client has a bounded outbox and receives the latest value`() throws {
        let daemon = try DaemonUnderTest()
        let (sleeper, writer) = (try daemon.connect(), try daemon.connect())
        _ = try sleeper.ask(#"{"id":1,"method":"subscribe","params":{"path":"a.b","initial":false}}"#)
        let text = String(repeating: "x", count: 10_000)
        let before = try daemon.peakKilobytes()
        let count = many(5000, usually: 2000)
        for value in 1...count {
            let params = #"{"path":"a","value":{"b":"\#(text)\#(value)"}}"#
            _ = try writer.ask(#"{"id":1,"method":"set","params":\#(params)}"#)
        }
        // The writes are at least twenty megabytes. The slow client's socket takes some of the events, and then one event
        // waits.
        #expect(try daemon.peakKilobytes() - before < 8192)
        try sleeper.send(TransportTests.ping)
        var last = ""
        while let line = try sleeper.readLine(), line != TransportTests.pong { last = line }
        #expect(last.contains("x\(count)\""))
        #expect(last.contains(#""coalesced":"#))
    }
}

extension DaemonUnderTest {
    /// Its peak resident memory.
    fileprivate func peakKilobytes() throws -> Int {
        let status = try readText("/proc/\(process.pid)/status")
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(line.split(separator: " ").compactMap { Int($0) }.first)
    }
}
