// SPDX-License-Identifier: MIT
// The client's side of the protocol: whole input, single bytes, and malformed lines.

import ObserveCore
import Testing

struct ClientSessionTests {
    private static let lines = [
        #"{"jsonrpc":"2.0","id":1,"result":{"subscription":1,"revision":7,"initial":1}}"#,
        #"{"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"a.b","#
            + #""reason":"initial","new":1.50,"revision":7}}"#,
        "",
        " \r",
        #"{"jsonrpc":"2.0","id":2,"error":{"code":1,"message":"c does not exist","data":{"path":"c"}}}"#
            + "\r",
        #"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"too long"}}"#,
        #"{"jsonrpc":"2.0","method":"later","params":{}}"#,
        #"{"params":{"truncated":true,"reason":"valueChanged","subscription":2},"method":"change"}"#,
        #"{"jsonrpc":"2.0","method":"goodbye","params":{"reason":"shutdown"}}"#,
    ]

    private static func json(_ text: String) throws -> RawJSON { try RawJSON(validating: Array(text.utf8)) }

    private static func expected() throws -> [ClientMessage] {
        [
            .answer(id: 1, try json(#"{"subscription":1,"revision":7,"initial":1}"#)),
            .change(
                ChangeEvent(
                    params: try json(
                        #"{"subscription":1,"path":"a.b","reason":"initial","new":1.50,"revision":7}"#
                    ),
                    subscription: 1,
                    reason: .initial
                )
            ),
            .refusal(
                id: 2,
                DaemonError(code: .notFound, message: "c does not exist", data: try json(#"{"path":"c"}"#))
            ),
            .refusal(id: nil, DaemonError(code: .invalidRequest, message: "too long")),
            .unknown(method: "later"),
            .change(
                ChangeEvent(
                    params: try json(#"{"truncated":true,"reason":"valueChanged","subscription":2}"#),
                    subscription: 2,
                    reason: .valueChanged
                )
            ),
            .goodbye(reason: "shutdown"),
        ]
    }

    private static var transcript: [UInt8] { lines.flatMap { Array("\($0)\n".utf8) } }

    @Test func `reads a transcript in pieces of any size`() throws {
        for size in [1, 2, 3, 7, 64, 100_000] {
            var session = ClientSession()
            var messages: [ClientMessage] = []
            var rest = Self.transcript[...]
            while !rest.isEmpty {
                messages += session.receive(Array(rest.prefix(size)))
                rest = rest.dropFirst(size)
            }
            #expect(try messages == Self.expected(), "in pieces of \(size)")
            #expect(session.failure == nil)
        }
    }

    @Test func `input split anywhere gives the same messages`() throws {
        let expected = try Self.expected()
        for cut in 0...Self.transcript.count {
            var session = ClientSession()
            var messages = session.receive(Array(Self.transcript[..<cut]))
            messages += session.receive(Array(Self.transcript[cut...]))
            #expect(messages == expected, "cut at \(cut)")
        }
    }

    @Test func `an event has the new value in its written form, or nil`() {
        var session = ClientSession()
        let values = session.receive(Self.transcript).map { message -> String? in
            guard case .change(let event) = message else { return nil }
            return event.new?.text ?? "none"
        }
        #expect(values.compactMap { $0 } == ["1.50", "none"])
    }

    @Test func `numbers requests and keeps the form of values`() throws {
        var session = ClientSession()
        let ping = session.request("ping")
        let set = session.request(
            "set",
            ["path": RawJSON(.string("a\"b")), "value": try Self.json("[1.0, 99999999999999999999]")]
        )
        #expect(ping.id == 1)
        #expect(ping.line == Array((#"{"jsonrpc":"2.0","id":1,"method":"ping"}"# + "\n").utf8))
        #expect(set.id == 2)
        let line =
            #"{"jsonrpc":"2.0","id":2,"method":"set","params":{"path":"a\"b","#
            + #""value":[1.0, 99999999999999999999]}}"# + "\n"
        #expect(set.line == Array(line.utf8))
    }

    @Test(arguments: [
        "{",
        "hello",
        "[]",
        "1",
        "{}",
        #"{"id":1}"#,
        #"{"result":{}}"#,
        #"{"id":"1","result":{}}"#,
        #"{"id":1,"error":{"code":1}}"#,
        #"{"id":1,"error":{"message":"no"}}"#,
        #"{"id":1,"error":"no"}"#,
        #"{"method":"change"}"#,
        #"{"method":"change","params":{"path":"a"}}"#,
        "{\"id\":1,\"result\":\"\u{1}\"}",
    ])
    func `a malformed line ends the session`(line: String) {
        var session = ClientSession()
        let good = #"{"id":1,"result":{}}"#
        let messages = session.receive(Array("\(good)\n\(line)\n\(good)\n".utf8))
        #expect(messages.count == 1)
        guard case .malformed = session.failure else {
            Issue.record("\(line) was parsed as a message")
            return
        }
        #expect(session.receive(Array("\(good)\n".utf8)).isEmpty)
        #expect(session.receiveEnd().isEmpty)
    }

    @Test func `a line beyond the limit ends the session`() {
        var session = ClientSession(limitBytes: 32)
        #expect(session.receive([UInt8](repeating: 0x20, count: 33)).isEmpty)
        #expect(session.failure == .malformed("a line of more than 32 bytes"))
    }

    @Test func `an unterminated last line counts if it is complete`() {
        var session = ClientSession()
        #expect(session.receive(Array(#"{"id":1,"result":{}}"#.utf8)).isEmpty)
        #expect(session.receiveEnd() == [.answer(id: 1, RawJSON([:]))])
        #expect(session.failure == .connectionLost(code: 0))
    }

    @Test func `an incomplete last line is a lost connection`() {
        var session = ClientSession()
        #expect(session.receive(Array(#"{"id":1,"res"#.utf8)).isEmpty)
        #expect(session.receiveEnd(code: 104).isEmpty)
        #expect(session.failure == .connectionLost(code: 104))
    }
}
