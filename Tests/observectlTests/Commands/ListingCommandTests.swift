// SPDX-License-Identifier: MIT
// `ls`, `toggle` and `get --exists`: the requests that depend on answers, and the refusals that they make themselves.

import ObserveCore
import Testing

@testable import observectl

struct ListingCommandTests {
    @Test func `tree says that a client may read parts of the roots alone`() throws {
        let daemon = try FakeDaemon(connections: 3) { request in
            let isList = request.contains("describe")
            let answer =
                isList
                ? #""result":{"kind":"model","properties":[{"name":"pub","kind":"model"}]}"#
                : #""error":{"code":5,"message":"pub may not be read by this client"}"#
            return .init(lines: [#"{"jsonrpc":"2.0","id":1,\#(answer)}"#])
        }
        let run = try ToolRun(daemon, "tree")
        #expect(
            run.error
                == "observectl: you may read parts of pub alone; 'observectl tree PATH' shows one of them\n"
        )
        #expect(run.ending == .status(.refused))
    }

    private func daemon(_ answers: [String: String]) throws -> FakeDaemon {
        try FakeDaemon(connections: 4) { request in
            let answer = answers.first { request.contains("\"method\":\"\($0.key)\"") }?.value ?? "{}"
            return FakeDaemon.Reply(lines: [#"{"jsonrpc":"2.0","id":1,\#(answer)}"#], isLast: true)
        }
    }

    @Test func `ls of an array lists its elements`() throws {
        let daemon = try daemon([
            "describe": #""result":{"kind":"array","count":4}"#,
            "get": #""result":{"value":[{},"x",1,1.5],"revision":1}"#,
        ])
        let run = try ToolRun(daemon, "ls", "a")
        #expect(
            run.output == """
                {"name":"0","kind":"model"}
                {"name":"1","kind":"string"}
                {"name":"2","kind":"int"}
                {"name":"3","kind":"double"}

                """
        )
        #expect(run.ending == .status(.done))
    }

    @Test(arguments: [
        ("null", "a is null, so it has no properties"),
        ("int", "a is int, which has no properties; 'get' prints it"),
    ])
    func `ls refuses a value without properties`(kind: String, sentence: String) throws {
        let run = try ToolRun(daemon(["describe": #""result":{"kind":"\#(kind)"}"#]), "ls", "a")
        #expect(run.ending == .status(.refused))
        #expect(run.error == "observectl: \(sentence)\n")
    }

    @Test(arguments: [("null", "true"), ("false", "true"), ("true", "false")])
    func `toggle writes the other boolean if the value is still the same`(old: String, new: String) throws {
        let daemon = try FakeDaemon(connections: 2) { request in
            let result =
                request.contains("get")
                ? #"{"value":\#(old),"revision":3}"# : #"{"revision":4,"changed":true}"#
            return FakeDaemon.Reply(lines: [#"{"jsonrpc":"2.0","id":1,"result":\#(result)}"#], isLast: true)
        }
        let run = try ToolRun(daemon, "toggle", "a")
        #expect(run.output == "\(new)\n")
        #expect(
            daemon.requests == [
                #"{"jsonrpc":"2.0","id":1,"method":"get","params":{"path":"a"}}"#,
                #"{"jsonrpc":"2.0","id":1,"method":"set","params":{"path":"a","value":\#(new),"ifValue":\#(old)}}"#,
            ]
        )
    }

    @Test func `toggle refuses a value that is not a boolean`() throws {
        let run = try ToolRun(daemon(["get": #""result":{"value":"on"}"#]), "toggle", "a")
        #expect(run.ending == .status(.refused))
        #expect(run.error == "observectl: a is \"on\": only true and false can be toggled\n")
    }

    @Test func `get --exists is silent if a value is null`() throws {
        let one = try ToolRun(
            daemon(["get": #""result":{"value":null,"revision":1}"#]),
            "get",
            "--exists",
            "a"
        )
        #expect(one.ending == .status(.refused) && one.output.isEmpty && one.error.isEmpty)
        let answer = #""result":{"values":[{"value":1},{"value":null}],"revision":1}"#
        let two = try ToolRun(daemon(["get": answer]), "get", "--exists", "a", "b")
        #expect(two.ending == .status(.refused) && two.output.isEmpty && two.error.isEmpty)
    }
}
