// SPDX-License-Identifier: MIT
// Connections to the real daemon: lines, half-closed sockets, bad input, clients that disconnect.

import Glibc
import ObserveCore
import Testing

struct TransportTests {
    private static let ping = #"{"id":1,"method":"ping"}"#
    private static let pong = #"{"jsonrpc":"2.0","id":1,"result":{}}"#
    private static let subscribe = #"{"id":2,"method":"subscribe","params":{"path":"a"}}"#

    // MARK: Lines

    @Test(.timeLimit(.minutes(15)))
    func `the daemon accepts lines in any pieces`() throws {
        let daemon = try DaemonUnderTest()
        let client = try daemon.connect()
        let text = "\n \r\n" + TransportTests.ping + "\r\n\t\n" + TransportTests.ping + "\n"
        for byte in text.utf8 { try client.send(bytes: [byte]) }
        #expect(try client.readLine() == TransportTests.pong)
        #expect(try client.readLine() == TransportTests.pong)
    }

    @Test(.timeLimit(.minutes(15)))
    func `the daemon answers all requests before a half-close, even an unterminated last line`() throws {
        let daemon = try DaemonUnderTest()
        let client = try daemon.connect()
        try client.send(bytes: Array("\(TransportTests.ping)\n\(TransportTests.ping)".utf8))
        client.finishSending()
        #expect(try client.readLine() == TransportTests.pong)
        #expect(try client.readLine() == TransportTests.pong)
        #expect(try client.readLine() == nil)
    }

