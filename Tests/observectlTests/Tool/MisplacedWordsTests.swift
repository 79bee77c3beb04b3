// SPDX-License-Identifier: MIT
// Words of a command line that are in another's place, and options of other programs. No request is sent.

import Testing

@testable import observectl

struct MisplacedWordsTests {
    @Test(
        arguments: [
            (["log", "5m"], "'5m' is a time, and not a PATH; did you mean --since 5m?" + root("5m")),
            (
                ["log", "-f", "14:00"],
                "'14:00' is a time, and not a PATH; did you mean --since 14:00?" + root("14:00")
            ),
            (
                ["plot", "a", "1h30m"],
                "'1h30m' is a time, and not a PATH; did you mean --since 1h30m?" + root("1h30m")
            ),
            (["top", "5"], "'5' is too much: top takes nothing; did you mean --interval 5?"),
            (["diff", "a", "41"], "'41' is too much: diff takes PATH; did you mean --since 41?"),
            (["remove", "a", "5"], "'5' is too much: remove takes PATH"),
            (["set", "50", "a.b"], "'50' is a VALUE, and the PATH is before it: set a.b 50" + end("50")),
            (
                ["merge", #"{"a":1}"#, "b"],
                #"'{"a":1}' is a VALUE, and the PATH is before it: merge b '{"a":1}'"# + end(#"{"a":1}"#)
            ),
            (
                ["hold", "true", "a.b", "--", "x"],
                "'true' is a VALUE, and the PATH is before it: hold a.b true" + end("true")
            ),
            (
                ["set", "a.b", "=", "5"],
                "'5' is too much: set takes PATH VALUE; no sign is between them: set a.b 5"
            ),
            (
                ["set", "a", "=", "b c"],
                "'b c' is too much: set takes PATH VALUE; no sign is between them: set a 'b c'"
            ),
            (
                ["set", "a", "--json", "5"],
                "'5' is too much: set takes PATH VALUE; set has no option '--json'"
            ),
            (
                ["increment", "a", "--by", "5"],
                "'5' is too much: increment takes PATH [BY]; increment has no option '--by'"
            ),
            (
                ["increment", "a.b+=5"],
                #"'a.b+=5' is a PATH and a number: increment a.b 5; a name with the sign is written 'a.b+\=5'"#
            ),
            (
                ["publish", "a", "x.json"],
                "'x.json' is too much: publish takes PATH; it reads standard input: observectl publish PATH < FILE"
            ),
            (
                ["dump", "a", "x"],
                "'x' is too much: dump takes [PATH]; it writes standard output: observectl dump PATH > FILE"
            ),
            (
                ["load", "--json", "/proc/self/comm"],
                "'/proc/self/comm' is a file, and --json takes the PATH to set: load --json PATH /proc/self/comm"
            ),
            (
                ["load", "--json", "/proc/self/comm", "a.b"],
                "'/proc/self/comm' is a file, and --json takes the PATH to set: load --json a.b /proc/self/comm"
            ),
            (
                ["set", "app", "volume", "5"],
                "'5' is too much: set takes PATH VALUE; did you mean 'set app.volume 5'? "
                    + "Otherwise, several words are one VALUE in quotes: 'volume 5'"
            ),
            (
                ["insert", "a", "0", "9"],
                "'9' is too much: insert takes PATH [VALUE]; did you mean 'insert --index 0 a 9'? "
                    + "Otherwise, several words are one VALUE in quotes: '0 9'"
            ),
            (
                ["link", "a", "=", "b"],
                "'b' is too much: link takes PATH TARGET; no sign is between them: link a b"
            ),
            (
                ["increment", "a", "+", "5"],
                "'5' is too much: increment takes PATH [BY]; no sign is between them: increment a 5"
            ),
            (["a.b=5"], "unknown command 'a.b=5'; 'observectl set a.b 5' sets the value at a path"),
            (
                ["ls", "/"],
                "the path '/': names are separated by dots, not by slashes; 'observectl ls' lists the roots. "
                    + #"A name with it is written '\/'"#
            ),
            (
                ["revert", "-1"],
                "REVISION is a number above 0, like 41, not '-1'; 'observectl log --json' has the revisions"
            ),
            (
                ["unbind", "a"],
                "BINDING is the number of a binding, not 'a'; 'observectl bindings' lists them"
            ),
        ] as [([String], String)]
    )
    func `a word in another's place is refused`(words: [String], sentence: String) throws {
        let run = try ToolRun(["--socket", "/nowhere/socket"] + words)
        #expect(run.ending == .status(.usage))
        #expect(run.error.split(separator: "\n").first == "observectl: \(sentence)")
    }

    private static func root(_ name: String) -> String { " A root of that name is written '\\\(name)'" }

    private static func end(_ name: String) -> String { "; a root of that name is written '\\\(name)'" }

    @Test(
        arguments: [
            ["log", #"\5m"#], ["get", "5"], ["get", "5m"], ["subscribe", "--no-wait", "a", "10s"],
            ["set", #"\50"#, "a.b"], ["set", "5", "6"], ["set", "5", "-"], ["set", "--string", "5", "a"],
            ["exec", "--no-wait", "a", "--", "sleep", "5m"], ["load", "--json", "a"],
            ["load", "--json", "Makefile"], ["load", "--json", "/proc/self/comm", "-"],
            ["increment", #"a\=5"#], ["increment", "a.12:30"], ["increment", "a=b"],
        ]
    )
    func `a word with an escape, or in its own place, is taken as it is`(words: [String]) throws {
        let run = try ToolRun(["--socket", "/nowhere/socket"] + words)
        #expect(!run.error.contains("is a time") && !run.error.contains("is a VALUE"))
        #expect(!run.error.contains("is a file") && !run.error.contains("is a PATH"))
    }

    @Test(
        arguments: [
            (["wait", "a", "-eq", "5"], "-eq", "; did you mean 'PATH eq VALUE'?"),
            (["wait", "a", "-gt", "5"], "-gt", "; did you mean 'PATH gt VALUE'?"),
            (["wait", "-z", "a"], "-z", "; did you mean 'PATH gone'?"),
            (["wait", "-n", "a"], "-n", "; did you mean 'PATH exists'?"),
            (["set", "--ttl", "5s", "a", "1"], "--ttl", "; did you mean --lifetime?"),
            (["log", "--from", "5m"], "--from", "; did you mean --since?"),
            (["tree", "-w"], "-w", "; did you mean --follow?"),
            (["subscribe", "a", "--limit", "5"], "--limit", "; did you mean --count?"),
            (["subscribe", "-C", "5", "a"], "-C", "; did you mean --count?"),
            (["subscribe", "a", "--prefix"], "--prefix", "; PATH.** is all that is below PATH"),
            (["increment", "-5", "a"], "-5", "; BY is behind PATH"),
            (["rm", "-rf", "a"], "-rf", "; remove removes all that is below PATH"),
            (
                ["get", "a", "--json"], "--json",
                "; in a pipe, JSON is the form without it, and on a terminal with --pretty or --compact"
            ),
            (["set", "--json", "a", "1"], "--json", ""), (["get", "--ttl", "5s", "a"], "--ttl", ""),
        ] as [([String], String, String)]
    )
    func `an option of another program has the one of this program beside it`(
        words: [String],
        option: String,
        remark: String
    ) throws {
        let run = try ToolRun(words)
        #expect(run.ending == .status(.usage))
        #expect(
            run.error.split(separator: "\n").first == "observectl: unknown option '\(option)'\(remark)"
        )
    }
}
