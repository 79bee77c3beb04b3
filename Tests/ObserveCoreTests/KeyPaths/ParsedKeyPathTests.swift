// SPDX-License-Identifier: MIT
// Key paths, their components, and errors.

import Testing

@testable import ObserveCore

/// The components, with marks for wildcards and operators: `a`, `<*>`, `<**>`, `<@sum>`.
private func components(_ path: ParsedKeyPath) -> [String] {
    (0..<path.count).map { index in
        let name = path.name(index).string
        return path.kind(index) == .name ? name : "<\(name)>"
    }
}

private func parsed(_ text: String, maxDepth: Int = 64) -> Result<[String], KeyPathError> {
    Result { () throws(KeyPathError) in
        let path = ParsedKeyPath(maxDepth: maxDepth)
        try path.parse(dotted: text)
        return components(path)
    }
}

private func parsed(json: String, maxDepth: Int = 64) -> Result<[String], KeyPathError> {
    withView(json) { view in
        Result { () throws(KeyPathError) in
            let path = ParsedKeyPath(maxDepth: maxDepth)
            try path.parse(view)
            return components(path)
        }
    }
}

private let dottedTexts: [(String, [String])] = [
    ("app", ["app"]),
    (
        "app.playbackController.player.videoTitle",
        ["app", "playbackController", "player", "videoTitle"]
    ),
    ("contents.0.title", ["contents", "0", "title"]),
    ("home.living\\.room.state", ["home", "living.room", "state"]),
    ("a\\\\b", ["a\\b"]),
    ("\\a\\b", ["ab"]),
    ("*", ["<*>"]),
    ("**", ["<**>"]),
    ("a.*.b", ["a", "<*>", "b"]),
    ("*.*", ["<*>", "<*>"]),
    ("a.**", ["a", "<**>"]),
    ("a.*.**", ["a", "<*>", "<**>"]),
    ("a.\\*.b", ["a", "*", "b"]),
    ("\\**", ["**"]),
    ("*\\*", ["**"]),
    ("***", ["***"]),
    ("*a.a*", ["*a", "a*"]),
    ("c.@count", ["c", "<@count>"]),
    ("c.@sum.weight", ["c", "<@sum>", "weight"]),
    ("c.@avg", ["c", "<@avg>"]),
    ("c.@min.a.b", ["c", "<@min>", "a", "b"]),
    ("c.@max", ["c", "<@max>"]),
    ("c.@unionOfObjects.title", ["c", "<@unionOfObjects>", "title"]),
    ("c.@distinctUnionOfObjects.title", ["c", "<@distinctUnionOfObjects>", "title"]),
    ("c.\\@count", ["c", "@count"]),
    ("c.\\@other", ["c", "@other"]),
    ("c.a@b", ["c", "a@b"]),
    (" . ", [" ", " "]),
    ("größe.日本", ["größe", "日本"]),
    ("e\u{301}.\u{e9}", ["e\u{301}", "\u{e9}"]),
    ("-1.007", ["-1", "007"]),
    ("\\e", [""]),
    ("packages.\\e.version", ["packages", "", "version"]),
    ("a.\\e", ["a", ""]),
    ("\\e.\\e", ["", ""]),
    ("\\ex.x\\e.e.\\e\\e", ["ex", "xe", "e", "ee"]),
    ("c.@sum.\\e", ["c", "<@sum>", ""]),
    ("a/b.x*y.l\\[0].>.#.+", ["a/b", "x*y", "l[0]", ">", "#", "+"]),
]

