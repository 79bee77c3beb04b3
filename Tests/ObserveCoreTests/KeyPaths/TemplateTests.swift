// SPDX-License-Identifier: MIT
// Templates: their parts, and their errors.

import Testing

@testable import ObserveCore

@Suite struct TemplateTests {
    private func parts(_ text: String) -> [String] {
        do throws(ExpressionError) {
            return try Template(parsing: text, ExpressionSyntax(maxDepth: 8)).parts.map { part in
                switch part {
                case .text(let text): "'\(text)'"
                case .value(let expression, let formats, let null):
                    expression.paths.map(\.text).joined(separator: ",")
                        + formats.map { ":\($0)" }.joined() + (null.map { "|\($0)" } ?? "")
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
            ("{a < b && c}{ d }", ["a,b,c", "d"]), ("{a ?? '}' }}", ["a", "'}'"]), ("{a || b}", ["a,b"]),
            (
                "{a:.1:markup | none \\} | {{ }",
                [
                    "refused: column 26: the text for null has a {; a second path is {a ?? b}, and a brace itself is \\{ there"
                ]
            ),
            ("{a:.1:20 :duration:json|}", ["a:decimals(1):length(20):duration:json|"]),
            ("{a ? b : c:.2}", ["a,b,c:decimals(2)"]),
            (#"{a||| \|x\n}"#, ["refused: column 5: expected an operand, found |"]),
            (#"{a|\|x\n}"#, [#"a||x\n"#]),
        ] as [(String, [String])]
    )
    func `a template has texts and paths`(text: String, expected: [String]) {
        #expect(parts(text) == expected)
    }

    @Test(
        arguments: [
            ("{", "column 2: the template has a { that no } closes (a brace itself is written {{)"),
            ("{ ", "column 3: the template has a { that no } closes (a brace itself is written {{)"),
            ("a {b", "column 5: the template has a { that no } closes (a brace itself is written {{)"),
            (#"{a\}"#, "column 5: the template has a { that no } closes (a brace itself is written {{)"),
            ("{a:.1", "column 6: the template has a { that no } closes (a brace itself is written {{)"),
            ("{a|x", "column 5: the template has a { that no } closes (a brace itself is written {{)"),
            ("{}", "column 2: expected an operand, found }"),
            ("{a..b}", "column 4: expected a name, found ."),
            ("{a.*}", "column 4: expected a name, since these key paths have no wildcards, found *"),
            ("{**}", "column 2: expected an operand, found **"),
            ("é{@count}", "column 3: a collection operator follows the array or model that it is about"),
            (
                "{a.@median}",
                "column 4: @median is not a collection operator (a name that begins with @ is written \\@median)"
            ),
            ("{a.b.c.d.e.f.g.h.i}", "column 18: the key path has more than 8 components"),
            ("{a b}", "column 4: expected an operator or }, found b"),
            ("{a:.16}", "column 4: .16 is not a format: known are .1, 20, duration, json, markup"),
            ("{a:tmux}", "column 4: tmux is not a format: known are .1, 20, duration, json, markup"),
            ("{a:}", "column 4: nothing is not a format: known are .1, 20, duration, json, markup"),
            ("{a:-5}", "column 4: -5 is not a format: known are .1, 20, duration, json, markup"),
            ("{a: >5 }", "column 5: >5 is not a format: known are .1, 20, duration, json, markup"),
            ("{a:x\ny}", "column 4: x is not a format: known are .1, 20, duration, json, markup"),
            ("{a:é é:x}", "column 4: é é is not a format: known are .1, 20, duration, json, markup"),
            ("{a > 1 and b}", "column 8: expected an operator or }, found and; did you mean &&?"),
            ("{a > 1 & b}", "column 8: expected an operator or }, found &; did you mean &&?"),
            ("{a:1 + 2}", "column 6: expected another format, | or }, found +"),
            ("{a[0]}", "column 4: the condition 0 is never true; an element is a.0"),
        ] as [(String, String)]
    )
    func `a faulty template is refused`(text: String, sentence: String) {
        #expect(parts(text) == ["refused: \(sentence)"])
    }

    @Test func `a single expression keeps its value's type`() throws {
        func isSingle(_ text: String) throws -> Bool {
            try Template(parsing: text, ExpressionSyntax(maxDepth: 8)).single != nil
        }
        #expect(try isSingle("{a.b}") && isSingle("{ a < b }"))
        for text in ["{a.b} ", "", "{a}{a}", "{a:.1}", "{a|}"] { #expect(try !isSingle(text), "\(text)") }
    }
}
