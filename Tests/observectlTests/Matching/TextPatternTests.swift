// SPDX-License-Identifier: MIT
// Regular expressions: their syntax, their matches beside those of Swift's own, and their time.

import ObserveCore
import Testing

@testable import observectl

struct TextPatternTests {
    @Test(
        arguments: [
            ("", ["", "a"], []),
            ("ie", ["Alien"], ["", "Al"]),
            ("^Al", ["Alien"], ["An Alien", ""]),
            ("en$", ["Alien"], ["Alien 3", "en\n"]), (#"en\Z"#, ["Alien", "Alien\n"], ["en\n\n"]),
            (#"\Aa\z"#, ["a"], ["a\n", "ba"]),
            ("a.c", ["abc", "aéc", "a😀c"], ["ac", "a\nc"]),
            ("(?s)a.c", ["a\nc"], ["ac"]),
            ("^[a-c]+$", ["abc", "a"], ["", "abd"]),
            ("^[^a-c]$", ["d", "\n", "é"], ["a", "dd"]),
            ("^[]a]$", ["]", "a"], ["b"]),
            (#"^[\d\-]+$"#, ["1-2"], ["a"]),
            ("^[a-]$", ["a", "-"], ["b"]),
            ("^[[:digit:][:upper:]]+$", ["4A"], ["a"]),
            ("cat|dog", ["hotdog", "cat"], ["cow"]),
            ("^(cat|dog|)$", ["", "cat"], ["ca"]),
            ("^a*$", ["", "aaa"], ["b"]), ("^a+?$", ["a", "aa"], [""]), ("^a?b$", ["b", "ab"], ["aab"]),
            ("^a{2}$", ["aa"], ["a", "aaa"]), ("^a{2,}$", ["aa", "aaaa"], ["a"]),
            ("^a{,2}$", ["", "aa"], ["aaa"]), ("^a{1,2}$", ["a", "aa"], ["", "aaa"]),
            ("^(a{1,2}b){2}$", ["abaab"], ["ab"]), ("^(a*)*$", ["", "aa"], ["b"]), ("^a{0}$", [""], ["a"]),
            (#"\bcat\b"#, ["a cat.", "cat"], ["cats"]), (#"\Bat"#, ["cat"], ["at"]),
            (#"^\w+\s\d\D\W\S$"#, ["né 5x.!"], ["né 5x  "]),
            (#"^\p{Lu}\pL\P{L}$"#, ["Aé1"], ["aé1"]),
            (#"^\x41\x{1F600}\u0042\t$"#, ["A😀B\t"], ["AB"]),
            ("(?i)straße", ["STRAßE"], ["STRASSE"]), ("(?i:a)b", ["Ab"], ["AB"]), ("(?i)[a-c]", ["B"], ["D"]),
            ("(?i)a(?-i)b", ["Ab"], ["AB"]), ("((?i)a)b", ["Ab"], ["aB"]),
            ("(?m)^b$", ["a\nb\nc"], ["ab"]), ("(?<name>a)(?:b)(?P<n>c)", ["abc"], ["ab"]),
            (#"^\$\.\*\(\[\{\\$"#, [#"$.*([{\"#], ["a"]), ("]}", ["]}"], []),
        ]
    )
    func `a pattern occurs in texts`(pattern: String, texts: [String], others: [String]) throws {
        let pattern = try TextPattern(pattern)
        for text in texts { #expect(pattern.occurs(in: text) == true, "\(text)") }
        for text in others { #expect(pattern.occurs(in: text) == false, "\(text)") }
    }

    @Test(
        arguments: [
            ("(", "a ( is not closed; a parenthesis itself is \\( (column 1)"),
            ("a)", "a ) closes nothing; a parenthesis itself is \\) (column 2)"),
            ("a[b", "a [ is not closed; a bracket itself is \\[ (column 2)"),
            ("*a", "nothing is before * that it could repeat; the character itself is \\* (column 1)"),
            ("a|+", "nothing is before + that it could repeat; the character itself is \\+ (column 3)"),
            ("a**", "two quantifiers follow each other; a group is between them: (…)* (column 3)"),
            ("a{b}", "{ begins a number of repetitions, like {2,5}; a brace itself is \\{ (column 2)"),
            ("a{3,2}", "{3,2} ends before it begins (column 2)"),
            ("a{5000}", "more than 1000 repetitions are not supported (column 2)"),
            ("[b-a]", "a range in a set is from a character to a later one, like a-z (column 2)"),
            ("a\\", "a backslash at the end escapes nothing (column 2)"),
            ("(a)\\1", "a reference to a group, \\1, is not supported (column 4)"),
            ("(?=a)", "lookahead, (?=…), is not supported (column 1)"),
            ("a(?<!b)", "lookbehind, (?<!…), is not supported (column 2)"),
            ("(?>a)", "an atomic group, (?>…), is not supported (column 1)"),
            ("a++", "a possessive quantifier is not supported (column 2)"),
            ("(?x)a", "the flag x of (?…); known are i, m and s, and it is not supported (column 1)"),
            ("\\y", "\\y is not supported (column 1)"),
            ("\\p{Klingon}", "\\p takes a general category of Unicode, like \\p{L} or \\p{Lu} (column 1)"),
            ("\\x{110000}", "hexadecimal digits of a character follow, like \\x41 or \\u{1F600} (column 1)"),
            ("[a&&b]", "&& in a set is not supported (column 3)"),
            (
                "((a{100}){100}){100}",
                "it is too large: repetitions of repetitions count as many times as they may repeat"
            ),
        ]
    )
    func `a fault is named with its column`(pattern: String, sentence: String) {
        #expect { try TextPattern(pattern) } throws: { ($0 as? TextPatternError)?.sentence == sentence }
    }

    @Test func `deep nesting is refused`() {
        let deep = String(repeating: "(", count: 5000) + String(repeating: ")", count: 5000)
        #expect(throws: TextPatternError.self) { try TextPattern(deep) }
    }

    /// Two ways to one result. The backtracking one is fast enough for short texts.
    @Test func `random patterns match as Swift's regular expressions do`() throws {
        let atoms = [
            "a", "b", ".", "[ab]", "[^a]", "(a|b)", "(ab)", "(a|)", "^", "$", #"\w"#, #"\d"#, "(?:b|ab)",
            "(?i)B",
        ]
        let suffixes = ["", "", "", "*", "+", "?", "{2}", "{1,2}", "*?"]
        var random = SystemRandomNumberGenerator()
        var compared = 0
        for _ in 0..<1500 {
            var text = ""
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let atom = atoms[Int.random(in: 0..<atoms.count, using: &random)]
                let isPlain = ["^", "$", "(?i)B"].contains(atom)
                text += atom + (isPlain ? "" : suffixes[Int.random(in: 0..<suffixes.count, using: &random)])
                if Int.random(in: 0..<8, using: &random) == 0 { text += "|" }
            }
            let pattern = try TextPattern(text)
            let regex = try Regex(text).matchingSemantics(.unicodeScalar)
            for _ in 0..<8 {
                let length = Int.random(in: 0...6, using: &random)
                let letters = (0..<length).map { _ in
                    ["a", "b", "B", "1", "\n"].randomElement(using: &random) ?? ""
                }
                let subject = letters.joined()
                #expect(
                    pattern.occurs(in: subject) == (subject.firstMatch(of: regex) != nil),
                    "\(text) in \(RawJSON(.string(subject)).text)"
                )
                compared += 1
            }
        }
        #expect(compared == 12_000)
    }

    @Test(
        .timeLimit(.minutes(30)),
        arguments: ["^(a+)+$", "(a|aa)+$", "x+y", "(.*)*b", "(a?){20}a{20}b", "^(([a-z])+.)+[A-Z]([a-z])+$"]
    )
    func `no text makes a search slow`(pattern: String) throws {
        let text = String(repeating: "a", count: 20_000) + "!"
        #expect(try TextPattern(pattern).occurs(in: text) == false)
        let others = String(repeating: "x", count: 20_000)
        #expect(try TextPattern(pattern).occurs(in: others) == false)
    }

    @Test func `a search ends at its deadline`() throws {
        let text = String(repeating: "a", count: 200_000)
        let pattern = try TextPattern("(a?){200}a{200}b")
        #expect(pattern.occurs(in: text, until: MonotonicTime(nanoseconds: 1)) == nil)
    }
}
