// SPDX-License-Identifier: MIT
// bind, unbind and bindings: their requests and their output.

import Testing

@testable import observectl

struct BindingCommandTests {
    @Test(
        arguments: [
            (["bind", "a.b", "c"], "bind", #"{"source":"a.b","target":"c"}"#, "7\n"),
            (
                ["bind", "a", "--two-way", "c"], "bind", #"{"source":"a","target":"c","twoWay":true}"#, "7\n"
            ),
            (["bind", "--", "-a", "-c"], "bind", #"{"source":"-a","target":"-c"}"#, "7\n"),
            (["unbind", "7"], "unbind", #"{"binding":7}"#, ""),
        ] as [([String], String, String, String)]
    )
    func `a command sends one request`(words: [String], method: String, params: String, output: String) throws
    {
        let daemon = try FakeDaemon(result: #"{"binding":7,"revision":4}"#)
        let run = try ToolRun(["--socket", daemon.path] + words)
        #expect(
            daemon.requests == [#"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(params)}"#]
        )
        #expect(run.ending == .status(.done))
        #expect(run.error.isEmpty)
        #expect(run.output == output)
    }

    @Test func `bindings are printed one per line, in the daemon's order`() throws {
        let daemon = try FakeDaemon(result: #"{"bindings":[{"binding":1,"x":1.50},{"binding":2}]}"#)
        let run = try ToolRun(daemon, "bindings")
        #expect(run.output == "{\"binding\":1,\"x\":1.50}\n{\"binding\":2}\n")
        let none = try ToolRun(FakeDaemon(result: #"{"bindings":[]}"#), "bindings")
        #expect(none.output == "")
        #expect(none.ending == .status(.done))
    }

    @Test(arguments: [
        ["bind", "a"], ["bind"], ["unbind"], ["unbind", "x"], ["unbind", "1.5"], ["bindings", "x"],
    ])
    func `operands that can't be sent are refused`(words: [String]) throws {
        let run = try ToolRun(words)
        #expect(run.ending == .status(.usage))
        #expect(!run.error.isEmpty)
    }
}
