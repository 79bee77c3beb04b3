// SPDX-License-Identifier: MIT
// Requests, notifications and batches, and their answers.

import Testing

@testable import ObserveCore

@Suite struct RequestAnswerTests {
    private static let notObject =
        #"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"a request is a JSON object"}}"#
    private static let noMethod =
        #"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"a request names its method"}}"#
    private static let emptyBatch =
        #"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"a batch holds at least one request"}}"#
    private static func ok(_ id: String) -> String { #"{"jsonrpc":"2.0","id":\#(id),"result":{}}"# }
    private static func no(_ id: String, _ code: Int, _ message: String) -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"error":{"code":\#(code),"message":"\#(message)"}}"#
    }

    static let table: [(line: String, answers: [String])] = [
        ("", []),
        (" \t ", []),
        ("\r", []),
        (#"{"id":1,"method":"ping"}"#, [ok("1")]),
        (#"{"id":1,"method":"ping"}"# + "\r", [ok("1")]),
        (#"{"id":"a\u00e9\/","method":"ping"}"#, [ok(#""a\u00e9\/""#)]),
        (#"{"id":null,"method":"ping"}"#, [ok("null")]),
        (#"{"id":1.0,"method":"ping"}"#, [ok("1.0")]),
        (#"{"method":"ping"}"#, []),
        (#"{"id":1,"method":"\u0070ing","params":{}}"#, [ok("1")]),
        ("1", [notObject]),
        ("null", [notObject]),
        (#""x""#, [notObject]),
        ("{}", [noMethod]),
        (#"{"id":1}"#, [no("1", -32600, "a request names its method")]),
        (#"{"method":1}"#, [no("null", -32600, "a method is a string")]),
        (#"{"id":true,"method":"ping"}"#, [no("null", -32600, "an id is a string, a number or null")]),
        (
            #"{"id":2,"method":"ping","id":[]}"#,
            [no("null", -32600, "an id is a string, a number or null")]
        ),
        (
            #"{"jsonrpc":"1.1","id":2,"method":"ping"}"#,
            [no("2", -32600, "the jsonrpc member, where it is given, is the string 2.0")]
        ),
        (#"{"jsonrpc":"1.1","method":"ping"}"#, []),
        (#"{"id":3,"method":"nope"}"#, [no("3", -32601, "method not found: nope")]),
        (#"{"id":3,"method":"Ping"}"#, [no("3", -32601, "method not found: Ping")]),
        (#"{"id":3,"method":""}"#, [no("3", -32601, "method not found: ")]),
        (#"{"method":"nope"}"#, []),
        (
            #"{"id":3,"method":"nope","params":[]}"#,
            [no("3", -32602, "params are given by name, in an object")]
        ),
        (
            #"{"id":3,"method":"ping","params":[]}"#,
            [no("3", -32602, "params are given by name, in an object")]
        ),
        (#"{"id":3,"method":"ping","params":null}"#, [no("3", -32600, "params are an object")]),
        (#"{"id":3,"method":"ping","params":1}"#, [no("3", -32600, "params are an object")]),
        (#"{"method":"ping","params":1}"#, []),
        (#"{"id":3,"method":"ping","params":{"x":1}}"#, [no("3", -32602, "ping has no param x")]),
        (#"{"method":"ping","params":{"x":1}}"#, []),
        (
            #"{"id":3,"method":"rpc.describe"}"#,
            [no("3", -32601, "method not found: rpc.describe")]
        ),
        (
            #"{"id":3"#, [no("null", -32700, "the line is not JSON: an early end of the text at byte 7")]
        ),
        ("[]", [emptyBatch]),
        (" [ ] ", [emptyBatch]),
        ("[1]", ["[\(notObject)]"]),
        ("[1,2,3]", ["[\(notObject),\(notObject),\(notObject)]"]),
        ("[[]]", ["[\(notObject)]"]),
        (#"[[{"id":1,"method":"ping"}]]"#, ["[\(notObject)]"]),
        ("[", [no("null", -32700, "the line is not JSON: an early end of the text at byte 1")]),
        (
            #"[{"id":1,"method":"ping"},{"id":2,"method"]"#,
            [no("null", -32700, "the line is not JSON: a missing colon at byte 42")]
        ),
        (#"[{"id":1,"method":"ping"}]"#, ["[\(ok("1"))]"]),
        (#"[{"method":"ping"}]"#, []),
        (#"[{"method":"ping"},{"method":"nope"},{"method":"ping","params":1}]"#, []),
        (
            #"[{"method":"ping"},{"id":1,"method":"ping"},7,{"method":"ping"},{"id":"b","method":"ping"},{"a":"b"}]"#,
            ["[\(ok("1")),\(notObject),\(ok(#""b""#)),\(noMethod)]"]
        ),
    ]

    @Test(arguments: table)
    func `each line gets its answer`(line: String, answers: [String]) {
        let client = FakeClient(Hub.with([("a", "{}")]))
        #expect(client.ask(line) == answers)
        #expect(client.ask(#"{"id":"next","method":"ping"}"#) == [Self.ok(#""next""#)])
    }

    @Test func `the hub executes notifications`() {
        let client = FakeClient(Hub.with([("a", "{}")]))
        client.send(#"{"method":"set","params":{"path":"a.x","value":1}}"#)
        client.send(
            #"[{"method":"set","params":{"path":"a.y","value":2}},{"method":"set","params":{"path":"","value":2}}]"#
        )
        #expect(
            client.ask(#"{"id":1,"method":"get","params":{"path":"a"}}"#)
                == [#"{"jsonrpc":"2.0","id":1,"result":{"value":{"x":1,"y":2},"revision":3}}"#]
        )
        client.send(#"{"method":"subscribe","params":{"path":"a.x"}}"#)
        #expect(
            client.take() == [
                #"{"jsonrpc":"2.0","method":"change","params":{"subscription":1,"path":"a.x","reason":"initial","new":1,"revision":3}}"#
            ]
        )
    }

    @Test func `the hub executes an unterminated last line`() {
        let client = FakeClient(Hub.with([]))
        client.send(bytes: Array(#"{"id":1,"method":"ping"}"#.utf8))
        #expect(client.take() == [])
        client.endInput()
        #expect(client.take() == [Self.ok("1")])
    }

    @Test func `an unterminated last line may delay an event of its own client`() {
        let client = FakeClient(Hub.with([("a", #"{"x":1}"#)]))
        _ = client.ask(#"{"id":1,"method":"subscribe","params":{"path":"a.x","debounce":100}}"#)
        client.send(bytes: Array(#"{"id":2,"method":"set","params":{"path":"a.x","value":2}}"#.utf8))
        client.endInput()
        #expect(client.take().count == 1)
        client.close()
    }

    @Test func `the hub answers a line over the limit once, and skips it`() {
        var limits = ServerLimits()
        limits.clients.maxLineBytes = 64
        let client = FakeClient(Hub.with([], limits: limits))
        let error = Self.no(
            "null",
            -32600,
            "a line holds at most 64 bytes (maxLineBytes); this one was skipped"
        )
        let padded = #"{"id":1,"method":"ping"}"#
        let fits = padded + String(repeating: " ", count: 64 - padded.utf8.count)
        #expect(client.ask(fits) == [Self.ok("1")])
        #expect(client.ask(fits + " ") == [error])
        for _ in 0..<10 { client.send(bytes: Array(fits.utf8)) }
        #expect(client.take() == [error])
        #expect(client.ask("") == [])
        #expect(client.ask(fits) == [Self.ok("1")])
    }

    @Test func `a connection keeps its limit of a line, which its refusals name`() {
        var limits = ServerLimits()
        limits.clients.maxLineBytes = 64
        let client = FakeClient(Hub.with([], limits: limits))
        client.hub.clients.adopt(ServerLimits())
        let answer = client.ask(String(repeating: " ", count: 65))
        #expect(answer.count == 1 && answer[0].contains("a line holds at most 64 bytes (maxLineBytes)"))
    }

    /// Before, such lines were no work: a client sent them without end in one turn.
    @Test(arguments: ["", "  ", "[", "[]", "[1,1,1]", "123456789"])
    func `lines without a request end a turn`(line: String) {
        var limits = ServerLimits()
        limits.clients.maxOperations = 2
        limits.clients.maxLineBytes = 8
        let client = FakeClient(Hub.with([], limits: limits))
        var turns = 1
        client.send(String(repeating: line + "\n", count: 100), turn: 10) { turns += 1 }
        #expect(turns >= 10)
    }

    @Test func `the hub refuses bad UTF-8 in its line`() {
        let client = FakeClient(Hub.with([]))
        client.send(
            bytes: Array(#"{"id":"#.utf8) + [0x22, 0xFF, 0x22] + Array(#","method":"ping"}"#.utf8) + [10]
        )
        #expect(
            client.take() == [Self.no("null", -32700, "the line is not JSON: ill-formed UTF-8 at byte 7")]
        )
        client.send(bytes: [0xC3, 10])
        #expect(client.take().count == 1)
    }

    @Test func `the hub bounds the answers of a batch`() {
        var limits = ServerLimits()
        limits.clients.maxOutboxBytes = 2000
        let hub = Hub.with([("a", "\"\(String(repeating: "x", count: 500))\"")], limits: limits)
        let client = FakeClient(hub)
        let get = #"{"id":1,"method":"get","params":{"path":"a"}},{"method":"get","params":{"path":"a"}}"#
        let batch = "[" + [String](repeating: get, count: 50).joined(separator: ",") + "]"
        let answers = client.ask(batch)
        #expect(answers.count == 1)
        #expect(answers[0].utf8.count < 2000 + 600 + 50 * 200)
        let parsed = try? Value(json: answers[0])
        #expect(parsed?.array?.count == 50)
        #expect(parsed?[49]?["error"]?["code"] == 6)
        #expect(parsed?[49]?["error"]?["data"]?["name"] == "limitExceeded")
        #expect(client.ask(#"{"id":1,"method":"ping"}"#) == [Self.ok("1")])
    }

    @Test func `the hub answers ten thousand requests of one piece in order`() {
        let client = FakeClient(Hub.with([]))
        var input: [UInt8] = []
        for id in 0..<10_000 { input += Array("{\"id\":\(id),\"method\":\"ping\"}\n".utf8) }
        client.send(bytes: input)
        #expect(client.take() == (0..<10_000).map { Self.ok("\($0)") })
    }
}
