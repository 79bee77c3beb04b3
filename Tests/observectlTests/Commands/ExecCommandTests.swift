// SPDX-License-Identifier: MIT
// The command line of exec, and the events that wait for a run.

import ObserveCore
import Testing

@testable import observectl

struct ExecCommandTests {
    @Test(
        arguments: [
            (["a"], "something is missing: exec takes PATH… -- COMMAND…"),
            (["a", "b", "c"], "exec takes PATH… -- COMMAND: the paths, '--' and the command"),
            (["--", "a", "b"], "exec takes PATH… -- COMMAND: the paths, '--' and the command"),
            (["a", "--"], "a COMMAND is missing after '--'"),
            (
                ["a..b", "--", "true"],
                "the path 'a..b' has two dots with nothing between them, so component 2 is empty"
            ),
            (["a", "--on-fail", "retry", "--", "true"], "--on-fail takes continue or stop, not 'retry'"),
        ] as [([String], String)]
    )
    func `a wrong command line is reported before anything is connected`(words: [String], sentence: String)
        throws
    {
        let run = try ToolRun(["--socket", "/nowhere/socket", "exec"] + words)
        #expect(run.ending == .status(.usage))
        #expect(run.error.split(separator: "\n").first == "observectl: \(sentence)")
    }

    private func event(_ path: String, _ new: String, old: String?) throws -> ChangeEvent {
        let old = old.map { #","old":\#($0)"# } ?? ""
        return ChangeEvent(
            params: try RawJSON(validating: Array(#"{"path":"\#(path)","new":\#(new)\#(old)}"#.utf8)),
            subscription: 1,
            reason: .valueChanged
        )
    }

    @Test func `of each path the last event waits, with the oldest old value`() throws {
        var pending = PendingEvents()
        #expect(pending.isEmpty)
        for number in 1...1000 {
            pending.add([
                try event("a", "\(number)", old: "\(number - 1)"), try event("b", #""x""#, old: nil),
            ])
        }
        pending.add([try event("b", #""y""#, old: #""x""#)])
        #expect(!pending.isEmpty)
        #expect(
            String(decoding: pending.lines, as: UTF8.self) == """
                {"path":"a","new":1000,"old":999}
                {"path":"b","new":"y","old":"x"}

                """
        )
        #expect(
            pending.variables == ["OBSERVED_PATH": "a", "OBSERVED_VALUE": "1000", "OBSERVED_OLD": "0"]
        )
    }
}
