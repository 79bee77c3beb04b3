// SPDX-License-Identifier: MIT
// Swift's notation for types: parsing, writing, refusals.

import Testing

@testable import ObserveCore

@Suite struct TypeNotationTests {
    private func parse(_ text: String) -> String {
        var table = TypeTable()
        _ = table.add(ModelType(name: "Player"), isNamed: true)
        _ = table.add(ModelType(name: "Plätze_2"), isNamed: true)
        do throws(TypeNotationError) {
            let written = try TypeNotation.parse(text, in: &table)
            let modifiers =
                (written.traits.contains(.readonly) ? "readonly " : "")
                + (written.traits.contains(.weak) ? "weak " : "")
            return modifiers + table.text(of: written.type)
        } catch { return "! " + error.message }
    }

    @Test(arguments: [
        "Any", "Bool", "Int", "Double", "String", "Player", "Plätze_2", "Int?", "Any?", "[Int]", "[Int?]?",
        "[[Player]]", "[String: Int]", "[String: [String: [Player?]]?]?", "weak Player?", "readonly Int",
        "readonly weak Player?", "Int(0...100)", "Int(-5...)?", "[Double(...0.5)]", "[String: Int(0...1)?]",
        "Double(0...1)", "Int(-9223372036854775808...9223372036854775807)",
    ])
    func `a type's notation parses and renders unchanged`(text: String) { #expect(parse(text) == text) }

    @Test(arguments: [
        ("  [ String:Int ] ? ", "[String: Int]?"), ("Int??", "Int?"), ("[Int? ?]", "[Int?]"),
        ("weak\tPlayer?", "weak Player?"), ("weak readonly Player?", "readonly weak Player?"),
        ("Int ( 0 ... 100 )", "Int(0...100)"), ("Double(1e2...)", "Double(100.0...)"),
        ("weak weak Player?", "weak Player?"), ("weak[Player]", "weak [Player]"),
    ])
    func `the parser ignores spaces and repeated question marks`(text: String, result: String) {
        #expect(parse(text) == result)
    }

    @Test(arguments: [
        ("", "found the end where a type was expected"), ("?", "found ? where a type was expected"),
        ("[Int", "found the end where a closing ] was expected"),
        ("[Int]]", "found ] where nothing more was expected"),
        ("Int Int", "found Int where nothing more was expected"),
        ("[]", "found ] where a type was expected"), ("[:]", "found :] where a type was expected"),
        ("3D", "found 3D where a type was expected"),
        ("(Int)", "found (Int) where a type was expected"),
        ("[Int: String]", "the keys of a dictionary are String"),
        ("[String?: Int]", "the keys of a dictionary are String"),
        ("weak", "unknown type weak"), ("weak?", "unknown type weak"),
        (
            "Plyer",
            "unknown type Plyer, expected Any, Bool, Double, Int, String or one in types; did you mean Player?"
        ),
        ("Xyz", "unknown type Xyz, expected Any, Bool, Double, Int, String or one in types"),
        ("String(0...1)", "String has no range, expected Int or Double, as in Int(0...100)"),
        ("Player(0...1)", "found (0...1) where nothing more was expected"),
        ("Int(...)", "expected a range of Int with at least one bound"),
        ("Int(5...1)", "expected a range of Int with at least one bound, the lower one first"),
        ("Int(0.5...1)", "expected a range of Int"),
        ("Int(0..<5)", "found <5) where a range like 0...100 was expected"),
        ("Int(0...100", "found the end where a closing ) was expected"),
        ("Int(0,100)", "where a number was expected"),
        ("Int()", "found ) where a range like 0...100 was expected"),
        (String(repeating: "[", count: 100) + "Int", "a type nests at most 64 levels"),
    ])
    func `the parser names the place of an error`(text: String, message: String) {
        let result = parse(text)
        #expect(result.hasPrefix("! ") && result.contains(message), "\(result)")
        if !message.contains("Xyz") { return }
        #expect(result.hasSuffix("types"))
    }

    @Test func `the table stores equal types once`() {
        var table = TypeTable()
        let a = try? TypeNotation.parse("[String: [String: Int]]", in: &table)
        let b = try? TypeNotation.parse("[String:[String:Int]]", in: &table)
        #expect(a?.type == b?.type)
        #expect(table.ids.count == 2)
    }

    @Test(arguments: [
        ("A", true), ("_a1", true), ("Größe", true), ("", false), ("1A", false), ("A.B", false),
        ("A B", false), ("Int", false), ("weak", false),
    ])
    func `the parser accepts and refuses names of types`(name: String, isAllowed: Bool) {
        #expect((TypeNotation.refusal(ofName: name) == nil) == isAllowed)
    }

    @Test(
        arguments: [
            ("titel", "title"), ("tilte", "title"), ("ttle", "title"), ("vol", "volume"),
            ("volumes2go", "volume"), ("x", nil), ("xy", nil), ("colour", nil), ("", nil),
            ("Titles", "title"),
            ("TITLE", "title"), ("itlte", "title"), ("ba", "ab"), ("tote", nil),
        ] as [(String, String?)]
    )
    func `nearestName finds the nearest name`(name: String, nearest: String?) {
        #expect(NearestName.of(name, among: ["volume", "title", "ab"]) == nearest)
    }

    @Test(arguments: [(1000, true), (1001, false)])
    func `the parser suggests none of very many types`(count: Int, isSuggested: Bool) {
        var table = TypeTable()
        for number in 1...count { _ = table.add(ModelType(name: "Model\(number)"), isNamed: true) }
        do throws(TypeNotationError) {
            _ = try TypeNotation.parse("Model", in: &table)
            Issue.record("an unknown type was parsed")
        } catch {
            #expect(error.message.contains("did you mean Model1?") == isSuggested, "\(error.message)")
        }
    }

    @Test func `nearestName prefers the nearest name, then the first`() {
        #expect(NearestName.of("cat", among: ["car", "bat", "cats"]) == "car")
        #expect(NearestName.of("cat", among: ["catalogue", "cot"]) == "cot")
        #expect(NearestName.of("é", among: ["e\u{301}"]) == nil)
    }
}
