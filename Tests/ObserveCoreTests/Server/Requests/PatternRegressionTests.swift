// SPDX-License-Identifier: MIT
// Regressions in patterns that random requests found: each sequence once crashed the daemon, or sent wrong events.

import Testing

@testable import ObserveCore

struct PatternRegressionTests {
    @Test func `a removal of the last element under a wildcard succeeds`() {
        let client = FakeClient(.with([("a", "[1]")]))
        _ = client.ask(#"{"id":1,"method":"subscribe","params":{"path":"a.*","initial":false}}"#)
        let lines = client.ask(#"{"id":2,"method":"remove","params":{"path":"a.0"}}"#)
        #expect(lines.count == 2)
        #expect(lines.first?.contains(#""path":"a.0","reason":"pathChanged","new":null"#) == true)
    }
}
