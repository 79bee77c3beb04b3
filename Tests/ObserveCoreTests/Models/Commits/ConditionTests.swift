// SPDX-License-Identifier: MIT
// `ifRevision` for missing values, by requests and answers.

import Testing

@testable import ObserveCore

@Suite struct ConditionTests {
    private func conflict(_ path: String, _ revision: Int) -> String {
        #"4 {"name":"conflict","path":"\#(path)","value":null,"revision":\#(revision)}"#
    }

    @Test func `the removal of another property does not conflict with a missing one`() {
        let talk = Conversation([("s", #"{"a":1}"#)])
        #expect(talk.ask("remove", #"{"path":"s.a"}"#) == #"{"revision":2,"changed":true}"#)
        #expect(
            talk.refusal("set", #"{"path":"s.a","value":1,"ifRevision":1}"#) == conflict("s.a", 2)
        )
        #expect(
            talk.refusal("set", #"{"path":"s.a.x","value":1,"parents":true,"ifRevision":1}"#)
                == conflict("s.a.x", 2)
        )
        #expect(
            talk.ask("set", #"{"path":"s.never.x","value":1,"parents":true,"ifRevision":1}"#)
                == #"{"revision":3,"changed":true}"#
        )
        #expect(
            talk.ask("set", #"{"path":"s.never2","value":1,"ifRevision":1}"#)
                == #"{"revision":4,"changed":true}"#
        )
        #expect(
            talk.ask("set", #"{"path":"s.a","value":1,"ifRevision":2}"#) == #"{"revision":5,"changed":true}"#
        )
    }

    @Test func `within a transaction an earlier operation's removal counts`() {
        let talk = Conversation([("s", #"{"a":1}"#)])
        func operations(_ path: String) -> String {
            #"{"operations":[{"method":"remove","params":{"path":"s.a"}},{"method":"set","params":{"path":"\#(path)","value":1,"ifRevision":1}}]}"#
        }
        #expect(
            talk.refusal("transaction", operations("s.a"))
                == #"4 {"name":"conflict","path":"s.a","operation":1,"value":null,"revision":1}"#
        )
        #expect(talk.ask("transaction", operations("s.b")).hasPrefix(#"{"revision":2,"changed":true,"#))
    }

    @Test func `a removal that the history forgot still conflicts`() {
        let talk = Conversation([("s", #"{"a":1}"#), ("n", "0")])
        _ = talk.ask("remove", #"{"path":"s.a"}"#)
        for _ in 0..<1_200 { _ = talk.ask("increment", #"{"path":"n"}"#) }
        talk.watch("s.a")
        #expect(
            talk.refusal("set", #"{"path":"s.a","value":1,"ifRevision":2}"#) == conflict("s.a", 1_203)
        )
        #expect(
            talk.ask("set", #"{"path":"s.a","value":1,"ifRevision":3}"#)
                == #"{"revision":1204,"changed":true}"#
        )
    }
}
