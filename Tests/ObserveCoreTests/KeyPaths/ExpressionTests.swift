// SPDX-License-Identifier: MIT
// Expressions: their grammar, their values, and their errors. Random ones against a naive evaluation.

import Testing

@testable import ObserveCore

@Suite struct ExpressionTests {
    private static let inputs: [String: Value] = [
        "i": 7, "n": 2, "z": 0, "d": 2.5, "neg": -7, "s": "Alien", "t": "é", "on": true, "off": false,
        "none": .null,
        "l": [1, 2.0, "x", [3]], "l2": [1.0, 2, "x", [3.0]], "a.b-c": 5, "a": 9, "c": 4, "b-c": 1, "min": 3,
        "true.x": 8,
        "\\true": "name", "\\5ghz": "band", "first\\ name": "Ada", "arr.0.x": 6, "len": 1, "l.@count": 4,
    ]

    private func value(_ text: String) -> String {
        do throws(ExpressionError) {
            let expression = try Expression(parsing: text, ExpressionSyntax(maxDepth: 8))
            let evaluator = ExpressionEvaluator<Value>(maxTextBytes: 100)
            return evaluator.value(of: expression) { index in
                switch expression.operands[index] {
                case .path(let path): Self.inputs[path] ?? .string("unknown path \(path)")
                case .literal(let value): value
                case .field, .empty: .null
                }
            }.json
        } catch { return error.description }
    }

