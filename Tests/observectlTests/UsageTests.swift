// SPDX-License-Identifier: MIT
// Wrong command lines: status 2, one sentence, and the help to read. No request is sent.

import ObserveCore
import Testing

@testable import observectl

struct UsageTests {
    @Test(
        arguments: [
            ([], "a command is missing", ""),
            (["nonsense"], "unknown command 'nonsense'", ""),
            (["Get", "a"], "unknown command 'Get'; did you mean 'get'?", ""),
            (["subscirbe", "a"], "unknown command 'subscirbe'; did you mean 'subscribe'?", ""),
            (["--sokcet", "a", "get"], "unknown option '--sokcet'; did you mean --socket?", ""),
            (["get", "a", "--rwa"], "unknown option '--rwa'; did you mean --raw?", "get "),
            (["get", "-raw", "a"], "unknown option '-raw'; did you mean --raw?", "get "),
            (["rm"], "something is missing: remove takes PATH", "remove "),
            (
                ["call", "get", "[1]"], #"PARAMS is a JSON object, like '{"path": "app.volume"}', not '[1]'"#,
                "call "
            ),
            (["call", "get", "{"], "PARAMS is not JSON: an early end of the text at byte 1", "call "),
            (["get", "a", "--pretty", "--compact"], "--pretty and --compact exclude each other", "get "),
            (["get", "a", "--color", "red"], "--color takes auto, always or never, not 'red'", "get "),
            (["--nonsense"], "unknown option '--nonsense'", ""),
            (["--socket"], "--socket needs a value: --socket PATH", ""),
            (["--socket", "a", "--socket", "b", "ping"], "--socket is given twice", ""),
            (["--socket", "a", "ping", "--socket", "b"], "--socket is given twice", "ping "),
            (["help", "nonsense"], "unknown command 'nonsense'", ""),
            (["subscribe"], "something is missing: subscribe takes PATH…", "subscribe "),
            (["subscribe", "--raw"], "something is missing: subscribe takes PATH…", "subscribe "),
            (["subscribe", "a", "--nonsense"], "unknown option '--nonsense'", "subscribe "),
            (
                ["subscribe", "a", "--count", "abc"],
                "--count takes a whole number that is not negative, not 'abc'",
                "subscribe "
            ),
            (
                ["subscribe", "a", "--count=-1"],
                "--count takes a whole number that is not negative, not '-1'",
                "subscribe "
            ),
            (
                ["subscribe", "a", "--timeout", "0"],
                "--timeout takes a duration above 0, like 1.5 (seconds), 200ms, 2s, 25m or 1h, not '0'",
                "subscribe "
            ),
            (
                ["--timeout", "soon", "ping"],
                "--timeout takes a duration above 0, like 1.5 (seconds), 200ms, 2s, 25m or 1h, not 'soon'",
                "ping "
            ),
            (["subscribe", "a", "--raw", "--raw"], "--raw is given twice", "subscribe "),
            (["get"], "something is missing: get takes PATH…", "get "),
            (["remove", "a", "b"], "'b' is too much: remove takes PATH", "remove "),
            (["get", "a", "--old"], "unknown option '--old'", "get "),
            (["set"], "something is missing: set takes PATH VALUE", "set "),
            (["set", "a"], "something is missing: set takes PATH VALUE", "set "),
            (
                ["set", "a", "5", "--string"],
                "'--string' is too much: set takes PATH VALUE; options come before PATH VALUE",
                "set "
            ),
            (
                ["set", "--if-revision", "-1", "a", "5"],
                "--if-revision takes a whole number that is not negative, not '-1'",
                "set "
            ),
            (
                ["set", "a", "{a:1}"],
                "the value begins like JSON and is not: a member without a name at byte 1 "
                    + "(--string accepts any text)",
                "set "
            ),
            (["remove"], "something is missing: remove takes PATH", "remove "),
            (["link", "a"], "something is missing: link takes PATH TARGET", "link "),
            (["describe", "a", "b"], "'b' is too much: describe takes [PATH]", "describe "),
            (["status", "a"], "'a' is too much: status takes nothing", "status "),
            (["ping", "a"], "'a' is too much: ping takes nothing", "ping "),
            (["demo", "a"], "'a' is too much: demo takes nothing", "demo "),
            (["--socket", "a", "demo"], "unknown option '--socket'", "demo "),
        ] as [([String], String, String)]
    )
    func `a wrong command line is reported in a sentence`(
        words: [String],
        sentence: String,
        command: String
    ) throws {
        let run = try ToolRun(words)
        #expect(run.ending == .status(.usage))
        #expect(run.output.isEmpty)
        #expect(
            run.error
                == """
                observectl: \(sentence)
                Try 'observectl \(command)--help' for more information.

                """
        )
    }

    @Test func `arguments that are not text are refused`() throws {
        #expect(try ToolRun(nil).ending == .status(.usage))
    }
}
