// SPDX-License-Identifier: MIT
// What the client's side sends, and the answers of JetStream.

import ObserveCore
import Testing

@testable import observectl

@Suite struct NatsSessionTests {
    @Test func `the first INFO connects, and a later one changes the limits alone`() throws {
        var session = NatsSession(NatsCredentials(user: "u", password: "p\"", token: nil))
        session.feed(
            Array(
                "INFO {\"headers\":true,\"max_payload\":99}\r\nINFO {\"headers\":true,\"max_payload\":7}\r\n"
                    .utf8
            )
        )
        var refused: [String] = []
        #expect(try session.next { refused.append($0) } == nil)
        let sent = String(decoding: session.output.array, as: UTF8.self)
        #expect(
            sent.hasPrefix(#"CONNECT {"verbose":false,"pedantic":false,"headers":true,"no_responders":true,"#)
        )
        #expect(sent.hasSuffix("\"user\":\"u\",\"pass\":\"p\\\"\"}\r\nPING\r\n"))
        #expect(session.info?.maxPayloadBytes == 7 && !session.isReady)
        session.feed(Array("PONG\r\nPING\r\n-ERR 'Permissions Violation for Publish to \"x\"'\r\n".utf8))
        session.output.removeAll()
        #expect(try session.next { refused.append($0) } == nil)
        #expect(session.isReady && session.output.array == Array("PONG\r\n".utf8))
        #expect(refused == ["Permissions Violation for Publish to \"x\""])
    }

    @Test(arguments: [
        (
            "INFO {\"headers\":true,\"tls_required\":true}",
            "it demands TLS, which a local nats-server as a leaf node adds: see docs/bridge.md"
        ),
        ("INFO {}", "it has no headers: version 2.2 or later is needed"),
        ("-ERR 'Authorization Violation'", "Authorization Violation"),
        ("-ERR 'maximum control line exceeded'", "maximum control line exceeded"),
    ])
    func `a server that can't be used is named`(line: String, sentence: String) {
        #expect(throws: NatsError.refused(sentence)) {
            var session = NatsSession(NatsCredentials())
            session.feed(Array("\(line)\r\n".utf8))
            _ = try session.next { _ in }
        }
    }

    @Test func `messages are published with their lengths`() {
        let session = NatsSession(NatsCredentials())
        session.publish("a", Array("é".utf8))
        session.publish(
            Array("a".utf8),
            [],
            reply: Array("b.1".utf8),
            headers: [("KV-Operation", "DEL")]
        )
        session.subscribe("b.*", as: 2)
        #expect(
            String(decoding: session.output.array, as: UTF8.self)
                == "PUB a 2\r\né\r\nHPUB a b.1 31 31\r\nNATS/1.0\r\nKV-Operation: DEL\r\n\r\n\r\nSUB b.* 2\r\n"
        )
    }

    @Test(arguments: [
        ("localhost", "localhost", 4222), ("nats://10.0.0.1:4333/", "10.0.0.1", 4333), ("[::1]:7", "::1", 7),
        ("[::1]", "::1", 4222),
    ])
    func `an address has a host and a port`(text: String, host: String, port: Int) throws {
        let address = try #require(NatsAddress(text))
        #expect(address.host == host && Int(address.port) == port)
    }

    @Test(arguments: ["", ":4222", "a:0", "a:70000", "a:x", "u:p@a", "a/b", "[::1", "[::1]x", "a:+5"])
    func `other text is not an address`(text: String) {
        #expect(NatsAddress(text) == nil)
    }

    @Test(arguments: ["a.b", "", "a b", "é", "a>"])
    func `a bucket's name has letters, digits, underscores and dashes`(name: String) {
        #expect(Bucket(name) == nil && Bucket("Home_1-x") != nil)
    }

    @Test func `a place in a stream has two forms`() throws {
        func delivery(_ text: String?) throws(NatsError) -> Delivery {
            try Delivery(text.map { Array($0.utf8)[...] })
        }
        let short = try delivery("$JS.ACK.KV_home.consumer.1.9.3.17.5")
        #expect(short == (try delivery("$JS.ACK.domain.account.KV_home.consumer.1.9.3.17.5.token")))
        #expect(short.streamSequence == 9 && short.consumerSequence == 3 && short.pending == 5)
        for text in [nil, "", "$JS.ACK.a.b.c.d.e.f.g", "$JS.ACK.a.b.1.0.3.17.5"] {
            #expect(throws: NatsError.self) { try delivery(text) }
        }
    }

    @Test(arguments: [
        (#""max_age":5"#, "max_age is 5 ns, so values would expire"),
        (#""discard":"old""#, "discard is not 'new', so a full bucket would lose values"),
        (#""max_msgs_per_subject":-1"#, "max_msgs_per_subject is -1, so it is not a bucket"),
        (#""retention":"workqueue""#, "retention is 'workqueue', so values would vanish once they are read"),
        (#""max_msgs_per_subject":5"#, nil),
    ])
    func `a stream whose settings would lose changes is a misfit`(setting: String, misfit: String?) throws {
        let base = #"{"created":"now","config":{"discard":"new","max_age":0,"#
        let state = try StreamState(Array("\(base)\(setting)},\"state\":{\"last_seq\":7}}".utf8)[...])
        #expect(state.misfit == misfit && state.identity == "now" && state.lastSequence == 7)
        #expect(throws: NatsError.stream(code: 10059, "stream not found")) {
            try StreamState(
                Array(#"{"error":{"code":404,"err_code":10059,"description":"stream not found"}}"#.utf8)[...]
            )
        }
    }
}
