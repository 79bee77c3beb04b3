// SPDX-License-Identifier: MIT
// What random requests once found in patterns: each a sequence that ended the daemon, or told it wrong.

import Testing

@testable import ObserveCore

struct PatternRegressionTests {
    @Test func `the last element of a followed array may be removed`() {
        let client = FakeClient(.with([("a", "[1]")]))
        _ = client.ask(#"{"id":1,"method":"subscribe","params":{"path":"a.*","initial":false}}"#)
        let lines = client.ask(#"{"id":2,"method":"remove","params":{"path":"a.0"}}"#)
        #expect(lines.count == 2)
        #expect(lines.first?.contains(#""path":"a.0","reason":"pathChanged","new":null"#) == true)
    }
}
