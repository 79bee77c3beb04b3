// SPDX-License-Identifier: MIT
// Key paths with conditions and choices: their components, their canonical form, and the columns of their faults.

import Testing

@testable import ObserveCore

@Suite struct ConditionPathTests {
    private func parsed(_ text: String) throws -> ParsedKeyPath {
        let path = ParsedKeyPath(maxDepth: 64)
        try path.parse(dotted: text)
        return path
    }

    @Test(arguments: [
        "hall[celsius > 21.5].label", "a.@latest[b == 'x]y'].c", "a.@first.b", "a.*[on].b", "a.0[on]",
        #"a.\*[on].b"#, #"l\[0][on]"#, "a.@count[on]", "a.@sum[b[c.d > 1].e].f", "a[ b ]",
        #"a[b == "\"]"].c"#,
        "a[len(.) > 3].0", #"a[first\ name == 'é'].x"#, "a[b ? c : d]", "a[b?c:d].e", "a.*[x['y' == z].w].**",
    ])
    func `a condition stays as it is written`(text: String) throws {
        let path = try parsed(text)
        #expect(path.escaped == text)
        #expect(!path.isLiteral)
        try path.parse(dotted: path.escaped, isKnown: true)
        #expect(path.escaped == text)
        #expect(DottedKeyPath.canonical(text) == text)
    }

    @Test func `components know their conditions`() throws {
        let path = try parsed("a.b[c.d == '.'].@latest[e].*[f]")
        #expect(path.count == 4)
        #expect((0..<4).map { path.condition($0).string } == ["", "[c.d == '.']", "[e]", "[f]"])
        #expect((0..<4).map { path.name($0).string } == ["a", "b", "@latest", "*"])
        #expect((0..<4).map(path.isSelection) == [false, true, true, true])
        #expect(path.firstCondition == 1 && path.firstChoice == 2 && path.hasWildcard)
        #expect((0..<4).map { path.conditionExpression($0)?.column } == [nil, 5, 25, 30])
    }

    @Test func `each condition is parsed once, and has its columns in the whole path`() throws {
        let path = try parsed("é.a[ü && b[c].d[ e == \\f[g]]].h[x]")
        let outer = try #require(path.conditionExpression(1))
        #expect(outer.columns == [5, 10])
        #expect(outer.conditions.map(\.columns) == [[12], [18, 23]])
        #expect(outer.conditions[1].column == 18)
        #expect(outer.conditions[1].conditions.map(\.columns) == [[26]])
        #expect(path.conditionExpression(2)?.columns == [33])
        let inner = ParsedKeyPath(maxDepth: 64)
        var rest = outer.conditions[...]
        try inner.parse(dotted: "b[c].d[ e == \\f[g]]", with: &rest)
        #expect((0..<2).map { inner.conditionExpression($0) } == outer.conditions && rest.isEmpty)
    }

    @Test func `a bracket in the array form is part of a name`() throws {
        let path = ParsedKeyPath(maxDepth: 64)
        try ByteView.with(Array(#"["a[b]","@first"]"#.utf8)) {
            try path.parse(JSONScanner.validate($0, maxDepth: 4))
        }
        #expect(path.escaped == #"a\[b].\@first"#)
        #expect(path.isLiteral && path.name(0).string == "a[b]" && path.name(1).string == "@first")
    }

    @Test(arguments: [
        ("hall[celsius > ].label", "column 16: expected an operand, found ]"),
        ("hall[celsius", "column 13: expected an operator or ], found the end"),
        ("hall[on]x", "column 9: expected a dot or the end of the path, found x"),
        ("hall[on][off]", "column 9: expected a dot or the end of the path, found ["),
        ("é.hall[on &].x", "column 11: expected an operator or ], found &; did you mean &&?"),
        ("é[a].ü[b &].x", "column 10: expected an operator or ], found &; did you mean &&?"),
        (
            "é.a[b == '" + String(repeating: "x", count: 4096),
            "column 5: an expression has at most 4096 bytes, and this one is longer"
        ),
        ("a[0]", "column 3: the condition 0 is never true; an element is a.0"),
        ("a.[0]", "column 4: the condition 0 is never true; an element is a.0"),
        (#"a\.[0]"#, #"column 5: the condition 0 is never true; an element is a\..0"#),
        ("a['b.c']", #"column 3: the condition 'b.c' is never true; an element is a.b\.c"#),
        ("a[true]", "column 3: the condition true is always true"),
        ("a[ b + 1 ]", "column 4: the condition b + 1 is never true"),
        ("a[-b]", "column 3: the condition -b is never true"),
        ("a[len(b)]", "column 3: the condition len(b) is never true"),
        ("a[b[c[1]]]", "column 7: the condition 1 is never true; an element is c.1"),
        ("a.**[on]", "column 3: ** takes no condition; components before it may have one"),
        (
            "é.@foo[on]",
            #"column 3: @foo is not a collection operator (a name that begins with @ is written \@foo)"#
        ),
        ("[on].x", "column 1: component 1 of the key path is empty (an empty name is written \\e)"),
        ("@first[on]", "column 1: a collection operator follows the array or model that it is about"),
        ("a.@count[on].b[c]", "column 14: @count counts elements, whatever is in them: nothing follows it"),
        ("@first", "a collection operator follows the array or model that it is about"),
        ("a.[b]", "column 3: component 2 of the key path is empty (an empty name is written \\e)"),
        ("a[*.b]", "column 3: expected an operand, found *"),
    ])
    func `a fault has its column`(text: String, message: String) {
        #expect(throws: KeyPathError.self) { try parsed(text) }
        do { _ = try parsed(text) } catch {
            #expect(((error as? KeyPathError)?.description ?? "") == message)
        }
    }

    @Test func `conditions are bounded in length and depth`() {
        let deep = "a" + String(repeating: "[b", count: 65) + String(repeating: "]", count: 65)
        let long = "a[b == '" + String(repeating: "x", count: 4096) + "']"
        for text in [deep, long] {
            do {
                _ = try parsed(text)
                Issue.record("accepted")
            } catch {
                guard case .condition(let fault)? = (error as? KeyPathError)?.reason else {
                    Issue.record("\(error)")
                    continue
                }
                #expect(fault.exceedsLimit)
            }
        }
        let fitting = "a" + String(repeating: "[b", count: 64) + String(repeating: "]", count: 64)
        #expect(throws: Never.self) { try parsed(fitting) }
    }
}
