// SPDX-License-Identifier: MIT
// merge, insert, increment and transaction: their requests, their output, and their own refusals.

import ObserveCore
import Synchronization
import Testing

@testable import observectl

struct WritingCommandTests {
    @Test func `publish ends its subscription, with which the daemon would keep the connection`() throws {
        let daemon = try FakeDaemon { line in
            let id = (try? Value(json: line))?["id"]?.int ?? 0
            let subscribed = #"{"subscription":7,"revision":1,"epoch":"e","initial":0,"resumed":false}"#
            let written = #"{"revision":2,"changed":true}"#
            let result = line.contains(#""subscribe""#) ? subscribed : written
            return FakeDaemon.Reply(lines: [#"{"jsonrpc":"2.0","id":\#(id),"result":\#(result)}"#])
        }
        let run = try ToolRun(daemon, "publish", "a", input: "5\n")
        #expect(run.error.isEmpty)
        let last = try Value(json: try #require(daemon.requests.last))
        #expect(last["method"]?.string == "unsubscribe")
        #expect(last["params"]?["subscription"]?.int == 7)
    }

    @Test(
        arguments: [
            (
                ["merge", "a", #"{"b":null, "c":1.50}"#], "merge",
                #"{"path":"a","value":{"b":null, "c":1.50}}"#
            ),
            (
                ["increment", "--min=-1.5", "--max", "100", "a", "-5"], "increment",
                #"{"path":"a","by":-5,"min":-1.5,"max":100}"#
            ),
            (
                ["merge", "--if-revision", "7", "--if-value", "x", "a", "{}"], "merge",
                #"{"path":"a","value":{},"ifRevision":7,"ifValue":"x"}"#
            ),
            (["insert", "a", "5"], "insert", #"{"path":"a","value":5}"#),
            (["insert", "a", "5", "--index", "0"], "insert", #"{"path":"a","value":5,"index":0}"#),
            (["insert", "--index=3", "a", "on"], "insert", #"{"path":"a","value":"on","index":3}"#),
            (["insert", "a", "--", "-5"], "insert", #"{"path":"a","value":-5}"#),
            (["insert", "a", "--", "-"], "insert", #"{"path":"a","value":"-"}"#),
            (["insert", "--string", "a", "--", "-"], "insert", #"{"path":"a","value":"-"}"#),
            (["insert", "--", "a", "-"], "insert", #"{"path":"a","value":"-"}"#),
            (["set", "a", "--", "-"], "set", #"{"path":"a","value":"-"}"#),
            (["insert", "a", "5", "--string"], "insert", #"{"path":"a","value":"5"}"#),
            (["insert", "a", "--target", "b.c"], "insert", #"{"path":"a","target":"b.c"}"#),
            (
                ["insert", "--target", "b", "a", "--index", "1", "--if-revision", "2"], "insert",
                #"{"path":"a","target":"b","index":1,"ifRevision":2}"#
            ),
            (["set", "--lifetime", "250ms", "a", "1"], "set", #"{"path":"a","value":1,"lifetime":250}"#),
            (["set", "--lifetime=permanent", "a", "1"], "set", #"{"path":"a","value":1}"#),
            (
                ["link", "a", "b", "--weak", "--lifetime", "5ms"], "link",
                #"{"path":"a","target":"b","weak":true,"lifetime":5}"#
            ),
            (["increment", "a"], "increment", #"{"path":"a"}"#),
            (["increment", "a", "5"], "increment", #"{"path":"a","by":5}"#),
            (["increment", "a", "-0.50"], "increment", #"{"path":"a","by":-0.50}"#),
            (
                ["increment", "a", "99999999999999999999"], "increment",
                #"{"path":"a","by":99999999999999999999}"#
            ),
            (["increment", "--if-value", "3", "a", "-1"], "increment", #"{"path":"a","by":-1,"ifValue":3}"#),
        ] as [([String], String, String)]
    )
    func `a command sends one request`(words: [String], method: String, params: String) throws {
        let daemon = try FakeDaemon(result: #"{"revision":4,"changed":true,"value":6.50}"#)
        let run = try ToolRun(["--socket", daemon.path] + words)
        #expect(
            daemon.requests == [#"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(params)}"#]
        )
        #expect(run.ending == .status(.done))
        #expect(run.error.isEmpty)
        #expect(run.output == (method == "increment" ? "6.50\n" : ""))
    }

    @Test func `an increment of an unreadable path prints nothing`() throws {
        let run = try ToolRun(FakeDaemon(result: #"{"revision":3,"changed":true}"#), "increment", "a")
        #expect(run.ending == .status(.done))
        #expect(run.output.isEmpty && run.error.isEmpty)
        let other = try ToolRun(FakeDaemon(result: "{}"), "increment", "a")
        #expect(other.ending == .status(.unavailable))
    }

    @Test(arguments: [
        (["set", "a", "1"], #""path":"a","value":1"#), (["link", "a", "b"], #""path":"a","target":"b""#),
    ])
    func `with --lifetime connection the command keeps running`(words: [String], params: String) throws {
        let daemon = try FakeDaemon { _ in
            FakeDaemon.Reply(
                lines: [
                    #"{"jsonrpc":"2.0","id":1,"result":{"revision":1,"changed":true}}"#,
                    #"{"jsonrpc":"2.0","method":"goodbye","params":{"reason":"shutdown"}}"#,
                ],
                isLast: true
            )
        }
        let options = ["--lifetime", "connection", "--ready"]
        let run = try ToolRun(["--socket", daemon.path, words[0]] + options + words.dropFirst())
        #expect(run.ending == .status(.unavailable))
        #expect(run.error.hasPrefix("ready\n"))
        #expect(
            daemon.requests == [
                #"{"jsonrpc":"2.0","id":1,"method":"\#(words[0])","params":{\#(params),"lifetime":"connection"}}"#
            ]
        )
    }

    @Test(arguments: [
        ["set", "--lifetime", "soon", "a", "1"], ["set", "--lifetime", "-1", "a", "1"],
        ["set", "--lifetime", "1.5", "a", "1"], ["set", "--ready", "a", "1"],
        ["link", "--lifetime", "5", "--ready", "a", "b"],
        ["set", "--lifetime", "1e3", "a", "1"],
        ["merge", "--lifetime", "5", "a", "{}"],
    ])
    func `invalid lifetimes are refused`(words: [String]) throws {
        let run = try ToolRun(words)
        #expect(run.ending == .status(.usage))
    }

    @Test(arguments: ["merge", "insert"])
    func `a dash reads the value from standard input`(command: String) throws {
        let daemon = try FakeDaemon(result: "{}")
        let run = try ToolRun(daemon, command, "a", "-", input: "{\n  \"b\": 1\n}\n")
        #expect(run.ending == .status(.done))
        #expect(
            daemon.requests == [
                #"{"jsonrpc":"2.0","id":1,"method":"\#(command)","params":{"path":"a","value":{   "b": 1 }}}"#
            ]
        )
    }

    @Test func `no shell removes quotes of standard input`() throws {
        let run = try ToolRun(["set", "a", "-"], input: Array("{b: 1}".utf8))
        #expect(run.ending == .status(.usage))
        #expect(!run.error.contains("shell"))
    }

    @Test(
        arguments: [
            (["merge", "a"], "something is missing: merge takes PATH JSON", "merge"),
            (
                ["merge", "a", "{b}"],
                "the value begins like JSON and is not: a member without a name at byte 1: names need double quotes; "
                    + "put the JSON in apostrophes, or the shell removes its quotes", "merge"
            ),
            (
                ["merge", "a", "5"],
                #"merge takes an object, like '{"volume": 5}', not 5; 'observectl set' replaces the value, and 'observectl remove' removes it"#,
                "merge"
            ),
            (
                ["merge", "a", "null"],
                #"merge takes an object, like '{"volume": 5}', not null; 'observectl set' replaces the value, and 'observectl remove' removes it"#,
                "merge"
            ),
            (
                ["merge", "a", "on"],
                #"merge takes an object, like '{"volume": 5}', not "on"; 'observectl set' replaces the value, and 'observectl remove' removes it"#,
                "merge"
            ),
            (
                ["merge", "a", "[1]"],
                #"merge takes an object, like '{"volume": 5}', not [1]; 'observectl set' replaces the value, and 'observectl remove' removes it"#,
                "merge"
            ),
            (["increment", "--max", "x", "a"], "--max takes a number, like 5 or -0.5, not 'x'", "increment"),
            (["increment", "--min", "", "a"], "--min takes a number, like 5 or -0.5, not ''", "increment"),
            (["insert"], "something is missing: insert takes PATH [VALUE]", "insert"),
            (["insert", "a"], "insert takes either VALUE or --target TARGET", "insert"),
            (
                ["insert", "a", "5", "--target", "b"], "insert takes either VALUE or --target TARGET",
                "insert"
            ),
            (["insert", "a", "--string", "--target", "b"], "--string goes with VALUE alone", "insert"),
            (["insert", "a", "-x"], "unknown option '-x'", "insert"),
            (
                ["insert", "a", "5", "--index", "-1"],
                "--index takes a whole number that is not negative, not '-1'", "insert"
            ),
            (["increment", "a", "b"], "BY is a number, like 5 or -0.5, not 'b'", "increment"),
            (["increment", "a", ""], "BY is a number, like 5 or -0.5, not ''", "increment"),
            (["increment", "a", "+1"], "BY is a number, like 5 or -0.5, not '+1'", "increment"),
            (["increment", "a", "null"], "BY is a number, like 5 or -0.5, not 'null'", "increment"),
            (
                ["transaction", "a"],
                "'a' is too much: transaction takes nothing; it reads standard input: observectl transaction < FILE",
                "transaction"
            ),
        ] as [([String], String, String)]
    )
    func `a wrong command line is reported in a sentence`(words: [String], sentence: String, command: String)
        throws
    {
        let run = try ToolRun(words)
        #expect(run.ending == .status(.usage))
        #expect(run.output.isEmpty)
        #expect(
            run.error
                == "observectl: \(sentence)\nTry 'observectl \(command) --help' for more information.\n"
        )
    }

    // MARK: transaction

    @Test func `each line is an operation, and blank lines are ignored`() throws {
        let daemon = try FakeDaemon(result: #"{"revision":4,"changed":true,"results":[]}"#)
        let input =
            "\n {\"method\":\"set\",\"params\":{\"path\":\"a\",\"value\":1.50}} \r\n \t\r\n\n{\"method\":\"x\"}"
        let run = try ToolRun(daemon, "transaction", input: input)
        #expect(
            daemon.requests == [
                #"{"jsonrpc":"2.0","id":1,"method":"transaction","params":{"operations":[{"method":"set","params":{"path":"a","value":1.50}},{"method":"x"}]}}"#
            ]
        )
        #expect(run.ending == .status(.done))
        #expect(run.output.isEmpty)
        #expect(run.error.isEmpty)
    }

    @Test(arguments: [
        ("", "standard input has no operation"),
        ("\n \n", "standard input has no operation"),
        ("{}\n\n{\n", "line 3 is not JSON"),
        ("{}\n{}{}\n", "line 2 is not JSON"),
        ("\nset a 5\n", #"line 2 is not a JSON object with a method and params, like {"method": "set""#),
        ("{}\n[1]\n", "line 2 is not a JSON object with a method and params"),
        ("5", "line 1 is not a JSON object with a method and params"),
    ])
    func `a line that is not an operation is named, and no request is sent`(
        input: String,
        sentence: String
    ) throws {
        let run = try ToolRun(["--socket", "/nowhere", "transaction"], input: Array(input.utf8))
        #expect(run.ending == .status(.usage))
        #expect(run.output.isEmpty)
        #expect(run.error.hasPrefix("observectl: \(sentence)"))
    }

    @Test(arguments: [
        (#","data":{"name":"notFound","path":"a","operation":1}"#, "line 4: a is null"),
        (#","data":{"operation":0}"#, "line 2: a is null"),
        (#","data":{"operation":2}"#, "a is null"),
        ("", "a is null"),
    ])
    func `a refusal names the line`(data: String, sentence: String) throws {
        let error = #"{"code":1,"message":"a is null"\#(data)}"#
        let daemon = try FakeDaemon { _ in .init(lines: [#"{"jsonrpc":"2.0","id":1,"error":\#(error)}"#]) }
        let run = try ToolRun(daemon, "transaction", input: "\n{}\n\n{}\n")
        #expect(run.ending == .status(.refused))
        #expect(run.error == "observectl: \(sentence)\n")
    }

    @Test(arguments: [
        ["set", "a", "1"], ["merge", "a", "{}"], ["remove", "a"], ["link", "a", "b"], ["insert", "a", "1"],
        ["increment", "a"], ["set", "--lifetime", "5s", "a", "1"], ["dump"], ["load"],
    ])
    func `a request that an upgrade did not execute is sent again`(words: [String]) throws {
        let hasUpgraded = Mutex(false)
        // load asks for the limits first, over a connection of its own.
        let asks = words == ["load"]
        let daemon = try FakeDaemon(connections: asks ? 3 : 2) { line in
            if line.contains("status") { return .init(lines: [#"{"id":1,"result":{}}"#]) }
            let isSecond = hasUpgraded.withLock { value in
                defer { value = true }
                return value
            }
            return .init(
                lines: [
                    isSecond
                        ? #"{"id":1,"result":{"revision":1,"changed":true,"value":1,"text":"","more":false}}"#
                        : #"{"method":"goodbye","params":{"reason":"upgrade"}}"#
                ],
                isLast: !isSecond
            )
        }
        let run = try ToolRun(["--socket", daemon.path] + words)
        #expect(run.ending == .status(.done))
        #expect(run.error.isEmpty)
        #expect(daemon.requests.count == (asks ? 3 : 2))
    }
}