private let faultyTexts: [(String, KeyPathError.Reason)] = [
    ("", .emptyPath),
    (".", .emptyComponent(number: 1)),
    (".a", .emptyComponent(number: 1)),
    ("a.", .emptyComponent(number: 2)),
    ("a..b", .emptyComponent(number: 2)),
    ("a.b.", .emptyComponent(number: 3)),
    ("a\\", .danglingEscape),
    ("\\", .danglingEscape),
    ("a.b\\", .danglingEscape),
    ("**.a", .anyDepthNotLast),
    ("a.**.*", .anyDepthNotLast),
    ("a.**.**", .anyDepthNotLast),
    ("a.@", .unknownOperator("@")),
    ("a.@other", .unknownOperator("@other")),
    ("@counts", .unknownOperator("@counts")),
    ("a.@Count", .unknownOperator("@Count")),
]

private let jsonTexts: [(String, [String])] = [
    (#""a.b""#, ["a", "b"]),
    (#""a\u002eb""#, ["a", "b"]),
    (#""a\\.b""#, ["a.b"]),
    (#""\u00e9""#, ["\u{e9}"]),
    (#"["home","living.room","state"]"#, ["home", "living.room", "state"]),
    (#"["a",0,12]"#, ["a", "0", "12"]),
    (#"["*","**","@count","\\"]"#, ["*", "**", "@count", "\\"]),
    (#"["\u0061\n"]"#, ["a\n"]),
    (#"[-1]"#, ["-1"]),
    (#"["packages","","version"]"#, ["packages", "", "version"]),
    (#"[""]"#, [""]),
    (#"["\\e"]"#, ["\\e"]),
    (#""a.\\e""#, ["a", ""]),
]

private let faultyJSON: [(String, KeyPathError.Reason)] = [
    (#""""#, .emptyPath),
    ("[]", .emptyPath),
    (#"["a",1.0]"#, .notAComponent(number: 2)),
    (#"["a",null]"#, .notAComponent(number: 2)),
    (#"[["a"]]"#, .notAComponent(number: 1)),
    (#"[true]"#, .notAComponent(number: 1)),
    ("1", .notText),
    ("null", .notText),
    ("{}", .notText),
    ("false", .notText),
]

@Suite struct ParsedKeyPathTests {
    @Test(arguments: dottedTexts)
    func `a dotted text has components`(text: String, expected: [String]) throws {
        let found = try parsed(text).get()
        #expect(found.elementsEqual(expected) { $0.utf8.elementsEqual($1.utf8) })
    }

    @Test(arguments: faultyTexts)
    func `a faulty text is refused`(text: String, reason: KeyPathError.Reason) {
        #expect(parsed(text) == .failure(KeyPathError(reason: reason)))
    }

    @Test(arguments: jsonTexts)
    func `a JSON path is a string or an array`(json: String, expected: [String]) throws {
        #expect(try parsed(json: json).get() == expected)
    }

    @Test(arguments: faultyJSON)
    func `a faulty JSON path is refused`(json: String, reason: KeyPathError.Reason) {
        #expect(parsed(json: json) == .failure(KeyPathError(reason: reason)))
    }

    @Test(arguments: [
        ("a.b", true, false), ("a.\\*", true, false), ("a.*", false, true), ("**", false, true),
        ("a.@count", false, false), ("*.@count", false, true),
    ])
    func `a path is literal without wildcards and operators`(text: String, literal: Bool, wild: Bool) throws {
        let path = ParsedKeyPath(maxDepth: 64)
        try path.parse(dotted: text)
        #expect(path.isLiteral == literal)
        #expect(path.hasWildcard == wild)
    }

    @Test func `the array form is always literal`() throws {
        let path = ParsedKeyPath(maxDepth: 64)
        try withView(#"["*","@count","**","a"]"#) { try path.parse($0) }
        #expect(path.isLiteral)
        #expect(!path.hasWildcard)
    }

    @Test func `a path has at most maxDepth components`() throws {
        #expect(try parsed("a.b.c", maxDepth: 3).get().count == 3)
        #expect(parsed("a.b.c.d", maxDepth: 3) == .failure(KeyPathError(reason: .tooDeep(limit: 3))))
        #expect(
            parsed(json: #"["a","b","c",0]"#, maxDepth: 3)
                == .failure(KeyPathError(reason: .tooDeep(limit: 3)))
        )
    }

    @Test func `a parser is reusable after an error`() throws {
        let path = ParsedKeyPath(maxDepth: 3)
        #expect(throws: KeyPathError.self) { try path.parse(dotted: "*.**.a") }
        try path.parse(dotted: "b.c")
        #expect(components(path) == ["b", "c"])
        #expect(path.isLiteral)
    }

    @Test(arguments: [
        "a.b", "a.*.**", "c.@sum.w", "c.\\@sum", "\\*.\\*\\*", "a\\.b.c\\\\", "\\*a.b@", "日.0", "\\e",
        "a.\\e.e.b\\\\e",
        "packages.node_modules\\/x.version", "l\\[0].\\>.\\#.\\+", "a>b.#1.+49.]",
    ])
    func `the escaped form parses to the same path`(text: String) throws {
        let path = ParsedKeyPath(maxDepth: 64)
        try path.parse(dotted: text)
        #expect(path.escaped == text)
        #expect(try parsed(path.escaped(first: 1)).get() == Array(components(path).prefix(1)))
    }

    @Test func `escaped names parse to the same names`() throws {
        var random = SeededGenerator(seed: 7)
        let letters = ["a", ".", "\\", "*", "@", "0", "é", " ", "e", "/", "[", ">", "#", ""]
        for _ in 0..<5000 {
            var names: [String] = []
            for _ in 0...Int.random(in: 0..<4, using: &random) {
                names.append(
                    (0...Int.random(in: 0..<4, using: &random)).map { _ in
                        letters[Int.random(in: 0..<letters.count, using: &random)]
                    }.joined()
                )
            }
            let text = written { out in
                for (index, name) in names.enumerated() {
                    if index > 0 { out.append(0x2E) }
                    ByteView.with(name) { out.appendEscaped(name: $0) }
                }
            }
            #expect(try parsed(text).get() == names, "\(text)")
            #expect(dotted(names[...]) == text)
        }
    }

    @Test func `a prefix has the first components`() throws {
        let path = ParsedKeyPath(maxDepth: 64)
        try path.parse(dotted: "a\\.b.c.0.d")
        let prefix = path.prefix(3)
        #expect(components(prefix) == ["a.b", "c", "0"])
        #expect(prefix.escaped == "a\\.b.c.0")
    }

    @Test(
        arguments: [
            ("0", 0), ("1", 1), ("10", 10), ("999999999", 999_999_999), ("00", nil), ("01", nil), ("-1", nil),
            ("+1", nil), ("1a", nil), ("a", nil), ("1.0", nil), ("", nil), (" 1", nil), ("99999999999", nil),
            ("٣", nil),
        ] as [(String, Int?)]
    )
    func `an array index is decimal without leading zeros`(text: String, index: Int?) {
        #expect(ByteView.with(text) { $0.arrayIndex } == index)
    }

    @Test func `each error has its own message`() {
        let reasons = faultyTexts.map(\.1) + faultyJSON.map(\.1) + [.tooDeep(limit: 64)]
        let sentences = Set(reasons.map { KeyPathError(reason: $0).description })
        #expect(sentences.contains("component 2 of the key path is empty (an empty name is written \\e)"))
        #expect(sentences.contains("the key path has more than 64 components"))
        #expect(
            sentences.contains(
                "@other is not a collection operator (a name that begins with @ is written \\@other)"
            )
        )
        #expect(sentences.allSatisfy { !$0.isEmpty })
    }

    @Test func `every operator has a unique name`() {
        for known in CollectionOperator.allCases {
            #expect(ByteView.with("@\(known)") { CollectionOperator($0) } == known)
            #expect(ByteView.with("\(known)") { CollectionOperator($0) } == nil)
            #expect(ByteView.with("@\(known)s") { CollectionOperator($0) } == nil)
        }
    }
}