    @Test(
        arguments: [
            // Names, and where they end.
            ("i", "7"), ("a.b-c", "5"), ("a - c", "5"), ("a -c", "5"), ("5-3", "2"), ("i- 3", "4"),
            ("l.@count", "4"),
            ("\\true", #""name""#), ("\\5ghz", #""band""#), ("first\\ name", #""Ada""#), ("arr.0.x", "6"),
            ("min", "3"), ("true.x", "8"), ("min(min, len)", "1"), (" \t\n i ", "7"),
            // Literals.
            ("true", "true"), ("null", "null"), ("1.5e1", "15.0"), ("0", "0"), (#""a\u0041\"""#, #""aA\"""#),
            (#"'it\'s "x"\n'"#, #""it's \"x\"\n""#), ("''", #""""#),
            ("-9223372036854775808", "-9223372036854775808"), ("n - -9223372036854775808 > 0", "true"),
            ("-9223372036854775808 ?? 0", "-9223372036854775808"),
            ("-9223372036854775808.5", "-9.223372036854776e+18"),
            // Arithmetic.
            ("i / n", "3.5"), ("6 / 2", "3.0"), ("neg % 2", "-1"), ("7 % -2", "1"), ("d % 2", "0.5"),
            ("i % z", "null"),
            ("i / z", "null"), ("9223372036854775807 + 1", "9.223372036854776e+18"), ("-i * d", "-17.5"),
            ("1 + 2 * 3", "7"),
            ("(1 + 2) * 3", "9"), ("10 - 2 - 3", "5"), ("s + 1", "null"), ("s + '!'", #""Alien!""#),
            ("1e308 * 10", "null"),
            ("--i", "7"), ("-s", "null"), ("i + none", "null"),
            ("0 - 9223372036854775807 - 1", "-9223372036854775808"),
            ("-(0 - 9223372036854775807 - 1)", "9.223372036854776e+18"),
            ("(0-9223372036854775807-1) % -1", "0"),
            // Comparisons.
            ("i = 7", "true"), ("i == 7.0", "true"), ("i != 7", "false"), ("l == l2", "true"),
            ("none == null", "true"),
            ("s == 5", "false"), ("i < 7.5", "true"), ("9007199254740993 > 9007199254740992.0", "true"),
            ("s < 'B'", "true"), ("s < 5", "false"), ("none <= none", "false"), ("t > 'z'", "true"),
            ("on <= on", "false"),
            ("none ?? 0 < 5", "true"), ("i > 3 && n < 3 || off", "true"), ("off || off && on", "false"),
            // Logic.
            ("!none", "true"), ("!1", "true"), ("1 && on", "false"), ("on ? i : n", "7"), ("1 ? i : n", "2"),
            ("off ? 1 : off ? 2 : 3", "3"), ("none ?? none ?? i", "7"), ("on?i:n", "7"),
            ("off ?? i", "false"),
            // Functions.
            ("min(i, s, n)", "2"), ("max(s, none)", "null"), ("max(1, 1.0)", "1"), ("min(1.0, 1)", "1.0"),
            ("abs(neg)", "7"),
            ("abs(s)", "null"), ("floor(d)", "2"), ("ceil(-d)", "-2"), ("round(2.5)", "3"),
            ("round(-2.5)", "-3"),
            ("floor(1e300)", "1e+300"), ("round(0.15, 1)", "0.2"), ("round(1.005, 2)", "1.01"),
            ("round(i, 2)", "7"),
            ("round(i, 16)", "null"), ("round(1.25, 1.0)", "1.3"), ("round(9.96, 1)", "10.0"),
            ("round(1e-30, 3)", "0.0"),
            ("len(s)", "5"), ("len(l)", "4"), ("len(i)", "null"), ("upper(t)", #""É""#),
            ("lower(s)", #""alien""#),
            ("contains(s, 'lie')", "true"), ("contains(s, '')", "true"), ("contains(s, 'ne')", "false"),
            ("contains(l, 1.0)", "true"), ("contains(l, [3])", "column 13: expected an operand, found ["),
            ("contains('aaab', 'aab')", "true"), ("contains('abab', 'ababa')", "false"),
            ("starts(s, 'Al')", "true"), ("starts(s, 5)", "false"), ("starts(l, 1)", "false"),
            // Bounds.
            ("('0123456789' + '0123456789') + ('0123456789' + '0123456789') == ''", "false"),
        ] as [(String, String)]
    )
    func `an expression has a value`(text: String, expected: String) {
        #expect(value(text) == expected, "\(text)")
    }

    @Test(
        arguments: [
            ("", "column 1: expected an operand, found the end"),
            ("a +", "column 4: expected an operand, found the end"),
            ("a b", "column 3: expected an operator, found b"),
            ("a < b < c", "column 7: comparisons do not chain: write a < b && b < c"),
            ("(a", "column 3: expected an operator or ), found the end"),
            ("a)", "column 2: expected an operator, found )"),
            ("a ? b", "column 6: expected an operator or :, found the end"),
            ("a..b", "column 3: expected a name, found ."),
            ("a.*", "column 3: expected a name, since these key paths have no wildcards, found *"),
            (
                "é.@median",
                "column 3: @median is not a collection operator (a name that begins with @ is written \\@median)"
            ),
            ("a.@count.b", "column 10: @count counts elements, whatever is in them: nothing follows it"),
            ("@count", "column 1: a collection operator follows the array or model that it is about"),
            ("a[0]", "column 3: the condition 0 is never true; an element is a.0"),
            (
                "5ghz",
                "column 2: expected an operator, found ghz; a name that begins with a digit is written \\5ghz"
            ),
            (
                "05",
                "column 2: expected an operator, found 5; a name that begins with a digit is written \\5ghz"
            ),
            ("99999999999999999999", "column 1: the number is out of range"),
            ("1e999", "column 1: the number is out of range"),
            ("- 9223372036854775808", "column 3: the number is out of range"),
            ("1-9223372036854775808", "column 3: the number is out of range"),
            ("-92233720368547758080", "column 2: the number is out of range"),
            ("a + 'x", "column 7: the text in ' has no second '"),
            ("'\\x'", "column 1: the text in ' has an unknown escape"),
            ("a | b", "column 3: expected an operator, found |; did you mean ||?"),
            ("a && && b", "column 6: expected an operand, found &&"),
            ("a = = b", "column 5: expected an operand, found ="),
            (
                "median(a)",
                "column 1: median is not a function: known are abs, ceil, contains, floor, len, lower, max, min, round, starts, upper"
            ),
            ("min(a)", "column 1: min takes two or more operands, not 1"),
            ("1 + len(a, b)", "column 5: len takes one operand, not 2"),
            ("round(a, b, c)", "column 1: round takes one or two operands, not 3"),
            ("contains(a)", "column 1: contains takes two operands, not 1"),
            ("len()", "column 5: expected an operand, found )"),
            ("a\\", "column 3: the backslash at the end escapes nothing"),
            ("a.b.c.d.e.f.g.h.i", "column 17: the key path has more than 8 components"),
            ("a\u{A0}", "column 2: expected an operator, found U+A0"),
            (".", "column 1: expected an operand, found ."),
        ] as [(String, String)]
    )
    func `a faulty expression is refused, with the column`(text: String, sentence: String) {
        #expect(value(text) == sentence, "\(text)")
    }

    @Test func `lower and upper map scalars as the standard library does`() throws {
        let scalars = (0..<0x11_0000 as Range<UInt32>).compactMap(Unicode.Scalar.init)
        let text = String(String.UnicodeScalarView(scalars))
        let evaluator = ExpressionEvaluator<Value>(maxTextBytes: 1 << 24)
        for (function, expected) in [("lower", text.lowercased()), ("upper", text.uppercased())] {
            let expression = try Expression(parsing: "\(function)(text)", ExpressionSyntax(maxDepth: 8))
            let result = evaluator.value(of: expression) { _ in .string(text) }
            // Equal strings may have different scalars.
            #expect(result.string?.utf8.elementsEqual(expected.utf8) == true)
        }
    }

    @Test func `columns count characters`() throws {
        let syntax = ExpressionSyntax(maxDepth: 8)
        #expect(try Expression(parsing: "é[ü] + 'ß' * naïve", syntax).columns == [1, 8, 14])
        let template = try Template(parsing: "ä {é?? \"ß\"} {{}} { b }", syntax)
        #expect(template.expressions.map(\.columns) == [[4, 8], [20]])
        #expect(template.expressions.map(\.column) == [4, 20])
    }

    @Test func `length and depth are bounded`() {
        func nested(_ open: String, _ close: String, _ count: Int) -> String {
            String(repeating: open, count: count) + "i" + String(repeating: close, count: count)
        }
        for (open, close) in [("(", ")"), ("abs(", ")"), ("-", ""), ("on ? ", " : 0")] {
            #expect(value(nested(open, close, 64)) == "7", "\(open)")
            let sentence = "an expression nests at most 64 levels, and this one is deeper"
            #expect(value(nested(open, close, 65)).hasSuffix(sentence), "\(open)")
        }
        let long = "i" + String(repeating: "+1", count: 2047)
        #expect(value(long) == "2054")
        #expect(
            value("\(long)+1") == "column 1: an expression has at most 4096 bytes, and this one is longer"
        )
        #expect(value("i" + String(repeating: " ?? i", count: 800)) == "7")
    }

    @Test func `an evaluation that reads too much is null`() {
        // 400 bytes at most, of texts of 50 each.
        let text = "'\(String(repeating: "x", count: 50))'"
        #expect(value("len(\(text)) + len(\(text))") == "100")
        let all = Array(repeating: "len(\(text))", count: 9).joined(separator: " + ")
        #expect(value(all) == "null")
        #expect(value("len(\(text) + \(text))") == "100")
        #expect(value("\(text) + \(text) + 'x'") == "null")
    }

    @Test(arguments: seeds(20, usually: 5))
    func `random expressions have the values of a naive evaluation`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let paths = ["a", "b.c-d", "l.@count", "x\\ y", "\\0.1"]
        let pool: [Value] = [
            .null, true, false, 0, 1, -1, 3, 0.5, -2.5, 1.005, 1e300, 1e-7, .int(.min), .int(.max), "", "a",
            "A\"b", "é", "ab",
            [], [1, "a", .null], [1.0, "a", .null], ["x": 1],
        ]
        for _ in 0..<500 {
            let naive = NaiveExpression.random(4, paths: paths.count, &random)
            let text = naive.text(paths)
            let expression = try Expression(parsing: text, ExpressionSyntax(maxDepth: 8))
            let evaluator = ExpressionEvaluator<Value>(maxTextBytes: 1 << 20)
            for _ in 0..<4 {
                let values = paths.map { _ in pool[Int(random.next() % UInt64(pool.count))] }
                let value = evaluator.value(of: expression) { index in
                    switch expression.operands[index] {
                    case .path(let path): values[paths.firstIndex(of: path)!]
                    case .literal(let value): value
                    case .field, .empty: .null
                    }
                }
                #expect(value.json == naive.value(values).json, "\(text) of \(values)")
            }
        }
    }

    @Test(arguments: seeds(20, usually: 5))
    func `both parsers refuse an edited expression, or none does`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let parts = [
            "[", "]", ".", "-", "\\", "'", "?", ":", "=", "<", " ", "(", ")", "a", "5", "@", "|", "!",
            "-9223372036854775808",
        ]
        var accepted = 0
        for _ in 0..<500 {
            let original = NaiveExpression.random(3, paths: 3, &random).text(["a", "b[on].c", "d.@count"])
            var text = Array(original)
            for _ in 0...Int(random.next() % 2) {
                let index = Int(random.next() % UInt64(text.count + 1))
                text.insert(contentsOf: parts[Int(random.next() % UInt64(parts.count))], at: index)
            }
            let parsed = try? Expression(parsing: String(text), ExpressionSyntax(maxDepth: 8))
            let naive = NaiveParser.expression(String(text), maxDepth: 8)
            #expect((parsed == nil) == (naive == nil), "\(String(text))")
            guard let parsed, let naive else { continue }
            accepted += 1
            let values = parsed.operands.indices.map { Value.int(Int64($0)) }
            let value = ExpressionEvaluator<Value>(maxTextBytes: .max).value(of: parsed) { index in
                if case .literal(let value) = parsed.operands[index] { value } else { values[index] }
            }
            #expect(value.json == naive.value(values).json, "\(String(text))")
        }
        #expect(accepted > 20)
    }
}
