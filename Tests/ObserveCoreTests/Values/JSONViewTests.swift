// SPDX-License-Identifier: MIT
// Reads members, elements, numbers and strings from validated text.

import Testing

@testable import ObserveCore

@Suite struct JSONViewTests {
    @Test(arguments: validTexts)
    func `a view of the text and a view of the token are the same`(text: String, kind: JSONKind) throws {
        try ByteView.with(text) { whole in
            let token = try JSONScanner.validate(whole, maxDepth: 512)
            let view = JSONView(validated: whole)
            #expect(view.kind == kind && token.kind == kind)
            #expect(view.view == token.view && view.hasEscapes == token.hasEscapes)
        }
    }

    @Test(arguments: validTexts)
    func `a walk through all levels rebuilds the text`(text: String, kind: JSONKind) {
        let compact = withView(text) { rebuilt($0) }
        #expect(withView(compact) { rebuilt($0) } == compact)
        #expect(withView(compact) { walked($0) } == compact)
        #expect(withView(text) { walked($0) } == compact)
        #expect(withView(text) { entered($0) } == compact)
        // Between strings, only whitespace is omitted.
        guard kind != .string, !text.contains("\\"), !text.contains("\"\"") else { return }
        #expect(compact.utf8.elementsEqual(text.utf8.filter { $0 > 0x20 }))
    }

    /// Member by member and element by element, with recursion.
    private func rebuilt(_ view: JSONView) -> String {
        switch view.kind {
        case .object:
            "{" + view.members.map { $0.name.view.string + ":" + rebuilt($0.value) }.joined(separator: ",")
                + "}"
        case .array: "[" + view.elements.map(rebuilt).joined(separator: ",") + "]"
        default: view.view.string
        }
    }

    /// Event by event.
    private func walked(_ view: JSONView) -> String {
        var text = ""
        var closers: [String] = []
        for event in JSONWalker(view) {
            if case .end = event {
                text += closers.removeLast()
                continue
            }
            if let last = text.last, !"[{:".contains(last) || text.hasSuffix("\"") { text += "," }
            switch event {
            case .beginArray:
                text += "["
                closers.append("]")
            case .beginObject:
                text += "{"
                closers.append("}")
            case .name(let name): text += name.view.string + ":"
            case .scalar(let scalar): text += scalar.view.string
            case .end: break
            }
        }
        return text
    }

    /// Like ``rebuilt(_:)``, without a search for the ends of arrays.
    private func entered(_ view: JSONView) -> String {
        var parts: [String] = []
        switch view.kind {
        case .object:
            var members = view.members
            while true {
                let isArray = members.enter { parts.append($0.view.string + ":" + entered(&$1)) }
                if isArray { continue }
                guard let (name, value) = members.next() else { break }
                parts.append(name.view.string + ":" + entered(value))
            }
            return "{" + parts.joined(separator: ",") + "}"
        case .array:
            var elements = view.elements
            return entered(&elements)
        default: return view.view.string
        }
    }

    private func entered(_ elements: inout JSONElements) -> String {
        var parts: [String] = []
        while true {
            if elements.enter({ parts.append(entered(&$0)) }) { continue }
            guard let element = elements.next() else { break }
            parts.append(entered(element))
        }
        return "[" + parts.joined(separator: ",") + "]"
    }

    @Test func `leaving an array early skips its remaining elements`() {
        withView("[[1,[2,\"]\"],3] , {\"a\":[4,{\"b\":5},6],\"c\":7}]") { view in
            var elements = view.elements
            var first: [Int64?] = []
            var isArray = elements.enter { first.append($0.next()?.int64()) }
            #expect(isArray)
            isArray = elements.enter { _ in }
            #expect(!isArray)
            guard var members = elements.next()?.members else { return }
            isArray = members.enter { first.append($0.contents == "a" ? $1.next()?.int64() : nil) }
            #expect(isArray && first == [1, 4])
            isArray = members.enter { _, _ in }
            #expect(!isArray)
            #expect(members.next()?.value.int64() == 7)
            #expect(elements.next() == nil)
        }
    }

