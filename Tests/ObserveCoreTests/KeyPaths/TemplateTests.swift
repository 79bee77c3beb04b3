// SPDX-License-Identifier: MIT
// Templates: their parts, and their errors.

import Testing

@testable import ObserveCore

@Suite struct TemplateTests {
    private func parts(_ text: String) -> [String] {
        do throws(TemplateError) {
            return try Template(parsing: text, maxDepth: 8).parts.map { part in
                switch part {
                case .text(let text): "'\(text)'"
                case .path(let path): path
                }
            }
        } catch {
            return ["refused: \(error.description)"]
        }
    }

    @Test(
        arguments: [
            ("", []),
            ("text", ["'text'"]),
            ("{a}", ["a"]),
            ("{a.b.0}", ["a.b.0"]),
            (
                "To {r.first} {r.last}: {c.@count} items",
                ["'To '", "r.first", "' '", "r.last", "': '", "c.@count", "' items'"]
            ),
            ("{a}{b}", ["a", "b"]),
            ("{{", ["'{'"]),
            ("{{a}", ["'{a}'"]),
            ("{{a}}", ["'{a}'"]),
            ("{{{a}}}", ["'{'", "a", "'}'"]),
            ("a } b", ["'a } b'"]),
            ("}}", ["'}'"]),
            ("}}}", ["'}}'"]),
            (#"{a\}b}"#, [#"a\}b"#]),
            (#"{a\\}b"#, [#"a\\"#, "'b'"]),
            ("{é.☃}°", ["é.☃", "'°'"]),
            ("{c.@sum.weight} kg", ["c.@sum.weight", "' kg'"]),
        ] as [(String, [String])]
    )
    func `a template has texts and paths`(text: String, expected: [String]) {
        #expect(parts(text) == expected)
    }

    @Test(
        arguments: [
            ("{", "the template has a { that no } closes (a brace itself is written {{)"),
            ("a {b", "the template has a { that no } closes (a brace itself is written {{)"),
            (#"{a\}"#, "the template has a { that no } closes (a brace itself is written {{)"),
            ("{}", "{}: the key path is empty"),
            ("{a..b}", "{a..b}: component 2 of the key path is empty (an empty name is written \\e)"),
            ("{a.*}", "{a.*} is a pattern, and a template takes key paths without wildcards"),
            ("{**}", "{**} is a pattern, and a template takes key paths without wildcards"),
            ("{@count}", "{@count}: a collection operator follows the array or model that it is about"),
            (
                "{a.@median}",
                "{a.@median}: @median is not a collection operator (a name that begins with @ is written \\@median)"
            ),
            ("{a.b.c.d.e.f.g.h.i}", "{a.b.c.d.e.f.g.h.i}: the key path has more than 8 components"),
        ] as [(String, String)]
    )
    func `a faulty template is refused`(text: String, sentence: String) {
        #expect(parts(text) == ["refused: \(sentence)"])
    }

    @Test func `a single path keeps its value's type`() throws {
        #expect(try Template(parsing: "{a.b}", maxDepth: 8).isOnePath)
        #expect(try !Template(parsing: "{a.b} ", maxDepth: 8).isOnePath)
        #expect(try !Template(parsing: "", maxDepth: 8).isOnePath)
        #expect(try !Template(parsing: "{a}{a}", maxDepth: 8).isOnePath)
    }
}
