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
                |a valueChanged 2 "x" a 7

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

    @Test func `waybar gets text, tooltip and class, in Pango markup`() throws {
        let run = try run(
            ["--format", "waybar", "a", "b", "c"],
            initial: 3,
            [
                LineFormatTests.initial("a", #""R&B <\"1\">""#, more: true),
                LineFormatTests.initial("b", #""two\nlines""#, more: true),
                LineFormatTests.initial("c", #"["x","y"]"#), LineFormatTests.event("c", #""on""#, 2),
                LineFormatTests.event("a", "null", 3, more: true),
                LineFormatTests.event("b", "null", 3, more: true),
                LineFormatTests.event("c", "null", 3),
            ]
        )
        #expect(
            run.output == #"""
                {"text":"R&amp;B &lt;\"1\"&gt;","tooltip":"two\nlines","class":["x","y"]}
                {"text":"R&amp;B &lt;\"1\"&gt;","tooltip":"two\nlines","class":"on"}
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
                {"full_text":"R&B  'x'","short_text":"5","color":"#ff0000"}

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
            (["--format", "{a", "a"], "--format has a { that no } closes (a brace itself is written {{)"),
            (["--format", "{@reson}", "a"], "--format has no {@reson}; did you mean {@reason}?"),
            (
                ["--format", "{@x}", "a"],
                "--format has no {@x}: known are @reason, @path, @old, @nilAt, @time, @revision, @pid"
            ),
            (
                ["--format", "waybar", "a", "b", "c", "d"],
                "--format waybar takes at most three paths: text, tooltip, class"
            ),
            (["--format", "{}", "--raw", "a"], "--format does not go with --raw"),
            (["--raw", "--prior", "a"], "--raw does not go with --prior"),
            (["--every", "--throttle", "1", "a"], "--throttle does not go with --every"),
            (["--all", "a"], "--all goes with --format alone"),
            (
                ["--since", "5", "a"],
                "--since takes EPOCH:REVISION, the epoch of status and a revision, not '5'"
            ),
            (["--tag", String(repeating: "é", count: 65), "a"], "--tag takes at most 128 bytes, not 130"),
            (["a..b"], "the path 'a..b': component 2 of the key path is empty"),
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