    @Test func `members and elements come in order, duplicates included`() {
        withView("{\"b\": 1, \"a\": [ 2 , {\"x\":3} ], \"b\" :\"[,{\\\"\"}") { view in
            var members: [String] = []
            for (name, value) in view.members {
                members.append("\(name.contents.string)=\(value.view.string)")
            }
            #expect(members == ["b=1", "a=[ 2 , {\"x\":3} ]", "b=\"[,{\\\"\""])
            #expect(view.elements.map(\.view.string).isEmpty)
        }
        withView("[1, \"a,]\\\\\", [ ], {\"]\": \"}\"}, -2.5e3,null]") { view in
            var elements: [String] = []
            for element in view.elements { elements.append(element.view.string) }
            #expect(elements == ["1", "\"a,]\\\\\"", "[ ]", "{\"]\": \"}\"}", "-2.5e3", "null"])
            #expect(view.members.map(\.value.view.string).isEmpty)
        }
    }

    @Test(arguments: [
        ("\"\"", true), ("[]", true), ("{}", true), ("[ ]", true), ("{ \n\t}", true), ("\" \"", false),
        ("[0]", false),
        ("[ []]", false), ("{\"\":0}", false), ("0", false), ("null", false),
    ])
    func `empty values are recognized`(text: String, isEmpty: Bool) {
        withView(text) { #expect($0.isEmpty == isEmpty) }
    }

    @Test func `the value after any nested value is found`() {
        for (text, _) in validTexts {
            for padding in 0..<9 {
                let spaces = String(repeating: " ", count: padding)
                withView("[\(spaces)\(text),\(text) ,7]") { view in
                    let elements = Array(view.elements)
                    #expect(elements.count == 3 && elements.last?.int64() == 7, "\(text)")
                    #expect(
                        elements[0].view == elements[1].view && elements[0].kind == elements[1].kind,
                        "\(text)"
                    )
                    #expect(elements[0].hasEscapes == elements[1].hasEscapes, "\(text)")
                }
            }
        }
    }

