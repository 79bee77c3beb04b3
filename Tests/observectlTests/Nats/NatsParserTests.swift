// SPDX-License-Identifier: MIT
// A server's bytes, cut anywhere, and bytes of something that is not a server.

import Testing

@testable import observectl

@Suite struct NatsParserTests {
    private static let stream = Array(
        ("INFO {\"version\":\"2.9.10\",\"headers\":true,\"jetstream\":true,\"max_payload\":1024}\r\n+OK\r\nPING\r\n"
            + "MSG $KV.home.a.b 7 2\r\n42\r\nMSG x 1 reply.1 0\r\n\r\npong\r\n"
            + "HMSG $KV.home.c 7 $JS.ACK.KV_home.c.1.9.3.17.0 31 31\r\nNATS/1.0\r\nKV-Operation: DEL\r\n\r\n\r\n"
            + "HMSG _INBOX.1 2 16 19\r\nNATS/1.0 503\r\n\r\n{}\n\r\n-ERR 'Authorization Violation'\r\n").utf8
    )

    private static func events(_ pieces: [[UInt8]]) throws(NatsError) -> [NatsEvent] {
        var parser = NatsParser()
        var events: [NatsEvent] = []
        for piece in pieces {
            parser.feed(piece)
            while let event = try parser.next() { events.append(event) }
        }
        return events
    }

    private static var expected: [NatsEvent] {
        get throws {
            let info = try NatsInfo(
                Array(#"{"version":"2.9.10","headers":true,"jetstream":true,"max_payload":1024}"#.utf8)
            )
            let gone = try NatsHeaders(Array("NATS/1.0\r\nKV-Operation: DEL\r\n\r\n".utf8)[...])
            let unserved = try NatsHeaders(Array("NATS/1.0 503\r\n\r\n".utf8)[...])
            #expect(gone["KV-Operation"] == "DEL" && unserved.status == 503)
            return [
                .info(info), .ok, .ping,
                .message(NatsMessage("$KV.home.a.b", 7, payload: "42")),
                .message(NatsMessage("x", 1, reply: "reply.1", payload: "")), .pong,
                .message(
                    NatsMessage(
                        "$KV.home.c",
                        7,
                        reply: "$JS.ACK.KV_home.c.1.9.3.17.0",
                        headers: gone,
                        payload: ""
                    )
                ),
                .message(NatsMessage("_INBOX.1", 2, headers: unserved, payload: "{}\n")),
                .error("Authorization Violation"),
            ]
        }
    }

    @Test func `messages are the same wherever their bytes are cut`() throws {
        let bytes = NatsParserTests.stream
        let expected = try NatsParserTests.expected
        #expect(try NatsParserTests.events([bytes]) == expected)
        #expect(try NatsParserTests.events(bytes.map { [$0] }) == expected)
        for cut in 1..<bytes.count {
            #expect(
                try NatsParserTests.events([Array(bytes[..<cut]), Array(bytes[cut...])]) == expected,
                "cut at \(cut)"
            )
        }
    }

    @Test(arguments: [
        ("HTTP/1.1 400 Bad Request\r\n", "the line 'HTTP/1.1'"),
        ("PING\n", "a line without a carriage return"),
        ("\n", "a line without a carriage return"),
        ("INFO {\"max_payload\":0}\r\n", "an INFO with the max_payload 0"),
        ("INFO []\r\n", "an INFO that is not an object"),
        ("MSG a 1\r\n", "a message with 2 words in its line"),
        ("MSG a 1 b c 2\r\nxx\r\n", "a message with 5 words in its line"),
        ("MSG a 1 -2\r\n", "a number that is not one"),
        ("MSG a 1 99999999999999\r\n", "a number of 14 digits"),
        ("MSG a 1 99999999999\r\n", "a message of 99999999999 bytes with 0 bytes of headers"),
        ("MSG a x 2\r\n12\r\n", "a number that is not one"),
        ("MSG a 1 2\r\n123\r\n", "a message that is longer than it said"),
        ("HMSG a 1 5 2\r\n12\r\n", "a message of 2 bytes with 5 bytes of headers"),
        ("HMSG a 1 2 2\r\n12\r\n", "headers that do not begin with NATS/1.0"),
        ("HMSG a 1 12 12\r\nNATS/1.0 x\r\n\r\n", "headers with the status 'x'"),
        ("HMSG a 1 11 11\r\nNATS/1.0\r\nx\r\n", "a header without ':'"),
    ])
    func `bytes that are not the protocol end in a sentence`(bytes: String, sentence: String) {
        #expect(throws: NatsError.malformed(sentence)) { try NatsParserTests.events([Array(bytes.utf8)]) }
    }

    @Test func `a line that does not end is an error before it fills the memory`() {
        #expect(throws: NatsError.malformed("a line that does not end")) {
            var parser = NatsParser()
            for _ in 0..<33 {
                parser.feed([UInt8](repeating: 0x41, count: 32_768))
                _ = try parser.next()
            }
        }
    }

    @Test func `numbers that no server has do not overflow`() throws {
        let info = try NatsInfo(#"{"max_payload":9223372036854775807}"#.bytes)
        #expect(info.maxPayloadBytes == 1 << 30)
        #expect(UInt64(decimal: "9223372036854775807".bytes[...]) == UInt64(Int64.max))
        #expect(UInt64(decimal: "9223372036854775808".bytes[...]) == nil)
        #expect(UInt64(decimal: "18446744073709551615".bytes[...]) == nil)
    }

    @Test func `random changes of a server's bytes never trap`() {
        var state: UInt64 = 7
        for _ in 0..<5_000 {
            var bytes = NatsParserTests.stream
            for _ in 0..<4 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes[Int(state >> 33) % bytes.count] = UInt8(truncatingIfNeeded: state >> 20)
            }
            _ = try? NatsParserTests.events([bytes])
        }
    }
}

private extension NatsMessage {
    init(
        _ subject: String,
        _ subscription: Int,
        reply: String? = nil,
        headers: NatsHeaders = NatsHeaders(),
        payload: String
    ) {
        self.init(
            subject: Array(subject.utf8)[...],
            subscription: subscription,
            reply: reply.map { Array($0.utf8)[...] },
            headers: headers,
            payload: Array(payload.utf8)[...]
        )
    }
}
