// SPDX-License-Identifier: MIT
// The lines of `subscribe --format`, and the templates that are refused.

import ObserveCore
import Testing

@testable import observectl

struct LineFormatTests {
    private static func event(
        _ path: String,
        _ new: String?,
        _ revision: Int,
        more: Bool = false,
        _ rest: String = "",
        reason: String = "valueChanged"
    ) -> String {
        let value = new.map { #""new":\#($0)"# } ?? #""truncated":true"#
        let more = more ? #","more":true"# : ""
        return
            #"{"method":"change","params":{"subscription":1,"path":"\#(path)","reason":"\#(reason)",\#(value),"revision":\#(revision)\#(rest)\#(more)}}"#
    }

    private static func initial(_ path: String, _ new: String, more: Bool = false) -> String {
        event(path, new, 1, more: more, reason: "initial")
    }

    /// Runs subscribe against a daemon that sends these events and ends.
    private func run(_ words: [String], initial: Int, _ events: [String]) throws -> ToolRun {
        let answer =
            #"{"id":1,"result":{"subscription":1,"revision":1,"initial":\#(initial),"epoch":"e"}}"#
        let daemon = try FakeDaemon { _ in .init(lines: [answer] + events, isLast: true) }
        return try ToolRun(["--socket", daemon.path, "subscribe", "--no-reconnect"] + words)
    }

    private static let frames = [
        initial("p.artist", #""Bowie""#, more: true), initial("p.title", #""Heroes""#),
        event("p.artist", #""Eno""#, 2, more: true), event("p.title", #""An\nEnding""#, 2),
        event("p.title", "null", 3),
    ]

    @Test func `one line for each frame, with the present value of each path`() throws {
        let run = try run(
            ["--format", "{artist} – {title|nothing} {{}}", "--under", "p", "artist", "title"],
            initial: 2,
            LineFormatTests.frames
        )
        #expect(run.output == "Bowie – Heroes {}\nEno – An Ending {}\nEno – nothing {}\n")
    }

    @Test func `with -0 values keep their line feeds`() throws {
        let run = try run(
            ["--format={p.title}", "-0", "p.artist", "p.title"],
            initial: 2,
            LineFormatTests.frames
        )
        #expect(run.output == "Heroes\0An\nEnding\0\0")
    }

    @Test func `:json prints JSON, and fields are those of the last event`() throws {
        let run = try run(
            ["--format", "{:json}|{@path} {@reason} {@revision} {@old:json|-} {@nilAt|-} {@pid|-}", "a"],
            initial: 1,
            [
                LineFormatTests.initial("a", #""x\ty""#),
                LineFormatTests.event("a", "null", 2, #","old":"x","nilAt":"a","origin":{"pid":7,"uid":0}"#),
            ]
        )
        #expect(
            run.output == #"""
                "x\ty"|a initial 1 - - -
                null|a valueChanged 2 "x" a 7

                """#
        )
    }

    @Test func `an equal line is not printed twice, unless --all is given`() throws {
        let events = [
            LineFormatTests.initial("a", "1"), LineFormatTests.event("a", "1.0", 2),
            LineFormatTests.event("a", "1.0", 3), LineFormatTests.event("a", "2", 4),
        ]
        #expect(try run(["--format", "{}", "a"], initial: 1, events).output == "1\n1.0\n2\n")
        #expect(try run(["--format", "{}", "--all", "a"], initial: 1, events).output == "1\n1.0\n1.0\n2\n")
        #expect(try run(["--format", "{}", "--no-initial", "a"], initial: 1, events).output == "1.0\n2\n")
        #expect(try run(["--format", "{}", "--count", "2", "a"], initial: 1, events).output == "1\n1.0\n")
    }

    @Test func `a pattern has the value that changed last`() throws {
        let run = try run(
            ["--format", "{} {b}", "films.*.title", "b"],
            initial: 3,
            [
                LineFormatTests.initial("films.0.title", #""Alien""#, more: true),
                LineFormatTests.initial("films.1.title", #""Brazil""#, more: true),
                LineFormatTests.initial("b", "1"), LineFormatTests.event("films.0.title", #""Aliens""#, 2),
                LineFormatTests.event("b", "2", 3),
            ]
        )
        #expect(run.output == "Brazil 1\nAliens 1\nAliens 2\n")
    }

    @Test func `with --all each value of a pattern has a line, those at the start too`() throws {
        let events = [
            LineFormatTests.initial("films.0.title", #""Alien""#, more: true),
            LineFormatTests.initial("films.1.title", #""Brazil""#, more: true),
            LineFormatTests.initial("b", "1"),
            LineFormatTests.event("films.0.title", #""Aliens""#, 2, more: true),
            LineFormatTests.event("films.1.title", #""Brazil""#, 2),
        ]
        let words = ["--all", "--format", "{@path} {} {b|-}", "films.*.title", "b"]
        #expect(
            try run(words, initial: 3, events).output
                == """
                films.0.title Alien -
                films.1.title Brazil -
                b Brazil 1
                films.0.title Aliens 1
                films.1.title Brazil 1

                """
        )
        #expect(
            try run(["--no-initial"] + words, initial: 3, events).output
                == "films.0.title Aliens 1\nfilms.1.title Brazil 1\n"
        )
        #expect(
            try run(["--count", "4"] + words, initial: 3, events).output.split(separator: "\n").count == 4
        )
        // Several paths without a pattern stay one line a frame.
        #expect(
            try run(
                ["--all", "--format", "{} {b}", "films.0.title", "b"],
                initial: 2,
                [
                    LineFormatTests.initial("films.0.title", "1", more: true),
                    LineFormatTests.initial("b", "2"),
                ]
            ).output == "1 2\n"
        )
    }

    @Test(arguments: [
        // Fallbacks.
        ("{a ?? b}", "null", #""B""#, "B"), ("{a??b}", #""A""#, #""B""#, "A"),
        ("{a ?? b}", "null", "null", ""),
        ("{a ?? 'it\\'s } | : ?? none'}", "null", "1", "it's } | : ?? none"),
        (#"{a ?? "n/a"}"#, "null", "1", "n/a"),
        ("{a ?? b ?? 0}", "null", "null", "0"), ("{ a ?? true }", "null", "1", "true"),
        ("{ ?? b}", "null", "2", "2"),
        ("{a ?? b|none}", "null", "null", "none"), ("{a ?? @reason}", "null", "1", "initial"),
        (#"{a|\{b\}}"#, "null", "1", "{b}"), (#"{a|x\|y\\z}"#, "null", "1", #"x|y\z"#),
        // Null.
        ("{a}", "null", "1", ""), ("{a:json}", "null", "1", "null"),
        ("{a ?? b:json}", "null", "null", "null"),
        ("{a:json|-}", "null", "1", "-"), ("{a:.1|-}", "null", "1", "-"),
        // Decimals, half away from zero, of the decimal that JSON shows.
        ("{a:.1}", "20.05", "1", "20.1"), ("{a:.1}", "0.15", "1", "0.2"), ("{a:.0}", "2.5", "1", "3"),
        ("{a:.0}", "-2.5", "1", "-3"), ("{a:.2}", "7", "1", "7.00"), ("{a:.1}", "-0.04", "1", "0.0"),
        ("{a:.1}", "9.96", "1", "10.0"), ("{a:.3}", "1.5e-3", "1", "0.002"), ("{a:.2}", "1e-9", "1", "0.00"),
        ("{a:.0}", "1.5E+20", "1", "150000000000000000000"), ("{a:.15}", "0.1", "1", "0.100000000000000"),
        ("{a:.0}", "9223372036854775807", "1", "9223372036854775807"), ("{a:.1}", #""x""#, "1", "x"),
        ("{a:.1}", "[1]", "1", "[1]"), ("{a:.1} °C", "true", "1", "true °C"),
        ("{a ?? b:.1}", "null", "1.25", "1.3"),
        // Lengths and durations.
        ("{a:3}", #""Alien""#, "1", "Al…"), ("{a:5}", #""Alien""#, "1", "Alien"),
        ("{a:2}", #""e\u0301日本""#, "1", "e\u{301}…"),
        ("{a:duration}", "187", "1", "3:07"), ("{a:duration}", "3723.9", "1", "1:02:03"),
        ("{a:duration}", "-5", "1", "-0:05"),
        ("{a:duration}", "0", "1", "0:00"), ("{a:duration}", #""long""#, "1", "long"),
        ("{a:duration}", "1e300", "1", "1e300"), ("{a:.1:duration}", "61.25", "1", "61.3"),
        // Expressions.
        ("{a + b * 2}", "1", "2.5", "6.0"), ("{a < b ? 'less' : 'more'}", "1", "2", "less"),
        ("{a && !b}", "true", "null", "true"),
        ("{a / 3:.2} {b == 'x'}", "1", #""x""#, "0.33 true"), ("{a + b|none}", "1", #""x""#, "none"),
        ("{len(a)} {upper(b)}", "[1,2]", #""é""#, "2 É"), ("{@revision + 1}", "1", "1", "2"),

        ("{a == b}", #"{"x":1,"y":2}"#, #"{"y":2.0,"x":1}"#, "true"),
        ("{a ?? b:json}", "null", #"{"y":[1]}"#, #"{"y":[1]}"#),
        // Text for other programs.
        ("{a:markup}", #""R&B <1>""#, "1", "R&amp;B &lt;1&gt;"),
        ("{a:json:markup}", #"{"a":"<"}"#, "1", #"{"a":"&lt;"}"#),
        ("{a:4:markup}", #""R&B <1>""#, "1", "R&amp;B…"),
        ("{a:markup:4}", #""R&B <1>""#, "1", "R&amp;B…"),
        ("{a:tmux}", ##""#H #[fg=red] 50%""##, "1", "##H ##[fg=red] 50%"),
        ("{a:tmux}", ##""C#""##, "1", "C## "),
        ("{a:polybar}{b}", #""%{A1:x:}%%""#, #""{F#f00}""#, "%%{O0}{A1:x:}%%%{O0}{F#f00}"),
        ("{a:zsh}", #""%n %F{red}""#, "1", "%%n %%F{red}"),
        ("{a:plain}", #""\u001b[31m\u202e\u009b""#, "1", #"\u{1b}[31m\u{202e}\u{9b}"#),
        ("{a:tmux}", #""\u0007""#, "1", #"\u{7}"#),
    ])
    func `operands are tried in turn, and formats apply to the value`(
        template: String,
        a: String,
        b: String,
        line: String
    ) throws {
        let run = try run(
            ["--format", template, "a", "b"],
            initial: 2,
            [LineFormatTests.initial("a", a, more: true), LineFormatTests.initial("b", b)]
        )
        #expect(run.output == "\(line)\n")
    }

    @Test func `a path may have colons, quotes and question marks after backslashes`() throws {
        let run = try run(
            ["--format", #"{aa\:bb:.1} {\'c} {d\?\?e}"#, "aa:bb", "'c", "d??e"],
            initial: 3,
            [
                LineFormatTests.initial("aa:bb", "1.25", more: true),
                LineFormatTests.initial("'c", "2", more: true),
                LineFormatTests.initial("d??e", "3"),
            ]
        )
        #expect(run.output == "1.3 2 3\n")
    }

    @Test func `without a path, those of the template are observed`() throws {
        let answer = #"{"id":1,"result":{"subscription":1,"revision":1,"initial":2,"epoch":"e"}}"#
        let daemon = try FakeDaemon { _ in
            .init(
                lines: [
                    answer, LineFormatTests.initial("p.a", "1", more: true),
                    LineFormatTests.initial(#"p.b\\.c"#, "2"), LineFormatTests.event("p.a", "3", 2),
                ],
                isLast: true
            )
        }
        let run = try ToolRun(
            ["--socket", daemon.path, "subscribe", "--no-reconnect", "--under", "p"]
                + ["--format", #"{a + b\.c} {a} {\b\.c}"#]
        )
        #expect(run.output == "3 1 2\n5 3 2\n")
        #expect(daemon.requests[0].contains(#""paths":["p.a","p.b\\.c","p.\\b\\.c"]"#))
    }

    @Test func `--raw of a pattern says whose value it is`() throws {
        let events = [LineFormatTests.initial("films.0.title", #""Alien""#)]
        #expect(try run(["--raw", "films.*.title"], initial: 1, events).output == "films.0.title\tAlien\n")
        #expect(try run(["--raw", "films.0.title"], initial: 1, events).output == "Alien\n")
    }

    @Test func `a value that is too large is reported and reads as null`() throws {
        let run = try run(
            ["--format", "{|none}", "a"],
            initial: 1,
            [LineFormatTests.initial("a", "1"), LineFormatTests.event("a", nil, 2)]
        )
        #expect(run.output == "1\nnone\n")
        #expect(
            run.error == """
                observectl: a: the value is larger than the daemon shows
                observectl: the daemon has gone

                """
        )
    }

    @Test func `waybar gets text, tooltip, class, alt and percentage, the first two in Pango markup`() throws
    {
        let run = try run(
            ["--format", "waybar", "a", "b", "c", "d", "e"],
            initial: 5,
            [
                LineFormatTests.initial("a", #""R&B <\"1\">""#, more: true),
                LineFormatTests.initial("b", #""two\nlines""#, more: true),
                LineFormatTests.initial("c", #"["x","y"]"#, more: true),
                LineFormatTests.initial("d", #""a&b""#, more: true), LineFormatTests.initial("e", "62.5"),
                LineFormatTests.event("c", #""on""#, 2),
                LineFormatTests.event("a", "null", 3, more: true),
                LineFormatTests.event("b", "null", 3, more: true),
                LineFormatTests.event("c", "null", 3, more: true),
                LineFormatTests.event("d", "null", 3, more: true),
                LineFormatTests.event("e", #""full""#, 3),
            ]
        )
        #expect(
            run.output == #"""
                {"text":"R&amp;B &lt;\"1\"&gt;","tooltip":"two\nlines","class":["x","y"],"alt":"a&b","percentage":62.5}
                {"text":"R&amp;B &lt;\"1\"&gt;","tooltip":"two\nlines","class":"on","alt":"a&b","percentage":62.5}
                {"text":""}

                """#
        )
    }

    @Test func `i3blocks gets full text, short text and color, without markup`() throws {
        let run = try run(
            ["--format", "i3blocks", "a", "b", "c"],
            initial: 3,
            [
                LineFormatTests.initial("a", #""R&B\n\u0007\"x\"""#, more: true),
                LineFormatTests.initial("b", "5", more: true), LineFormatTests.initial("c", ##""#ff0000""##),
            ]
        )
        #expect(
            run.output == ##"""
                {"full_text":"R&B  'x'","short_text":"5","color":"#ff0000","markup":"none"}

                """##
        )
    }

    @Test func `several paths in --raw print the path and the value, and -0 ends them with NUL`() throws {
        let run = try run(["--raw", "-0", "p.artist", "p.title"], initial: 2, LineFormatTests.frames)
        #expect(
            run.output
                == "p.artist\tBowie\0p.title\tHeroes\0p.artist\tEno\0p.title\tAn\nEnding\0p.title\tnull\0"
        )
    }

    @Test func `--time adds a member to JSON, and a column to --raw`() throws {
        let events = [LineFormatTests.initial("a", "1")]
        let json = try run(["--time", "a"], initial: 1, events).output
        let time = try #require(RawJSON(validating: Array(json.utf8)).string("time"))
        #expect(time.count == 24 && time.hasSuffix("Z"))
        #expect(
            json.replacing(time, with: "T")
                == #"{"subscription":1,"path":"a","reason":"initial","new":1,"revision":1,"time":"T"}"# + "\n"
        )
        let raw = try run(["--time", "--raw", "a"], initial: 1, events).output
        #expect(raw.hasSuffix("Z\t1\n") && raw.utf8.count == 27)
    }

    @Test(
        arguments: [
            (["--format", "{b}", "a", "c"], "--format has {b}, which is not one of the paths: a, c"),
            (
                ["--format", "{a", "a"],
                "--format: column 3: the template has a { that no } closes (a brace itself is written {{)"
            ),
            (
                ["--format", "{@reson}", "a"],
                "--format: column 2: @reson is not known: known are @reason, @path, @old, @nilAt, @time, @revision, @pid"
            ),
            (
                ["--format", "{@x}", "a"],
                "--format: column 2: @x is not known: known are @reason, @path, @old, @nilAt, @time, @revision, @pid"
            ),
            (
                ["--format", "waybar", "a", "b", "c", "d", "e", "f"],
                "--format waybar takes at most 5 paths: text, tooltip, class, alt, percentage"
            ),
            (
                ["--format", "i3blocks", "a", "b", "c", "d"],
                "--format i3blocks takes at most 3 paths: full_text, short_text, color"
            ),
            (
                ["--format", "{a|{c}}", "a", "c"],
                #"--format: column 4: the text for null has a {; a second path is {a ?? b}, and a brace itself is \{ there"#
            ),
            (["--format", "{a ?? }", "a"], "--format: column 7: expected an operand, found }"),
            (["--format", "{a ?? 'x}", "a"], "--format: column 10: the text in ' has no second '"),
            (["--format", "{a ?? 'x'y}", "a"], "--format: column 10: expected an operator or }, found y"),
            (
                ["--format", "{a:.1 ?? c}", "a", "c"],
                "--format: column 7: expected another format, | or }, found ??"
            ),
            (
                ["--format", "{a:.16}", "a"],
                "--format: column 4: .16 is not a format: known are .1, 20, duration, json, markup, plain, polybar, tmux, zsh"
            ),
            (
                ["--format", "{a:Json}", "a"],
                "--format: column 4: Json is not a format: known are .1, 20, duration, json, markup, plain, polybar, tmux, zsh"
            ),
            (
                ["--format", "{a[0]}", "a"],
                "--format: column 4: the condition 0 is never true; an element is a.0"
            ),
            (
                ["--format", "{home/mode}"],
                "'home/mode' may be a path or a division: names are separated by dots, as in home.mode, and a division has "
                    + "spaces, as in home / mode"
            ),
            (["--format", "x", "--all"], "something is missing: subscribe takes PATH…"),
            (["--format", "waybar"], "something is missing: subscribe takes PATH…"),
            (["--format", "{}", "--raw", "a"], "--format does not go with --raw"),
            (["--raw", "--prior", "a"], "--raw does not go with --prior"),
            (["--every", "--throttle", "1", "a"], "--throttle does not go with --every"),
            (["--all", "a"], "--all goes with --format alone"),
            (
                ["--since", "5", "a"],
                "--since takes EPOCH:REVISION, the epoch of status and a revision, not '5'"
            ),
            (["--tag", String(repeating: "é", count: 65), "a"], "--tag takes at most 128 bytes, not 130"),
            (["a..b"], "the path 'a..b' has two dots with nothing between them, so component 2 is empty"),
        ]
    )
    func `a wrong combination is reported before anything is connected`(words: [String], sentence: String)
        throws
    {
        let run = try ToolRun(["--socket", "/nowhere/socket", "subscribe"] + words)
        #expect(run.ending == .status(.usage))
        #expect(run.error.split(separator: "\n").first == "observectl: \(sentence)")
    }
}
