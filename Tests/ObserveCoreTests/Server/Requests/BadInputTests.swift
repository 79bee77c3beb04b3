// SPDX-License-Identifier: MIT
// Bad paths, indices and numbers: the protocol's error, and no change.

import Testing

@testable import ObserveCore

struct BadInputTests {
    private static let tree =
        #"{"list":[1,"two",[3],null,{"x":1}],"max":9223372036854775807,"text":"5","m":{"x":1},"none":null}"#

    /// The params of writes to one place, without the path.
    private static let writes = [
        ("set", #","value":9"#), ("merge", #","value":9"#), ("increment", ""), ("link", #","target":"t.m""#),
        ("insert", #","value":9"#), ("remove", ""),
    ]

    /// Sends the request alone; a write also as a second operation. Expects the same refusal, and no change.
    private func refuse(_ method: String, _ params: String, _ refusal: String) throws {
        let talk = Conversation([("t", Self.tree)])
        talk.watch("t.list", "t.max", "t.text", "t.m", "t.new", "t.list.@count", "t.**")
        #expect(talk.refusal(method, params) == refusal, "\(method) \(params)")
        if Self.writes.contains(where: { $0.0 == method }) {
            let good = #"{"method":"set","params":{"path":"t.new","value":1}}"#
            let found = talk.refusal(
                "transaction",
                #"{"operations":[\#(good),{"method":"\#(method)","params":\#(params)}]}"#
            )
            let member = #""operation":1}"#
            let expected =
                refusal.hasSuffix("}") ? "\(refusal.dropLast()),\(member)" : "\(refusal) {\(member)"
            #expect(found == expected, "\(method) \(params)")
        }
        #expect(talk.value("t") == Self.tree)
        #expect(talk.events().isEmpty)
        #expect(talk.revision == 1)
        #expect(talk.hub.tree.modelCount == 3)
    }

    @Test(arguments: ["5", "999999999", "9999999999", "-1", "01", "x", "1.0"])
    func `the hub refuses writes to a missing element, except removals`(index: String) throws {
        let name = index == "1.0" ? #"1\\.0"# : index
        let path = #"["t","list","\#(index)"]"#
        for (method, params) in Self.writes where method != "remove" {
            try refuse(
                method,
                #"{"path":\#(path)\#(params)}"#,
                #"1 {"name":"notFound","path":"t.list.\#(name)"}"#
            )
        }
        let talk = Conversation([("t", Self.tree)])
        #expect(talk.ask("remove", #"{"path":\#(path)}"#) == #"{"revision":1,"changed":false}"#)
    }

    @Test(arguments: [
        ("6", #"1 {"name":"notFound","path":"t.list"}"#),
        ("9223372036854775807", #"1 {"name":"notFound","path":"t.list"}"#),
        ("-1", "-32602"), ("9223372036854775808", "-32602"), ("1.0", "-32602"), ("1e0", "-32602"),
        (#""1""#, "-32602"), ("null", "-32602"), ("true", "-32602"), ("[0]", "-32602"),
    ])
    func `insert refuses a wrong index`(index: String, refusal: String) throws {
        try refuse("insert", #"{"path":"t.list","value":9,"index":\#(index)}"#, refusal)
        try refuse("insert", #"{"path":"t.list","target":"t.m","index":\#(index)}"#, refusal)
    }

    @Test(arguments: [
        (#""path":"t.text""#, #"2 {"name":"typeMismatch","path":"t.text"}"#),
        (#""path":"t.list.1""#, #"2 {"name":"typeMismatch","path":"t.list.1"}"#),
        (#""path":"t.list.2""#, #"2 {"name":"typeMismatch","path":"t.list.2"}"#),
        (#""path":"t.m""#, #"2 {"name":"typeMismatch","path":"t.m"}"#),
        (#""path":"t.max""#, #"6 {"name":"limitExceeded","path":"t.max"}"#),
        (#""path":"t.max","by":9223372036854775807"#, #"6 {"name":"limitExceeded","path":"t.max"}"#),
        (#""path":"t.list.0","by":9223372036854775807"#, #"6 {"name":"limitExceeded","path":"t.list.0"}"#),
        (#""path":"t.max","by":9223372036854775808"#, "-32602"),
        (#""path":"t.max","by":1e400"#, "-32602"),
        (#""path":"t.max","by":"1""#, "-32602"),
    ])
    func `increment refuses other values, and sums out of range`(params: String, refusal: String)
        throws
    {
        try refuse("increment", "{\(params)}", refusal)
    }

    @Test(arguments: ["t.list.@count", "t.list.@sum", "t.list.@max.x", "t.@unionOfObjects.x", "t.none.@avg"])
    func `the hub refuses to write, link, describe or explain an operator`(path: String) throws {
        let refusal = #"3 {"name":"readOnly","path":"\#(path)"}"#
        for (method, params) in Self.writes { try refuse(method, #"{"path":"\#(path)"\#(params)}"#, refusal) }
        try refuse("link", #"{"path":"t.new","target":"\#(path)"}"#, refusal)
        try refuse("insert", #"{"path":"t.list","target":"\#(path)"}"#, refusal)
        for method in ["describe", "explain"] { try refuse(method, #"{"path":"\#(path)"}"#, refusal) }
    }

    @Test(arguments: ["*", "t.*", "**", "t.**", "t.*.x", "t.list.*", "*.list.@count"])
    func `only subscribe accepts a pattern`(path: String) throws {
        for (method, params) in Self.writes {
            try refuse(method, #"{"path":"\#(path)"\#(params)}"#, "-32602")
        }
        try refuse("link", #"{"path":"t.new","target":"\#(path)"}"#, "-32602")
        try refuse("insert", #"{"path":"t.list","target":"\#(path)"}"#, "-32602")
        try refuse("get", #"{"path":"\#(path)"}"#, "-32602")
        try refuse("describe", #"{"path":"\#(path)"}"#, "-32602")
        // In a list of components a `*` is a name.
        let talk = Conversation([("t", Self.tree)])
        #expect(talk.ask("get", #"{"path":["t","*"]}"#) == #"{"value":null,"revision":1}"#)
    }

    @Test(arguments: [
        "t.**.x", "**.x", "t.**.*", "t.**.**", "**.**", "t.**.@count", "t.@count.**", "t.@count.*",
        "t.@count.x", "t.@nope", "t.@nope.x", "@count", "t.list.@sum.m.@count", "t.@max.@min", "t..*", "*.",
    ])
    func `methods that read and write refuse malformed patterns and operators`(path: String) throws {
        for method in ["get", "subscribe", "describe"] {
            try refuse(method, #"{"path":"\#(path)"}"#, "-32602")
        }
        try refuse("subscribe", #"{"paths":["t.**","\#(path)"]}"#, "-32602")
        for (method, params) in Self.writes {
            try refuse(method, #"{"path":"\#(path)"\#(params)}"#, "-32602")
        }
    }

    @Test func `the messages name the fault`() {
        let talk = Conversation([("t", Self.tree)])
        let sentences = [
            ("t.**.x", "** stands for any depth and must be the last component"),
            ("t.list.@sum.m.@count", "no other operator (nesting them is not supported)"),
        ]
        for (path, sentence) in sentences {
            let answer = talk.ask("subscribe", #"{"path":"\#(path)"}"#)
            #expect(answer.contains(sentence), "\(answer)")
        }
        let cycle = talk.ask("insert", #"{"path":"t.list","target":"t"}"#)
        #expect(cycle.contains("an array's elements are always strong"), "\(cycle)")
        let element = talk.ask("link", #"{"path":"t.list.0","target":"t"}"#)
        #expect(element.contains("an array's elements are always strong"), "\(element)")
        let property = talk.ask("link", #"{"path":"t.new","target":"t"}"#)
        #expect(property.contains("make it weak"), "\(property)")
    }

    @Test(arguments: [
        ("{}", "-32602"), (#"{"operations":[]}"#, "-32602"), (#"{"operations":{}}"#, "-32602"),
        (#"{"operations":null}"#, "-32602"), (#"{"operations":[[]]}"#, #"-32602 {"operation":0}"#),
        (
            #"{"operations":[{"method":"transaction","params":{"operations":[{"method":"set","params":{"path":"t","value":1}}]}}]}"#,
            #"-32602 {"operation":0}"#
        ),
        (
            #"{"operations":[{"method":"set","params":{"path":"t","value":1}},{"method":"transaction","params":{"operations":[]}}]}"#,
            #"-32602 {"operation":1}"#
        ),
        (
            #"{"operations":[{"method":"set","params":{"path":"t","value":1}},{"method":"subscribe","params":{"path":"t"}}]}"#,
            #"-32602 {"operation":1}"#
        ),
    ])
    func `the hub refuses an empty or nested transaction`(params: String, refusal: String) throws {
        try refuse("transaction", params, refusal)
    }
}
