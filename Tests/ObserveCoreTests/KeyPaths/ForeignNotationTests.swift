// SPDX-License-Identifier: MIT
// Paths in the notation of other programs, and the paths that their writers mean.

import Testing

@testable import ObserveCore

@Suite struct ForeignNotationTests {
    @Test(arguments: [
        ("home/mode", "home.mode", #"home\/mode"#), ("/home/mode/", "home.mode", #"\/home\/mode\/"#),
        ("home/+/mode", "home.*.mode", #"home\/+\/mode"#), ("home/#", "home.**", #"home\/#"#),
        ("home.+.mode", "home.*.mode", #"home.\+.mode"#),
        ("r.>", "r.**", #"r.\>"#), ("r.#", "r.**", "r.\\#"), ("#", "**", "\\#"),
        ("r.#.x", "r.*.x", "r.\\#.x"),
        ("r.on*", "r.*", #"r.on\*"#), ("*.o*n.x", "*.*.x", #"*.o\*n.x"#), ("r.***", "r.*", #"r.\*\*\*"#),
        (#"a\.b/c"#, #"a\.b.c"#, #"a\.b\/c"#), (#"a\/b/c"#, #"a\/b.c"#, #"a\/b\/c"#),
        (
            "packages.node_modules/x.version", "packages.node_modules.x.version",
            #"packages.node_modules\/x.version"#
        ),
        ("t/q[x == 1].y", "t.q[x == 1].y", #"t\/q[x == 1].y"#),
        ("r.on*[x / 2 > '*]'].y", "r.*[x / 2 > '*]'].y", #"r.on\*[x / 2 > '*]'].y"#),
        ("é[ü].+[l.@count[on] > 1].ß/x", "é[ü].*[l.@count[on] > 1].ß.x", #"é[ü].\+[l.@count[on] > 1].ß\/x"#),
    ])
    func `the right path is offered, and the escaped one is accepted`(
        text: String,
        meant: String,
        escaped: String
    ) throws {
        let found = try #require(ForeignNotation(in: text))
        #expect(found.meant == meant && found.escaped == escaped)
        #expect(ForeignNotation(in: meant) == nil)
        #expect(ForeignNotation(in: escaped) == nil)
        #expect(DottedKeyPath.canonical(text) == escaped)
        #expect(DottedKeyPath.canonical(escaped) == escaped)
    }

    @Test(
        arguments: [
            ("app.volume:", "app.volume", #"app.volume\:"#), ("a=", "a", #"a\="#),
            ("a.b:=", "a.b", #"a.b:\="#),
            ("a/b:", "a.b", #"a\/b\:"#), (#"a.\::"#, #"a.\:"#, #"a.:\:"#), (":", nil, #"\:"#),
            ("on*:", "*", #"on\*\:"#),
        ] as [(String, String?, String)]
    )
    func `a sign at the end counts only if a value follows the path`(
        text: String,
        meant: String?,
        escaped: String
    ) throws {
        let found = try #require(ForeignNotation(in: text, isAssigned: true))
        #expect(found.meant == meant && found.escaped == escaped)
        #expect(ForeignNotation(in: escaped, isAssigned: true) == nil)
    }

    @Test(
        arguments: [
            "urn:x", "12:30", "http:.a", "a=b", #"a.b\:"#, "a[b == 1]", "=a", "a.", "a..:", "l.@sum:",
        ]
    )
    func `other signs are parts of names`(text: String) {
        #expect(ForeignNotation(in: text, isAssigned: true) == nil)
    }

    @Test(arguments: [
        "a", "a.*.b.**", "*", "**", #"a.\*"#, #"home\/mode"#, #"r.\>"#, "a>b", "c#", "1+1", "a]b", #"on\*"#,
        "l.@sum.x", #"\e"#, #"a\[0]"#, "a[b == 'c/d'].x", "a.*[b > 1]",
        "a.b:", "a=", "urn:x",
        "a.b[c/d > e*f].g", "l.@first[a*b > 1]", "a.*[b[c/d].e].f",
        // Faults of their own.
        "", "a..b", "a.", "a/b.", "a[0]", "a[].b", "a['b']", "a/b[c", "a/b[c]d", "a[b]/c",
    ])
    func `other paths are left alone`(text: String) {
        #expect(ForeignNotation(in: text) == nil)
    }
}