    @Test func `accessors of another kind return nothing`() {
        withView("true") { view in
            #expect(view.int64() == nil && view.double() == nil)
            #expect(view.contents.isEmpty && view.decodedString().isEmpty)
        }
        withView("\"1\"") { #expect($0.int64() == nil && $0.double() == nil) }
        withView("1.0") { #expect($0.int64() == nil) }
    }
}

// MARK: - Numbers

extension JSONViewTests {
    @Test(
        arguments: [
            ("0", 0), ("-0", 0), ("1", 1), ("-1", -1), ("10", 10),
            ("999999999999999999", 999_999_999_999_999_999),
            ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min),
            ("9223372036854775808", nil),
            ("-9223372036854775809", nil), ("18446744073709551615", nil), ("18446744073709551616", nil),
            ("18446744073709551617", nil), ("99999999999999999999", nil), ("-99999999999999999999", nil),
            ("100000000000000000000000000000000000000000", nil), ("1e2", nil), ("1.0", nil), ("-0.0", nil),
        ] as [(String, Int64?)]
    )
    func `integers are exact or nil`(text: String, expected: Int64?) {
        withView(text) { #expect($0.int64() == expected) }
    }

    @Test(
        arguments: [
            ("0", 0), ("0.0", 0), ("1", 1), ("-1.5", -1.5), ("0.1", 0.1), ("1e2", 100), ("1E-2", 0.01),
            ("1e22", 1e22),
            ("1e23", 1e23), ("9007199254740992", 9_007_199_254_740_992),
            ("9007199254740993", 9_007_199_254_740_992),
            ("18446744073709551617", 0x1p64), ("-184467440737095516.17e2", -0x1p64),
            ("9007199254740993.0000000000000000000000000000001", 9_007_199_254_740_994),
            ("1.7976931348623157e308", .greatestFiniteMagnitude),
            ("1.7976931348623158e308", .greatestFiniteMagnitude),
            ("1.7976931348623159e308", nil), ("1e309", nil), ("-1e309", nil), ("1e999", nil),
            ("1e99999999999999999999", nil),
            ("5e-324", .leastNonzeroMagnitude), ("2e-324", nil), ("-2e-324", nil),
            ("2.5e-324", .leastNonzeroMagnitude), ("3e-324", .leastNonzeroMagnitude),
            ("1e-400", nil), ("0.000000000000000000000000000000000000000001e-300", nil), ("0e-400", 0),
            ("0.0e-9999", 0),
            ("1e-99999999999999999999", nil), ("0.00000000000000000000000000000", 0),
            ("0e99999999999999999999", 0), ("0.000e999", 0),
            ("2.2250738585072011e-308", Double.leastNormalMagnitude.nextDown),
            ("2.2250738585072014e-308", .leastNormalMagnitude),
            ("0.000000000000000000000000000000000000000000001e45", 1), ("10000000000000000000000e-22", 1),
            ("3.141592653589793238462643383279", Double.pi), ("0.1000000000000000055511151231257827", 0.1),
            ("1.00000000000000011102230246251565", 1),
            ("1.00000000000000011102230246251566", 1.0000000000000002),
        ] as [(String, Double?)]
    )
    func `doubles are the nearest or nil`(text: String, expected: Double?) {
        withView(text) { #expect($0.double() == expected) }
    }

    @Test(arguments: [(1_000_000, 1_000_001, 1), (1_000_000, 1_000_003, 100), (999_999, 1_040_000, nil)])
    func `an exponent may be as long as a fraction`(zeros: Int, exponent: Int, expected: Double?) {
        withView("0.\(String(repeating: "0", count: zeros))1e\(exponent)") {
            #expect($0.double() == expected)
        }
    }

    @Test func `minus zero keeps its sign`() {
        for text in ["-0.0", "-0e5", "-0", "-0.000e-999"] {
            withView(text) { #expect($0.double()?.sign == .minus && $0.double() == 0, "\(text)") }
        }
        withView("0.0") { #expect($0.double()?.sign == .plus) }
    }

    @Test func `a number of a million digits is read`() {
        let nines = [UInt8](repeating: 0x39, count: 1_000_000)
        withView(Array("0.".utf8) + nines) { #expect($0.double() == 1) }
        withView(nines) { #expect($0.int64() == nil && $0.double() == nil) }
    }

    @Test func `doubles are parsed like the standard library parses them`() {
        var generator = SeededGenerator(seed: 17)
        for _ in 0..<30_000 {
            let text = randomNumber(using: &generator)
            let expected = Double(text).flatMap { $0.isFinite && ($0 != 0 || isZero(text)) ? $0 : nil }
            let found = withView(text) { $0.double() }
            guard found?.bitPattern != expected?.bitPattern else { continue }
            Issue.record("\(text): \(found as Any) is not \(expected as Any)")
        }
    }

    private func randomNumber(using generator: inout SeededGenerator) -> String {
        func digits(_ range: ClosedRange<Int>) -> String {
            let digits = (0..<Int.random(in: range, using: &generator)).map { _ in
                String(Int.random(in: 0...9, using: &generator))
            }
            return digits.joined()
        }
        let sign = Bool.random(using: &generator) ? "-" : ""
        let whole = String(Int.random(in: 1...9, using: &generator)) + digits(0...20)
        let fraction = Bool.random(using: &generator) ? "." + digits(1...20) : ""
        let reach = [3, 25, 330].randomElement(using: &generator) ?? 3
        let exponent =
            Bool.random(using: &generator) ? "e\(Int.random(in: -reach...reach, using: &generator))" : ""
        return sign + (Int.random(in: 0..<4, using: &generator) == 0 ? "0" : whole) + fraction + exponent
    }

    /// The decimal number halfway between two neighbouring doubles and its own neighbours are the hardest to round.
    @Test func `halfway cases round to even`() {
        var generator = SeededGenerator(seed: 18)
        for _ in 0..<2_000 {
            // 53 bits and one more, shifted so that there are no fraction digits.
            let half = UInt64.random(in: (1 << 53)..<(1 << 54), using: &generator) | 1
            let even = half >> 1 & 1 == 0 ? half - 1 : half + 1
            for (text, expected) in [
                ("\(half)", Double(even)), ("\(half).0", Double(even)), ("\(half)e0", Double(even)),
                ("\(half).00000000000000000000001", Double(half + 1)),
                ("\(half - 1).9999999999999999", Double(half - 1)),
            ] {
                let found = withView(text) { $0.double() }
                guard found != expected else { continue }
                Issue.record("\(text): \(found as Any) is not \(expected)")
            }
        }
    }
}

// MARK: - Strings

extension JSONViewTests {
    @Test(arguments: [
        ("\"\"", ""), ("\"abc\"", "abc"), ("\"\\\"\\\\\\/\"", "\"\\/"),
        ("\"\\b\\f\\n\\r\\t\"", "\u{8}\u{C}\n\r\t"),
        ("\"\\u0041\\u00e9\\u20AC\"", "Aé€"), ("\"\\ud83d\\ude00\"", "😀"),
        ("\"\\uDBFF\\uDFFF\"", "\u{10FFFF}"),
        ("\"\\ud800\\udc00\"", "\u{10000}"), ("\"\\u0000\"", "\u{0}"),
        ("\"é\\u0301日本😀\\n\"", "é\u{301}日本😀\n"),
        ("\"\\\\u0041\"", "\\u0041"), ("\"12345678\\n12345678\\t\"", "12345678\n12345678\t"),
        ("\"\\ue000\"", "\u{E000}"),
        ("\"\\uFFFF\\ufffe\"", "\u{FFFF}\u{FFFE}"),
        ("\"\\u007f\\u0080\\u07ff\\u0800\"", "\u{7F}\u{80}\u{7FF}\u{800}"),
    ])
    func `escapes are decoded`(text: String, expected: String) {
        withView(text) { view in
            #expect(Array(view.decodedString().utf8) == Array(expected.utf8))
            #expect(written { view.appendDecoded(to: $0) }.utf8.elementsEqual(expected.utf8))
            #expect(view.contents.string == String(text.dropFirst().dropLast()))
            #expect(view.hasEscapes == text.contains("\\"))
        }
    }

    @Test func `every escaped unit is decoded`() {
        for unit in 0...0xFFFF {
            guard let scalar = Unicode.Scalar(UInt32(unit)) else { continue }
            let text = "\"\\u" + String(unit + 0x10000, radix: 16).dropFirst() + "\""
            guard withView(text, { $0.decodedString() }).unicodeScalars.elementsEqual([scalar]) else {
                Issue.record("\(text)")
                continue
            }
        }
    }
}

// MARK: - Text that is not validated

extension JSONViewTests {
    /// Debug builds check the bounds of every access, so a violation would trap.
    @Test func `no byte outside of the text is read`() {
        var generator = SeededGenerator(seed: 19)
        let alphabet = Array("[]{}\",:0-.eE \\untf\u{E9}x".utf8)
        for _ in 0..<30_000 {
            let bytes = (0..<Int.random(in: 0...24, using: &generator)).map { _ in
                alphabet.randomElement(using: &generator) ?? 0
            }
            var parts = 0
            withView(bytes) { view in
                visit(view, depth: 0, &parts)
                _ = entered(view)
                for _ in JSONWalker(view) { parts += 1 }
                _ = try? Value(view)
            }
            #expect(parts < 1000)
        }
    }

    private func visit(_ view: JSONView, depth: Int, _ parts: inout Int) {
        parts += 1
        guard depth < 30 else { return }
        _ = (view.int64(), view.double(), view.decodedString(), view.isEmpty)
        _ = written { $0.appendCanonicalContents(of: view) }
        for element in view.elements { visit(element, depth: depth + 1, &parts) }
        for (name, value) in view.members {
            visit(name, depth: depth + 1, &parts); visit(value, depth: depth + 1, &parts)
        }
    }
}

/// Whether a number is zero as it is written.
private func isZero(_ number: String) -> Bool {
    number.prefix { $0 != "e" && $0 != "E" }.allSatisfy { "-0.".contains($0) }
}
