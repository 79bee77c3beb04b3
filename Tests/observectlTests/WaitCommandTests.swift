// SPDX-License-Identifier: MIT
// The conditions of wait, its request, its output, and its wrong command lines.

import ObserveCore
import Testing

@testable import observectl

struct WaitCommandTests {
    private static let arguments = { () -> ParsedArguments in
        // swift-format-ignore: NeverUseForceTry
        try! ParsedArguments([], of: "wait", options: [], operandsEndOptions: false)
    }()

    @Test(
        arguments: [
            ("a = 5", "5.0", true), ("a = 5", "6", false), ("a = on", #""on""#, true),
            ("a = null", "null", true),
            (#"a = {"x":1,"y":2}"#, #"{"y":2,"x":1.0}"#, true), ("a = [1]", "[1,2]", false),
            ("a != 5", "null", true), ("a != 5", "5", false),
            ("a < 5", "4.5", true), ("a < 5", "5", false), ("a <= 5", "5.0", true), ("a > -1", "0", true),
            ("a >= 9007199254740993", "9007199254740992.0", false), ("a > 5", "null", false),
            ("a > 5", #""6""#, false), ("a < b", #""aa""#, true), ("a < b", "1", false),
            ("a > true", "true", false),
            ("a ~ ^Al", #""Alien""#, true), ("a ~ ie", #""Alien""#, true), ("a ~ ^ie", #""Alien""#, false),
            ("a ~ 5", "5", false), ("a ~ .", "null", false),
            ("a exists", "0", true), ("a exists", "null", false), ("a", "false", true), ("a", "null", false),
            ("a gone", "null", true), ("a gone", #""""#, false),
        ]
    )
    func `a condition holds for a value`(text: String, value: String, holds: Bool) throws {
        let words = text.split(separator: " ").map(String.init)
        let conditions = try Condition.parse(words, WaitCommandTests.arguments)
        #expect(conditions.map(\.path) == ["a"])
        #expect(try conditions[0].holds(for: Value(json: Array(value.utf8), maxDepth: 10)) == holds)
    }

    @Test func `several conditions follow each other`() throws {
        let words = ["a", "b.c", "exists", "d", "<", "-5", "e", "gone", "f"]
        #expect(
            try Condition.parse(words, WaitCommandTests.arguments).map(\.path) == ["a", "b.c", "d", "e", "f"]
        )
    }

    @Test(
        arguments: [
            ([], "something is missing: wait takes CONDITION…"),
            (["=", "5"], "'=' has no PATH before it"),
            (["a", "="], "'a =' needs a VALUE"),
            (["a", "~", "("], "'(' is not a regular expression: expected ')'"),
            (["a", "=", "{"], "the value begins like JSON and is not: an early end of the text at byte 1"),
            (["a.*", "=", "1"], "'a.*' is a pattern, and wait takes key paths without * and **"),
            (["a..b"], "the path 'a..b': component 2 of the key path is empty"),
            (
                ["a", "--for", "soon"],
                "--for takes a duration, like 1.5 (seconds), 200ms, 2s, 25m or 1h, not 'soon'"
            ),
        ] as [([String], String)]
    )
    func `a wrong condition is reported before anything is connected`(words: [String], sentence: String)
        throws
    {
        let run = try ToolRun(["--socket", "/nowhere/socket", "wait"] + words)
        #expect(run.ending == .status(.usage))
        #expect(run.error.split(separator: "\n").first == "observectl: \(sentence)")
    }

    private static func event(_ path: String, _ new: String, _ revision: Int, more: Bool = false) -> String {
        let more = more ? #","more":true"# : ""
        return
            #"{"method":"change","params":{"subscription":1,"path":"\#(path)","reason":"valueChanged","new":\#(new),"revision":\#(revision)\#(more)}}"#
    }

    /// A daemon whose conditions on `a` and `b` hold together at revision 4 alone.
    private func daemon() throws -> FakeDaemon {
        try FakeDaemon { _ in
            .init(lines: [
                #"{"id":1,"result":{"subscription":1,"revision":1,"initial":2,"epoch":"e"}}"#,
                WaitCommandTests.event("a", "0", 1, more: true), WaitCommandTests.event("b", "0", 1),
                WaitCommandTests.event("a", "5", 2), WaitCommandTests.event("a", "1", 3, more: true),
                WaitCommandTests.event("b", "7", 3), WaitCommandTests.event("a", "5", 4),
                WaitCommandTests.event("a", "2", 5, more: true), WaitCommandTests.event("b", "0", 5),
            ])
        }
    }

    @Test func `all conditions hold at one commit`() throws {
        let daemon = try daemon()
        let run = try ToolRun(daemon, "wait", "a", ">", "2", "b", "=", "7", "a", "<", "9")
        #expect(run.ending == .status(.done))
        #expect(run.output == "5\n7\n5\n")
        #expect(
            daemon.requests == [
                #"{"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"paths":["a","b"],"whole":true,"delivery":"every"}}"#
            ]
        )
    }

    @Test func `a frame counts as a whole`() throws {
        let run = try ToolRun(try daemon(), "wait", "--timeout", "0.2", "a", "=", "1", "b", "=", "0")
        #expect(run.ending == .status(.timedOut))
        #expect(run.output.isEmpty)
        #expect(run.error == "observectl: timed out\n")
    }

    @Test func `with --any one condition is enough`() throws {
        let run = try ToolRun(try daemon(), "wait", "--any", "b", "=", "7", "a", "=", "1")
        #expect(run.ending == .status(.done))
        #expect(run.output == "7\n")
    }
}
