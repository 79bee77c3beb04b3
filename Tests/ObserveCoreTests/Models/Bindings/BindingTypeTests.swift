// SPDX-License-Identifier: MIT
// Bindings whose ends have declared types: which ones are refused at once.

import Testing

@testable import ObserveCore

@Suite struct BindingTypeTests {
    @Test func `a binding that the declared types rule out is refused`() throws {
        let types = [
            TypeDeclaration(
                "T",
                "s: String",
                "d: Double?",
                "i: Int",
                "list: [String]",
                "t: T?",
                "u: U?",
                "any: Any"
            ), TypeDeclaration("U", "n: Int"),
        ]
        let talk = try TypedTree.talk(types, [("t", "T", "{}"), ("open", nil, "{}")])
        for (source, target, refused) in [
            ("t.s", "t.d", true), ("t.d", "t.s", true), ("t.list", "t.s", true), ("t.t", "t.u", true),
            ("t.s", "t.list", true),
            ("t.i", "t.d", false), ("t.d", "t.i", false), ("t.any", "t.d", false), ("t.s", "t.any", false),
            ("open.x", "t.d", false),
            ("t.s", "open.x", false), ("t.list.0", "t.s", false), ("t.list.0", "t.d", true),
            ("t.t.t.u.n", "t.s", true),
            ("t.list.@count", "t.i", false), ("t.list.@count", "t.d", false), ("t.list.@count", "t.s", true),
            ("t.list.@unionOfObjects", "t.d", true), ("t.list.@max", "t.d", false),
        ] {
            for twoWay in source.contains("@") ? [false] : [false, true] {
                let answer = talk.ask(
                    "bind",
                    #"{"source":"\#(source)","target":"\#(target)","twoWay":\#(twoWay)}"#
                )
                #expect(answer.contains("typeMismatch") == refused, "\(source) \(target): \(answer)")
                guard let number = answer.firstMatch(of: #/"binding":(\d+)/#) else { continue }
                talk.ask("unbind", #"{"binding":\#(number.1)}"#)
            }
        }
        #expect(
            talk.ask("bind", #"{"source":"t.s","target":"t.d"}"#).contains(
                "t.d: expected Double?, and t.s is String, so the binding could never write"
            )
        )
        #expect(talk.ask("bindings", "{}") == #"{"bindings":[]}"#)
        #expect(talk.hub.tree.faults() == [])
    }

    @Test func `a binding between ranges without a common number is refused`() throws {
        let types = [
            TypeDeclaration(
                "T",
                "low: Int(0...10)",
                "high: Int(20...)?",
                "both: Int(10...20)",
                "small: Double(...9.5)?",
                "lows: [Int(0...10)]"
            )
        ]
        let talk = try TypedTree.talk(types, [("t", "T", "{}")])
        for (source, target, refused) in [
            ("low", "high", true), ("high", "low", true), ("small", "both", true), ("both", "small", true),
            ("low", "both", false), ("both", "high", false), ("small", "low", false), ("low", "lows", true),
            ("high", "lows.0", true), ("lows.@max", "high", false),
        ] {
            let answer = talk.ask("bind", #"{"source":"t.\#(source)","target":"t.\#(target)"}"#)
            #expect(answer.contains("typeMismatch") == refused, "\(source) \(target): \(answer)")
            guard let number = answer.firstMatch(of: #/"binding":(\d+)/#) else { continue }
            talk.ask("unbind", #"{"binding":\#(number.1)}"#)
        }
    }
}
