// SPDX-License-Identifier: MIT
// What a refusal's sentence has besides the daemon's message.

import ObserveCore
import Testing

@testable import observectl

struct RefusalAdviceTests {
    @Test(
        arguments: [
            (
                ["set", "a", "1"],
                #"{"code":4,"message":"a has changed","data":{"value":{"b":2},"revision":9}}"#,
                #"a has changed; found {"b":2} at revision 9"#
            ),
            (["set", "a", "1"], #"{"code":4,"message":"a has changed"}"#, "a has changed"),
            (
                ["get", "a b"], #"{"code":6,"message":"a b renders to more than maxRenderedBytes"}"#,
                "a b renders to more than maxRenderedBytes; 'observectl dump --json 'a b'' prints it"
            ),
            (
                ["get", "a", "b"], #"{"code":6,"message":"more than maxRenderedBytes"}"#,
                "more than maxRenderedBytes; 'observectl dump --json PATH' prints one of any size"
            ),
            (
                ["set", "a", "1"], #"{"code":-32600,"message":"the line is too long"}"#,
                "the line is too long; 'observectl load --json a FILE' sets a value of any length"
            ),
            (
                ["insert", "a", "1"], #"{"code":-32600,"message":"the line is too long"}"#,
                "the line is too long; the daemon's configuration sets the limit (maxLineBytes)"
            ),
            (
                ["load", "/dev/null"], #"{"code":6,"message":"more than maxTreeBytes"}"#,
                "/dev/null: more than maxTreeBytes; 'observectl status' shows how much is in use, "
                    + "and the daemon's configuration sets the limit"
            ),
            (["set", "a", "1"], #"{"code":2,"message":"expected Int"}"#, "expected Int"),
        ] as [([String], String, String)]
    )
    func `a refusal says what was found, or what can be done`(
        words: [String],
        error: String,
        sentence: String
    ) throws {
        let daemon = try FakeDaemon { _ in .init(lines: [#"{"jsonrpc":"2.0","id":1,"error":\#(error)}"#]) }
        let run = try ToolRun(["--socket", daemon.path] + words)
        #expect(run.error == "observectl: \(sentence)\n")
        #expect(run.ending == .status(.refused))
    }
}
