// SPDX-License-Identifier: MIT
// From where a subscription resumes.

import Testing

@testable import ObserveCore

@Suite struct SubscriptionPositionTests {
    private func json(_ text: String) throws -> RawJSON {
        try RawJSON(validating: Array(text.utf8), maxDepth: 9)
    }

    private func events(_ lines: String...) -> [ChangeEvent] {
        var session = ClientSession()
        return session.receive(Array(lines.joined(separator: "\n").utf8) + [0x0A]).compactMap {
            if case .change(let event) = $0 { event } else { nil }
        }
    }

    /// Without history, initial values follow even if the subscription wants none. If they break off, they have to come again.
    @Test func `a subscription that broke off during its initial events asks for them again`() throws {
        var position = SubscriptionPosition()
        #expect(position.since == nil)
        try position.start(json(#"{"subscription":1,"initial":0,"epoch":"e","revision":4}"#))
        #expect(position.since == ["epoch": "e", "revision": 4])
        try position.start(json(#"{"subscription":1,"initial":2,"epoch":"f","revision":9,"resumed":false}"#))
        #expect(position.since == ["epoch": "", "revision": 0] && position.text == nil)
        let initial = events(
            #"{"method":"change","params":{"subscription":1,"path":"a","reason":"initial","new":1,"revision":9,"more":true}}"#,
            #"{"method":"change","params":{"subscription":1,"path":"b","reason":"initial","new":2,"revision":9}}"#
        )
        #expect(initial.count == 2)
        #expect(position.collect(initial[0]).isEmpty)
        #expect(position.since == ["epoch": "", "revision": 0])
        #expect(position.collect(initial[1]).count == 2)
        #expect(position.since == ["epoch": "f", "revision": 9] && position.text == "f:9")
    }
}
