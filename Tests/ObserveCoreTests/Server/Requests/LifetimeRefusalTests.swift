// SPDX-License-Identifier: MIT
// Refused lifetimes.

import Testing

@testable import ObserveCore

struct LifetimeRefusalTests {
    @Test func `the hub refuses wrong lifetimes`() {
        let talk = Conversation([("a", #"{"r":[1]}"#)])
        for lifetime in [#""forever""#, "0", "-1", "1.5", "null", "true", "{}", "99999999999999999999"] {
            #expect(
                talk.refusal("set", #"{"path":"a.x","value":1,"lifetime":\#(lifetime)}"#) == "-32602",
                "\(lifetime)"
            )
        }
        #expect(
            talk.refusal("set", #"{"path":"a.r.0","value":1,"lifetime":"connection"}"#)
                == #"-32602 {"path":"a.r.0"}"#
        )
        #expect(
            talk.refusal("link", #"{"path":"a.r.0","target":"a","lifetime":5}"#)
                == #"-32602 {"path":"a.r.0"}"#
        )
        #expect(talk.refusal("merge", #"{"path":"a","value":{},"lifetime":5}"#) == "-32602")
        #expect(talk.hub.tree.recordCounts.stacks.isEmpty)
    }
}
