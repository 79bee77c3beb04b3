// SPDX-License-Identifier: MIT
// Values that nest too deep, and strings with line separators, in every method: one answer with the right id.

import Testing

@testable import ObserveCore

@Suite struct DeepValueTests {
    private static func nested(_ levels: Int) -> String {
        String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    }

    private static let refusal =
        #"{"jsonrpc":"2.0","id":7,"error":{"code":6,"message":"the value nests deeper than 64 levels","data":{"name":"limitExceeded"}}}"#

    @Test(arguments: [65, 66, 72, 73, 74, 128, 129, 1000, 500_000])
    func `a value that nests too deep is refused with the request's id`(levels: Int) {
        let talk = Conversation([("t", "{}")])
        let value = Self.nested(levels)
        let params = #""params":{"path":"t.a","value":\#(value)}"#
        #expect(talk.client.ask(#"{"id":7,"method":"set",\#(params)}"#) == [Self.refusal])
        #expect(talk.client.ask(#"{"method":"set",\#(params),"id":7}"#) == [Self.refusal])
        #expect(talk.client.ask(#"{"method":"set",\#(params)}"#).isEmpty)
        #expect(
            talk.client.ask(#"[{"id":1,"method":"ping"},{"method":"set",\#(params),"id":7}]"#)
                == [#"[{"jsonrpc":"2.0","id":1,"result":{}},\#(Self.refusal)]"#]
        )
        let operations = #"{"operations":[{"method":"set",\#(params)}]}"#
        #expect(talk.refusal("transaction", operations).hasPrefix(#"6 {"name":"limitExceeded""#))
        for text in [value, "[1,\(value),2]"] {
            #expect(
                talk.client.refusal(ofLoading: text, at: "t.a", by: 100_000)?.value["code"] == 6,
                "\(levels)"
            )
        }
        #expect(talk.value("t") == "{}" && talk.revision == 1)
    }

    @Test func `behind a level too many must follow JSON`() {
        let talk = Conversation()
        let start = #"{"id":7,"method":"set","params":{"path":"t","value":"#
        for end in ["]", "}", "", Self.nested(100) + "}"] {
            let answer = talk.client.ask(start + Self.nested(100) + end)
            #expect(answer.first?.hasPrefix(#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"#) == true)
        }
    }

    /// Python's `splitlines`, and others, end a line there.
    @Test func `line separators are escaped in all output`() throws {
        let run = try JournaledHub()
        let separators = "\u{85}x\u{2028}\u{2029}"
        let watcher = run.client(2)
        watcher.send(
            #"{"id":"\#(separators)","method":"subscribe","params":{"path":"**","tag":"\#(separators)","old":true}}"#
        )
        for json in [
            #""\#(separators)""#, #"["\#(separators)"]"#, #"{"\#(separators)":"a\\\#(separators)é"}"#,
        ] {
            #expect(run.ask("set", #""path":"r","value":\#(json)"#).hasPrefix(#""result""#))
            #expect(run.value("r") == Self.escaped(json))
            #expect(
                run.ask("set", #""path":"r","value":\#(Self.escaped(json)),"ifValue":\#(json)"#).hasPrefix(
                    #""result""#
                )
            )
        }
        #expect(run.ask("set", #""path":"p\#(separators)","value":1"#).hasPrefix(#""result""#))
        #expect(run.ask("set", #""path":"p\#(separators)","value":2"#).hasPrefix(#""result""#))
        #expect(run.value("p\(separators)") == "2")
        let error = run.client().ask(#"{"id":["\#(separators)"],"method":"no\#(separators)"}"#)
        let shown =
            watcher.take() + error
            + run.client().ask(#"{"id":"\#(separators)","method":"no\#(separators)"}"#)
            + run.client().ask(#"{"id":1,"method":"get","params":{"path":"p\#(separators).q"}}"#)
        #expect(shown.count == 10)
        #expect(
            shown.allSatisfy {
                !$0.unicodeScalars.contains { ["\u{85}", "\u{2028}", "\u{2029}"].contains($0) }
            }
        )
        let dump = try run.client().dump()
        #expect(!dump.unicodeScalars.contains { ["\u{85}", "\u{2028}", "\u{2029}"].contains($0) })
        let before = run.dump
        try run.kill()
        #expect(run.dump == before)
    }

    private static func escaped(_ json: String) -> String {
        json.replacing("\u{85}", with: #"\u0085"#).replacing("\u{2028}", with: #"\u2028"#)
            .replacing("\u{2029}", with: #"\u2029"#)
    }
}
