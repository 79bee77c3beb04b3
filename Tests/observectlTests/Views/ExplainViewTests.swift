// SPDX-License-Identifier: MIT
// The frames of `explain`, exactly: holders, inputs and outputs, temporary values, absent places.

import ObserveCore
import Testing

@testable import observectl

struct ExplainViewTests {
    /// 2026-11-23T11:23:10.317Z
    private let now: Int64 = 1_795_432_990_317

    private func view(_ explained: Value, _ glyphs: Glyphs = .unicode, age: Int64 = 0) -> ExplainLines {
        ExplainLines(explained: explained, glyphs: glyphs, now: now, age: age) { $0 == 42 ? "player" : nil }
    }

    private func component(_ path: String, _ kind: String, _ type: String, _ more: Value = [:]) -> Value {
        var members = ValueMembers([
            ("path", .string(path)), ("kind", .string(kind)), ("type", .string(type)), ("weak", false),
            ("holders", .array([["path": .string(path), "weak": false]])), ("furtherHolders", 0),
        ])
        for (name, value) in more.object ?? ValueMembers() { members[name] = value }
        return .object(members)
    }

    /// A value of everything: shared models, inputs, outputs, temporary values, text of all kinds.
    private var full: Value {
        [
            "path": "library.films.0.映画 e\u{301}\u{202E}", "revision": 9,
            "value": "Alien\u{1B}[2J 映画 \u{202E}", "type": "String?", "kind": "string", "computed": true,
            "readonly": true,
            "components": .array([
                component("library", "model", "Library"), component("library.films", "array", "[Film]"),
                component(
                    "library.films.0",
                    "model",
                    "Film",
                    [
                        "holders": .array([
                            ["path": "library.films.0", "weak": false],
                            ["path": "library.favourite", "weak": false],
                            ["path": "library.now", "weak": true],
                            ["path": "shelf.a", "weak": false], ["path": "shelf.b", "weak": false],
                        ]), "furtherHolders": 7,
                    ]
                ),
                component("library.films.0.映画 e\u{301}\u{202E}", "string", "String?", ["holders": []]),
            ]),
            "lastChange": [
                "revision": 5, "time": "2026-11-23T11:23:05.317Z",
                "origin": ["pid": 42, "uid": 1000, "binding": 3],
            ],
            "observers": ["exact": 2, "below": 0, "patterns": 1],
            "feeds": .array([
                ["binding": 1, "path": "library.headline"], ["computed": "library.films.0.label"],
            ]),
            "fedBy": .array([["computed": "library.films.0.title"], ["binding": 3, "path": "app.title"]]),
            "furtherFeeds": 12, "hidden": true,
            "lifetimes": .array([
                ["value": "Alien", "origin": ["pid": 42, "uid": 1000], "ends": 58_000],
                ["value": "Brazil", "origin": ["pid": 7, "uid": 1000], "ends": "connection"],
                ["value": .null, "origin": .null, "ends": "permanent"],
            ]),
        ]
    }

    @Test func `a graph has the models, their references, inputs and outputs, and facts below`() throws {
        try SavedFrame.expectAll("explain") { view(full, $1).lines(columns: $0.columns) }
    }

    @Test func `a value that leads nowhere says where the path ends`() {
        let nowhere: Value = [
            "path": "library.films.9.title", "value": .null, "type": "String", "kind": "null",
            "components": .array([
                component("library", "model", "Library"), component("library.films", "array", "[Film]"),
                component("library.films.9", "null", "Film"),
            ]),
            "nilAt": "library.films.9", "lastChange": .null,
            "observers": ["exact": 0, "below": 0, "patterns": 0], "feeds": [], "fedBy": [], "lifetimes": [],
        ]
        #expect(
            view(nowhere).lines(columns: 80).map(\.text) == [
                "library  Library", "└─ films  [Film]", "   └─ 9  null  Film", "",
                "null at   library.films.9", "changed   never",
            ]
        )
    }

    @Test func `a temporary value counts down, and old changes have their date`() {
        let held: Value = [
            "path": "a", "value": 1, "type": "Any", "kind": "int",
            "components": .array([component("a", "int", "Any")]),
            "lastChange": ["revision": 5, "time": "2026-11-22T11:23:05.317Z", "origin": ["lifetime": 2000]],
            "lifetimes": .array([["value": 1, "origin": .null, "ends": 58_000]]),
        ]
        #expect(
            view(held, age: 50_000).lines(columns: 80).map(\.text) == [
                "a  1  Any", "",
                "changed   2026-11-22 11:23:05.317, 1 d ago, expired after 2 s, revision 5",
                "held      1, for 8 s",
            ]
        )
        #expect(view(held, age: 90_000).lines(columns: 80).last?.text == "held      1, for 0 s")
    }

    @Test func `other answers have lines, too`() {
        for answer: Value in [
            .null, [:], ["components": 5, "lifetimes": .array([.null, 5])], ["value": ["a": 1]],
        ] {
            for columns in [0, 1, 5, 80] {
                #expect(view(answer).lines(columns: columns).allSatisfy { $0.count <= columns })
            }
        }
    }
}
