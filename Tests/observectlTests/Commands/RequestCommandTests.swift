// SPDX-License-Identifier: MIT
// The request of each command, its output, and its ending.

import ObserveCore
import Testing

@testable import observectl

struct RequestCommandTests {
    @Test(
        arguments: [
            (["get", "a.b"], "get", #"{"path":"a.b"}"#),
            (["get", "--", "-5"], "get", #"{"path":"-5"}"#),
            (["set", "a", "5"], "set", #"{"path":"a","value":5}"#),
            (["set", "a", "-5"], "set", #"{"path":"a","value":-5}"#),
            (["set", "a", "--x"], "set", #"{"path":"a","value":"--x"}"#),
            (["set", "a", "--", "--help"], "set", #"{"path":"a","value":"--help"}"#),
            (["set", "a", "--"], "set", #"{"path":"a","value":"--"}"#),
            (["set", "a", "1.50"], "set", #"{"path":"a","value":1.50}"#),
            (["set", "a", "99999999999999999999"], "set", #"{"path":"a","value":99999999999999999999}"#),
            (["set", "a", "on"], "set", #"{"path":"a","value":"on"}"#),
            (["set", "--string", "a", "5"], "set", #"{"path":"a","value":"5"}"#),
            (["set", "--string", "a", "{"], "set", #"{"path":"a","value":"{"}"#),
            (["set", "--parents", "a", "5"], "set", #"{"path":"a","value":5,"parents":true}"#),
            (["set", "--if-revision", "7", "a", "5"], "set", #"{"path":"a","value":5,"ifRevision":7}"#),
            (["set", "--if-value", "null", "a", "5"], "set", #"{"path":"a","value":5,"ifValue":null}"#),
            (["set", "--if-value", "off", "a", "5"], "set", #"{"path":"a","value":5,"ifValue":"off"}"#),
            (["remove", "a"], "remove", #"{"path":"a"}"#),
            (["remove", "a", "--if-revision=3"], "remove", #"{"path":"a","ifRevision":3}"#),
            (["link", "a", "b"], "link", #"{"path":"a","target":"b"}"#),
            (
                ["link", "a", "b", "--if-value", "null"], "link",
                #"{"path":"a","target":"b","ifValue":null}"#
            ),
            (["link", "a", "b", "--weak"], "link", #"{"path":"a","target":"b","weak":true}"#),
            (["link", "--weak", "a", "b"], "link", #"{"path":"a","target":"b","weak":true}"#),
            (["describe"], "describe", #"{"path":""}"#),
            (["describe", "a"], "describe", #"{"path":"a"}"#),
            (["explain", "a"], "explain", #"{"path":"a"}"#),
            (["rm", "a"], "remove", #"{"path":"a"}"#),
            (["call", "describe", #"{"path": "a", "b": [1.50]}"#], "describe", #"{"path":"a","b":[1.50]}"#),
            (["call", "status"], "status", nil),
            (["clients"], "clients", nil),
            (["get", "a", "--at", "41"], "get", #"{"path":"a","at":41}"#),
            (["revert", "41"], "revert", #"{"revision":41}"#),
            (["revert", "--force", "41"], "revert", #"{"revision":41,"force":true}"#),
            (["revert", "--dry-run", "41"], "revert", #"{"revision":41,"dryRun":true}"#),
            (["set", "--dry-run", "a", "1"], "set", #"{"path":"a","value":1,"dryRun":true}"#),
            (["remove", "--dry-run", "a"], "remove", #"{"path":"a","dryRun":true}"#),
            (["increment", "--dry-run", "a"], "increment", #"{"path":"a","dryRun":true}"#),
            (["status"], "status", nil),
            (["ping"], "ping", nil),
            (["ping", "--timeout", "20"], "ping", nil),
        ] as [([String], String, String?)]
    )
    func `a command sends one request`(words: [String], method: String, params: String?) throws {
        let daemon = try FakeDaemon(result: #"{"value":1,"clients":[]}"#)
        let run = try ToolRun(["--socket", daemon.path] + words)
        let tail = params.map { #","params":\#($0)}"# } ?? "}"
        #expect(daemon.requests == [#"{"jsonrpc":"2.0","id":1,"method":"\#(method)"\#(tail)"#])
        #expect(run.ending == .status(.done))
        #expect(run.error.isEmpty)
    }

    @Test func `a time is so many milliseconds before now`() throws {
        for (text, range) in [("-5m", -300_000 ... -300_000), ("2m", -120_000 ... -120_000)] {
            let daemon = try FakeDaemon(result: #"{"value":1,"revision":3}"#)
            let run = try ToolRun(["--socket", daemon.path, "get", "a", "--at", text])
            #expect(run.ending == .status(.done))
            let request = try Value(json: #require(daemon.requests.first))
            #expect(range.contains(Int(request["params"]?["at"]?.int ?? 0)), "\(request.json)")
        }
        for text in ["", "soon", "--", "1.5.2"] {
            let run = try ToolRun(["get", "a", "--at", text])
            #expect(run.ending == .status(.usage))
        }
        #expect(try ToolRun(["revert", "x"]).ending == .status(.usage))
        #expect(try ToolRun(["diff", "a"]).ending == .status(.usage))
    }

    @Test func `a dry run prints its changes, one a line`() throws {
        let changes =
            #"{"path":"a","old":1,"new":2},{"path":"b","old":null,"new":{"c":1},"computed":true}"#
        let daemon = try FakeDaemon(
            result:
                #"{"revision":3,"changed":true,"changes":[\#(changes)],"furtherChanges":4,"failing":[{"binding":7,"path":"d","message":"no"}],"hidden":2}"#
        )
        let run = try ToolRun(["--socket", daemon.path, "set", "--dry-run", "a", "2"])
        #expect(
            run.output == #"{"path":"a","old":1,"new":2}"# + "\n"
                + #"{"path":"b","old":null,"new":{"c":1},"computed":true}"# + "\n"
        )
        #expect(
            run.error.contains("and 4 further changes")
                && run.error.contains("and 2 changes that you may not read")
        )
        #expect(run.error.contains("binding 7 would fail: no") && run.ending == .status(.done))
    }

    @Test func `why prints the steps, one a line`() throws {
        let steps = [#"{"path":"a","computed":true}"#, #"{"path":"b","origin":{"pid":5,"uid":6}}"#]
        let daemon = try FakeDaemon(
            result: #"{"path":"a","because":{"revision":3,"steps":[\#(steps.joined(separator: ","))]}}"#
        )
        let run = try ToolRun(["--socket", daemon.path, "why", "a"])
        #expect(run.output == steps.map { $0 + "\n" }.joined() && run.ending == .status(.done))
        let silent = try FakeDaemon(result: #"{"path":"a","because":null}"#)
        let none = try ToolRun(["--socket", silent.path, "why", "a"])
        #expect(none.ending == .status(.refused) && none.error.contains("the history has no change of a"))
    }

    @Test(arguments: [
        (#"{"a":1,"b":{"c":1,"d":2},"e":[1]}"#, #"{"a":1,"b":{"c":2},"e":[1,2],"f":0}"#),
        ("{}", "{}"), ("1", "1"), ("1", #"{"a":1}"#), (#"{"a":{"b":1}}"#, "null"),
        (#"{"a":1}"#, #"{"a":{"b":2}}"#),
    ])
    func `a patch makes the present value of the past one`(past: String, present: String) throws {
        let (old, new) = (try Value(json: past), try Value(json: present))
        #expect(old.merging(old.mergePatch(to: new)) == new)
        if past == present, old.object != nil { #expect(old.mergePatch(to: new).json == "{}") }
    }

    @Test(arguments: [
        (["get", "a"], #"{"value":{"b":1.50,"a":null},"revision":3}"#, #"{"b":1.50,"a":null}"# + "\n"),
        (["get", "a"], #"{"value":"x\ny","revision":3}"#, #""x\ny""# + "\n"),
        (["get", "a"], #"{"value":null,"revision":3,"nilAt":"a"}"#, "null\n"),
        (["get", "--raw", "a"], #"{"value":"x\ny","revision":3}"#, "x\ny\n"),
        (["get", "a", "--raw"], #"{"value":"","revision":3}"#, "\n"),
        (["get", "--raw", "a"], #"{"value":null,"revision":3}"#, "null\n"),
        (
            ["get", "a", "--raw", "b"],
            #"{"values":[{"value":"x y"},{"value":null,"nilAt":"b"}],"revision":3}"#,
            "a\tx y\nb\tnull\n"
        ),
        (["get", "--revision", "a"], #"{"value":"x","revision":3}"#, "\"x\"\t3\n"),
        (
            ["get", "--revision", "a", "b", "--raw"],
            #"{"values":[{"value":"x"},{"value":[1, 2]}],"revision":3}"#,
            "a\tx\t3\nb\t[1, 2]\t3\n"
        ),
        (["get", "--exists", "a"], #"{"value":false,"revision":3}"#, "false\n"),
        (["call", "ping"], "{}", "{}\n"),
        (["clients"], #"{"clients":[{"pid":1},{"pid":2}]}"#, "{\"pid\":1}\n{\"pid\":2}\n"),
        (
            ["ls"], #"{"kind":"model","properties":[{"name":"a"},{"name":"b"}]}"#,
            "{\"name\":\"a\"}\n{\"name\":\"b\"}\n"
        ),
        (["get", "--raw", "a"], #"{"value":["x"],"revision":3}"#, #"["x"]"# + "\n"),
        (["describe", "a"], #"{"kind":"model","count":2}"#, #"{"kind":"model","count":2}"# + "\n"),
        (["explain", "a"], #"{"path":"a","value":2}"#, #"{"path":"a","value":2}"# + "\n"),
        (["status"], #"{"version":"0.1.0"}"#, #"{"version":"0.1.0"}"# + "\n"),
        (["ping"], "{}", ""),
        (["ping", "--pretty"], "{}", ""),
        (
            ["get", "a", "--pretty"], #"{"value":{"b":[1,{}],"c":"x"}}"#,
            "{\n  \"b\": [\n    1,\n    {}\n  ],\n  \"c\": \"x\"\n}\n"
        ),
        (
            ["get", "a", "--color", "always"], #"{"value":[true,1]}"#,
            "[\u{1B}[33mtrue\u{1B}[0m,\u{1B}[36m1\u{1B}[0m]\n"
        ),
        (["get", "a", "--compact"], #"{"value":{"b":1}}"#, "{\"b\":1}\n"),
        (["set", "a", "5"], #"{"revision":4,"changed":true}"#, ""),
        (["remove", "a"], #"{"revision":4,"changed":false}"#, ""),
        (["link", "a", "b"], #"{"revision":4,"changed":true}"#, ""),
    ])
    func `a command prints the daemon's answer verbatim`(
        words: [String],
        result: String,
        output: String
    ) throws {
        let daemon = try FakeDaemon(result: result)
        let run = try ToolRun(["--socket", daemon.path] + words)
        #expect(run.output == output)
        #expect(run.ending == .status(.done))
        #expect(run.error.isEmpty)
    }

    @Test(
        arguments: [
            ("5\n", [], "5"),
            ("on\n", [], #""on""#),
            ("on", [], #""on""#),
            ("on\n\n", [], #""on\n""#),
            ("", [], #""""#),
            ("{\n  \"a\": 1\n}\n", [], #"{   "a": 1 }"#),
            ("5\n", ["--string"], #""5""#),
            ("one\ntwo\n", ["--string"], #""one\ntwo""#),
        ] as [(String, [String], String)]
    )
    func `a dash reads the value from standard input`(
        input: String,
        options: [String],
        json: String
    ) throws {
        let daemon = try FakeDaemon(result: "{}")
        let run = try ToolRun(
            ["--socket", daemon.path, "set"] + options + ["a", "-"],
            input: Array(input.utf8)
        )
        #expect(run.ending == .status(.done))
        #expect(
            daemon.requests
                == [#"{"jsonrpc":"2.0","id":1,"method":"set","params":{"path":"a","value":\#(json)}}"#]
        )
    }

    @Test func `broken JSON on standard input is refused without a request`() throws {
        let run = try ToolRun(["--socket", "/nowhere", "set", "a", "-"], input: Array("{\n".utf8))
        #expect(run.ending == .status(.usage))
    }

    @Test func `standard input that can't be read is reported`() throws {
        let run = try ToolRun(["--socket", "/nowhere", "set", "a", "-"], input: nil)
        #expect(run.ending == .status(.inputOutput))
        #expect(run.error == "observectl: read failed for standard input: Bad file descriptor\n")
    }

    @Test func `a refusal is status 1 and its message in one line`() throws {
        let error = #"{"code":4,"message":"a has\nchanged \u001b[31m","data":{"name":"conflict"}}"#
        let daemon = try FakeDaemon { _ in .init(lines: [#"{"jsonrpc":"2.0","id":1,"error":\#(error)}"#]) }
        let run = try ToolRun(daemon, "set", "a", "5")
        #expect(run.ending == .status(.refused))
        #expect(run.output.isEmpty)
        #expect(run.error == #"observectl: a has\nchanged \u{1b}[31m"# + "\n")
    }

    @Test func `a missing daemon is status 69`() throws {
        let folder = try TemporaryFolder.make(prefix: "observed-test-")
        let path = "\(folder.path)/none.sock"
        let followers = [
            ["subscribe", "a"], ["wait", "a"], ["exec", "a", "--", "true"], ["tree", "--follow"], ["top"],
            ["top", "--json"], ["log", "--follow"], ["publish", "a"], ["hold", "a", "1"],
        ]
        let others = [
            ["ping"], ["get", "a"], ["subscribe", "a", "--no-reconnect"], ["set", "a", "5"],
            ["top", "--once"],
            ["log"], ["tree"],
        ]
        for words in others + followers.map({ [$0[0], "--no-wait"] + $0.dropFirst() }) {
            let run = try ToolRun(["--socket", path] + words)
            #expect(run.ending == .status(.unavailable))
            #expect(run.output.isEmpty)
            #expect(
                run.error
                    == "observectl: no socket at \(path); is the daemon running? 'observectl doctor' names the fault\n"
            )
        }
        #expect(try ToolRun(["--socket", "", "ping"]).ending == .status(.unavailable))
    }

    @Test(arguments: [
        ["subscribe", "a"], ["wait", "a"], ["exec", "a", "--", "true"], ["tree", "--follow"], ["top"],
        ["top", "--json"], ["log", "--follow"], ["publish", "a"], ["hold", "a", "1"],
    ])
    func `commands that follow a daemon wait for one, and say so once`(words: [String]) throws {
        let folder = try TemporaryFolder.make(prefix: "observed-test-")
        let path = "\(folder.path)/none.sock"
        let run = try ToolRun(["--socket", path, "--timeout", "200ms"] + words)
        #expect(run.ending == .status(.timedOut))
        #expect(run.output.isEmpty)
        let lines = run.error.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.first == "observectl: no daemon listens on \(path); waiting for it")
        #expect(lines.last?.hasPrefix("observectl: timed out") == true)
    }

    @Test func `the environment names the socket, and the option wins`() throws {
        let daemon = try FakeDaemon(result: "{}")
        let run = try ToolRun(["ping"], environment: ["OBSERVED_SOCKET": daemon.path])
        #expect(run.ending == .status(.done))
        let other = try ToolRun(["--socket=/nowhere", "ping"], environment: ["OBSERVED_SOCKET": daemon.path])
        #expect(other.ending == .status(.unavailable))
    }

    @Test func `a daemon that ends without an answer is status 69`() throws {
        let daemon = try FakeDaemon { _ in .init(lines: [], isLast: true) }
        let run = try ToolRun(daemon, "get", "a")
        #expect(run.ending == .status(.unavailable))
        #expect(run.error == "observectl: the daemon has gone\n")
    }

    @Test func `a server of another protocol is status 69`() throws {
        let daemon = try FakeDaemon { _ in .init(lines: ["HTTP/1.1 400 Bad Request"], isLast: true) }
        let run = try ToolRun(daemon, "get", "a")
        #expect(run.ending == .status(.unavailable))
        #expect(run.error.hasPrefix("observectl: what listens on the socket does not speak"))
    }

    @Test func `an answer without a promised member is malformed`() throws {
        let daemon = try FakeDaemon(result: "{}")
        #expect(try ToolRun(daemon, "get", "a").ending == .status(.unavailable))
    }

    @Test func `a daemon that does not answer in time is status 124`() throws {
        let daemon = try FakeDaemon { _ in .init(lines: []) }
        let run = try ToolRun(daemon, "ping", "--timeout", "0.02")
        #expect(run.ending == .status(.timedOut))
        #expect(run.error == "observectl: timed out\n")
    }

    @Test func `a user without access gets a message`() throws {
        let daemon = try FakeDaemon { _ in
            FakeDaemon.Reply(
                lines: [#"{"jsonrpc":"2.0","method":"goodbye","params":{"reason":"accessDenied"}}"#],
                isLast: true
            )
        }
        let run = try ToolRun(daemon, "get", "app.volume")
        #expect(run.ending == .status(.refused))
        #expect(
            run.error
                == "observectl: this user may not connect: the daemon's configuration names no rule for it\n"
        )
        #expect(run.output.isEmpty)
    }
}
