// SPDX-License-Identifier: MIT
// Names in expressions that may be meant as texts. Nothing is connected.

import Testing

@testable import observectl

struct PathArgumentTests {
    @Test(
        arguments: [
            ("{a.b ?? none}", "none"), ("{a.b == on ? 1 : 2}", "on"), ("{a.b > 5 ? many : 'few'}", "many"),
            ("{a.b > 5 ? 'many' : few}", "few"), ("{a.b} {upper(a.c ?? none)}", "none"),
        ]
    )
    func `a name in the place of a text is refused`(template: String, word: String) throws {
        let run = try ToolRun(["--socket", "/nowhere/socket", "subscribe", "--format", template])
        #expect(run.ending == .status(.usage))
        #expect(
            run.error.split(separator: "\n").first
                == "observectl: '\(word)' may be a text or a path: a text has quotes, as in '\(word)'; the path is written \\\(word)"
        )
    }

    @Test(
        arguments: [
            [#"{a ?? \b}"#], ["{a ?? b}", "a", "b"], ["{5 == a}"], ["{a ?? b}", "--under", "p"],
            ["{a + 1 > b.c ? b.d : 'e'}"], ["x", "--all", "a"],
        ]
    )
    func `a name that is meant as a path is one`(words: [String]) throws {
        let run = try ToolRun(["--socket", "/nowhere/socket", "subscribe", "--no-wait", "--format"] + words)
        #expect(run.ending == .status(.unavailable))
    }
}