    @Test(.timeLimit(.minutes(15)))
    func `subscriptions continue after a half-close`() throws {
        let daemon = try DaemonUnderTest()
        let (listener, writer) = (try daemon.connect(), try daemon.connect())
        #expect(try listener.ask(TransportTests.subscribe)?.contains(#""initial":1"#) == true)
        _ = try listener.readLine()
        listener.finishSending()
        for value in 1...3 {
            _ = try writer.ask(#"{"id":3,"method":"set","params":{"path":"a","value":\#(value)}}"#)
            #expect(try listener.readLine()?.contains(#""new":\#(value),"#) == true)
        }
    }

    @Test(.timeLimit(.minutes(15)))
    func `the daemon refuses a line over the limit once, and the connection continues`() throws {
        let daemon = try DaemonUnderTest(configuration: #"{"limits":{"maxLineBytes":100}}"#)
        let client = try daemon.connect()
        try client.send(String(repeating: " ", count: 101))
        try client.send(String(repeating: "x", count: 300_000))
        for _ in 1...2 {
            let refusal = try client.readLine()
            #expect(refusal?.contains(#""id":null,"error":{"code":-32600"#) == true)
            #expect(refusal?.contains("maxLineBytes") == true)
        }
        #expect(try client.ask(TransportTests.ping) == TransportTests.pong)
    }

    @Test(.timeLimit(.minutes(15)))
    func `the daemon skips a line of a hundred megabytes without storing it`() throws {
        let daemon = try DaemonUnderTest()
        let client = try daemon.connect()
        let before = try daemon.peakKilobytes()
        let piece = [UInt8](repeating: 0x5B, count: 1 << 20)
        for _ in 1...100 { try client.send(bytes: piece) }
        try client.send("")
        #expect(try client.readLine()?.contains("-32600") == true)
        #expect(try client.ask(TransportTests.ping) == TransportTests.pong)
        #expect(try daemon.peakKilobytes() - before < 8192)
    }

    // MARK: Bad input

    struct BadLine: Sendable {
        let bytes: [UInt8]
        let code: Int

        init(_ bytes: [UInt8], _ code: Int) {
            self.bytes = bytes
            self.code = code
        }

        init(_ text: String, _ code: Int) { self.init(Array(text.utf8), code) }
    }

    private static let badLines: [BadLine] = [
        BadLine(#"{"id":1"#, -32700),
        BadLine([0x22, 0xFF, 0x22], -32700),
        BadLine([0x00], -32700),
        BadLine([UInt8](repeating: 0x5B, count: 10_000), -32700),
        BadLine(#"{"id":1,"method":"ping"} {}"#, -32700),
        BadLine("[]", -32600),
        BadLine("1", -32600),
        BadLine("null", -32600),
        BadLine("{}", -32600),
        BadLine(#"{"id":1,"method":"nothing"}"#, -32601),
        BadLine(#"{"id":1,"method":"get"}"#, -32602),
        BadLine(#"{"id":1,"method":"get","params":{"path":7}}"#, -32602),
        BadLine(#"{"id":1,"method":"get","params":{"path":"a..b"}}"#, -32602),
        BadLine(#"{"id":1,"method":"unsubscribe","params":{"subscription":1}}"#, 1),
    ]

    @Test(.timeLimit(.minutes(15)), arguments: badLines)
    func `the daemon refuses a bad line, and the connection continues`(line: BadLine) throws {
        let daemon = try DaemonUnderTest()
        let (other, client) = (try daemon.connect(), try daemon.connect())
        _ = try other.ask(TransportTests.subscribe)
        try client.send(bytes: line.bytes + [0x0A])
        #expect(try client.readLine()?.contains(#""error":{"code":\#(line.code),"#) == true)
        #expect(try client.ask(TransportTests.ping) == TransportTests.pong)
        _ = try other.readLine()
        #expect(try other.ask(TransportTests.ping) == TransportTests.pong)
    }

    @Test(.timeLimit(.minutes(15)))
    func `the daemon refuses to render thirty diamonds of links, and takes no memory for it`() throws {
        let daemon = try DaemonUnderTest()
        let client = try daemon.connect()
        _ = try client.ask(#"{"id":1,"method":"set","params":{"path":"d0","value":{"x":1}}}"#)
        for level in 1...30 {
            _ = try client.ask(#"{"id":1,"method":"set","params":{"path":"d\#(level)","value":{}}}"#)
            for side in ["left", "right"] {
                let params = #"{"path":"d\#(level).\#(side)","target":"d\#(level - 1)"}"#
                let answer = try client.ask(#"{"id":1,"method":"link","params":\#(params)}"#)
                #expect(answer?.contains(#""changed":true"#) == true)
            }
        }
        let before = try daemon.peakKilobytes()
        let answer = try client.ask(#"{"id":1,"method":"get","params":{"path":"d30"}}"#)
        #expect(answer?.contains(#""error":{"code":6,"#) == true)
        #expect(try daemon.peakKilobytes() - before < 16384)
    }

    // MARK: Clients that disconnect

    @Test(.timeLimit(.minutes(15)))
    func `the daemon frees everything for clients that disconnect`() throws {
        let daemon = try DaemonUnderTest()
        let observer = try daemon.connect()
        let text = String(repeating: "x", count: 100_000)
        _ = try observer.ask(#"{"id":1,"method":"set","params":{"path":"a","value":"\#(text)"}}"#)
        let sockets = try daemon.socketCount()
        #expect(sockets >= 2)
        for round in 1...50 {
            // In the middle of a line; with answers under way; while events wait.
            let (first, second, third) = (try daemon.connect(), try daemon.connect(), try daemon.connect())
            try first.send(bytes: Array(#"{"id":1,"meth"#.utf8))
            for _ in 1...20 { try second.send(#"{"id":1,"method":"get","params":{"path":"a"}}"#) }
            _ = try third.ask(TransportTests.subscribe)
            for value in ["b", "c"] {
                let params = #"{"path":"a","value":"\#(text)\#(value)\#(round)"}"#
                _ = try observer.ask(#"{"id":1,"method":"set","params":\#(params)}"#)
            }
            for client in [first, second, third] { client.close() }
        }
        while try observer.number("connections") > 1 {}
        #expect(try observer.number("subscriptions") == 0)
        let left = try daemon.socketCount()
        #expect(left == sockets)
    }

    @Test(.timeLimit(.minutes(15)))
    func `a slow client has a bounded outbox and receives the latest value`() throws {
        let daemon = try DaemonUnderTest()
        let (sleeper, writer) = (try daemon.connect(), try daemon.connect())
        _ = try sleeper.ask(#"{"id":1,"method":"subscribe","params":{"path":"a.b","initial":false}}"#)
        let text = String(repeating: "x", count: 10_000)
        let before = try daemon.peakKilobytes()
        let count = many(5000, usually: 1500)
        for value in 1...count {
            let params = #"{"path":"a","value":{"b":"\#(text)\#(value)"}}"#
            _ = try writer.ask(#"{"id":1,"method":"set","params":\#(params)}"#)
        }
        // The writes are at least fifteen megabytes. The slow client's socket takes some of the events, and then one event
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

    /// The number of its open sockets. Dispatch opens other descriptors at any time.
    fileprivate func socketCount() throws -> Int {
        let list = try ChildProcess.run("ls", ["-l", "/proc/\(process.pid)/fd"])
        return list.output.split(separator: "\n").count { $0.contains(" socket:[") }
    }
}

extension LineConnection {
    /// The daemon's counter `name`.
    fileprivate func number(_ name: String) throws -> Int {
        let answer = try #require(try ask(#"{"id":1,"method":"status"}"#))
        let status = try Value(json: answer)
        return Int(try #require(status["result"]?[name]?.int))
    }
}
