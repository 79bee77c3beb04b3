// SPDX-License-Identifier: MIT
// Wrong command lines: status 2, one sentence, and the help to read. No request is sent.

import ObserveCore
import Testing

@testable import observectl

struct UsageTests {
    @Test(
        arguments: [
            ([], "a command is missing", ""),
            (["nonsense"], "unknown command 'nonsense'", ""),
            (["Get", "a"], "unknown command 'Get'; did you mean 'get'?", ""),
            (["subscirbe", "a"], "unknown command 'subscirbe'; did you mean 'subscribe'?", ""),
            (["--sokcet", "a", "get"], "unknown option '--sokcet'; did you mean --socket?", ""),
            (["get", "a", "--rwa"], "unknown option '--rwa'; did you mean --raw?", "get "),
            (["get", "-raw", "a"], "unknown option '-raw'; did you mean --raw?", "get "),
            (
                ["get", "nats://u:secret@host"], "a PATH is a key path, not the address of a server", "get "
            ),
            (["rm"], "something is missing: remove takes PATH", "remove "),
            (
                ["call", "get", "[1]"], #"PARAMS is a JSON object, like '{"path": "app.volume"}', not '[1]'"#,
                "call "
            ),
            (
                ["call", "get", "{"],
                "PARAMS is not JSON: an early end of the text at byte 1: a bracket is not closed", "call "
            ),
            (["get", "a", "--pretty", "--compact"], "--pretty and --compact exclude each other", "get "),
            (["get", "a", "--color", "red"], "--color takes auto, always or never, not 'red'", "get "),
            (
                ["--nonsense"], "unknown option '--nonsense'; a command's own options are behind its name",
                ""
            ),
            (["-r", "get", "a"], "unknown option '-r'; a command's own options are behind its name", ""),
            (
                ["increment", "a", "5", "--max", "9"],
                "'--max' is too much: increment takes PATH [BY]; options come before PATH [BY]", "increment "
            ),
            (["increment", "a", "5", "6"], "'6' is too much: increment takes PATH [BY]", "increment "),
            (
                ["hold", "a", "5", "-t", "1"],
                "'-t' is too much: a command comes after '--'; options come before PATH VALUE [-- COMMAND…]",
                "hold "
            ),
            (
                ["set", "a", "a", "-b", "c"],
                "'-b' is too much: set takes PATH VALUE; several words are one VALUE in quotes: 'a -b c'",
                "set "
            ),
            (
                ["set", "--if-value", "{", "a", "5"],
                "--if-value begins like JSON and is not: an early end of the text at byte 1: a bracket is not closed",
                "set "
            ),
            (
                ["wait", "a", "=", "1", "b", "=", "["],
                "the value '[' begins like JSON and is not: an early end of the text at byte 1: a bracket is not closed",
                "wait "
            ),
            (["tree", "--json", "--svg", "x"], "--svg does not go with --json", "tree "),
            (
                ["log", "--since", "2999-01-01"],
                "--since takes a past time, like 30 (seconds), 5m, 1d, 14:00 or 2026-01-31T14:00, not '2999-01-01'",
                "log "
            ),
            (
                ["get", "a.@length"],
                "the path 'a.@length': @length is not a collection operator: known are @count, @sum, @avg, @min, "
                    + "@max, @unionOfObjects, @distinctUnionOfObjects, @first, @latest; a name that begins with @ is "
                    + "written \\@length",
                "get "
            ),
            (
                ["get", "../home/mode"],
                "the path '../home/mode' begins with a dot; a path begins with the name of a root, as in 'home.mode'",
                "get "
            ),
            (["get", "./"], "'./' is not a key path; 'observectl ls' lists the roots", "get "),
            (
                ["get", "[0]"],
                "the path '[0]': column 2: the condition 0 is never true; an element is PATH.0", "get "
            ),
            (
                ["get", "--format", "app.volume", "a"],
                "--format 'app.volume' has no value, so its line never changes: {PATH} is the value at a path; "
                    + "'waybar' and 'i3blocks' alone print the JSON of these bars",
                "get "
            ),
            (["--socket"], "--socket needs a value: --socket PATH", ""),
            (["subscribe", "a", "--resume", ""], "--resume needs a value: --resume FILE", "subscribe "),
            (["tree", "--svg="], "--svg needs a value: --svg FILE", "tree "),
            (["load", ""], "FILE is empty; '-' is standard input", "load "),
            (["--socket", "a", "--socket", "b", "ping"], "--socket is given twice", ""),
            (["--socket", "a", "ping", "--socket", "b"], "--socket is given twice", "ping "),
            (["help", "nonsense"], "unknown command 'nonsense'", ""),
            (["subscribe"], "something is missing: subscribe takes PATH…", "subscribe "),
            (["subscribe", "--raw"], "something is missing: subscribe takes PATH…", "subscribe "),
            (["subscribe", "a", "--nonsense"], "unknown option '--nonsense'", "subscribe "),
            (
                ["subscribe", "a", "--count", "abc"],
                "--count takes a whole number that is not negative, not 'abc'",
                "subscribe "
            ),
            (
                ["subscribe", "a", "--count=-1"],
                "--count takes a whole number that is not negative, not '-1'",
                "subscribe "
            ),
            (
                ["subscribe", "a", "--timeout", "0"],
                "--timeout takes a duration above 0, like 1.5 (seconds), 200ms, 2s, 25m, 1h or 1d, not '0'",
                "subscribe "
            ),
            (
                ["--timeout", "soon", "ping"],
                "--timeout takes a duration above 0, like 1.5 (seconds), 200ms, 2s, 25m, 1h or 1d, not 'soon'",
                "ping "
            ),
            (["subscribe", "a", "--raw", "--raw"], "--raw is given twice", "subscribe "),
            (["get"], "something is missing: get takes PATH…", "get "),
            (["remove", "a", "b"], "'b' is too much: remove takes PATH", "remove "),
            (["get", "a", "--old"], "unknown option '--old'", "get "),
            (["set"], "something is missing: set takes PATH VALUE", "set "),
            (["set", "a"], "something is missing: set takes PATH VALUE", "set "),
            (
                ["set", "a", "5", "--string"],
                "'--string' is too much: set takes PATH VALUE; options come before PATH VALUE",
                "set "
            ),
            (
                ["set", "a", "--string", "5"],
                "'5' is too much: set takes PATH VALUE; options come before PATH VALUE", "set "
            ),
            (
                ["merge", "a", "--dry-run", "{}"],
                "'{}' is too much: merge takes PATH JSON; options come before PATH JSON", "merge "
            ),
            (
                ["explain", "a.@count"],
                "the path 'a.@count' has a collection operator, and explain takes the path of one value",
                "explain "
            ),
            (
                ["increment", "a", "--dry-run"],
                "BY is a number, like 5 or -0.5, not '--dry-run'; options come before PATH", "increment "
            ),
            (
                ["set", "--if-revision", "-1", "a", "5"],
                "--if-revision takes a whole number that is not negative, not '-1'",
                "set "
            ),
            (
                ["set", "a", "{a:1}"],
                "the value begins like JSON and is not: a member without a name at byte 1: names need double "
                    + "quotes; put the JSON in apostrophes, or the shell removes its quotes "
                    + "(--string accepts any text)",
                "set "
            ),
            (
                ["set", "a", "Hello", "World"],
                "'World' is too much: set takes PATH VALUE; several words are one VALUE in quotes: 'Hello World'",
                "set "
            ),
            (
                ["merge", "a", "{b:", "1}"],
                "'1}' is too much: merge takes PATH JSON; put the JSON in apostrophes, so that it is one word, "
                    + "with its quotes",
                "merge "
            ),
            (
                ["hold", "a", "on", "the", "way"],
                "'the' is too much: a command comes after '--'; several words are one VALUE in quotes: "
                    + "'on the way'",
                "hold "
            ),
            (
                ["set", "a.b=5"],
                "something is missing: set takes PATH VALUE; a space is between them: set a.b 5", "set "
            ),
            (
                ["set", "a.b:5"],
                "something is missing: set takes PATH VALUE; a space is between them: set a.b 5", "set "
            ),
            (
                ["merge", "a={}"],
                "something is missing: merge takes PATH JSON; a space is between them: merge a '{}'", "merge "
            ),
            (["a.b"], "unknown command 'a.b'; 'observectl get a.b' prints the value at a path", ""),
            (
                ["call", "get", "a.b"],
                #"PARAMS is a JSON object, like '{"path": "app.volume"}', not 'a.b'"#, "call "
            ),
            (["delete", "a"], "unknown command 'delete'; did you mean 'remove'?", ""),
            (["unset", "a"], "unknown command 'unset'; did you mean 'remove'?", ""),
            (["replace", "a"], "unknown command 'replace'; did you mean 'set'?", ""),
            (["undo", "4"], "unknown command 'undo'; did you mean 'revert'?", ""),
            (
                ["reload"],
                "unknown command 'reload'; SIGHUP makes the daemon read its configuration again", ""
            ),
            (
                ["move"],
                "unknown command 'move'; 'link' gives a model a second path, and 'remove' removes the first",
                ""
            ),
            (
                ["stop"],
                "unknown command 'stop'; a signal ends the daemon, or the service manager that started it", ""
            ),
            (
                ["COPY"],
                "unknown command 'COPY'; 'get' and 'set' copy a value, and 'link' gives a model a second path",
                ""
            ),
            (
                ["pop"], "unknown command 'pop'; 'get' prints an element, and 'remove' removes it", ""
            ),
            (["put", "a"], "unknown command 'put'; did you mean 'set'?", ""),
            (["KEYS"], "unknown command 'KEYS'; did you mean 'ls'?", ""),
            (["monitor"], "unknown command 'monitor'; did you mean 'subscribe'?", ""),
            (["decr", "a"], "unknown command 'decr'; did you mean 'increment PATH -1'?", ""),
            (["subscribe", "a", "-rx"], "unknown option '-rx'", "subscribe "),
            (["subscribe", "a", "-n"], "--count needs a value: --count N", "subscribe "),
            (
                ["subscribe", "a", "-timeout", "1"], "unknown option '-timeout'; did you mean --timeout?",
                "subscribe "
            ),
            (
                ["subscribe", "a", "-nx"], "--count takes a whole number that is not negative, not 'x'",
                "subscribe "
            ),
            (["remove"], "something is missing: remove takes PATH", "remove "),
            (["link", "a"], "something is missing: link takes PATH TARGET", "link "),
            (["describe", "a", "b"], "'b' is too much: describe takes [PATH]", "describe "),
            (["status", "a"], "'a' is too much: status takes nothing", "status "),
            (["ping", "a"], "'a' is too much: ping takes nothing", "ping "),
            (["demo", "a"], "'a' is too much: demo takes nothing", "demo "),
            (["--socket", "a", "demo"], "unknown option '--socket'", "demo "),
        ] as [([String], String, String)]
    )
    func `a wrong command line is reported in a sentence`(
        words: [String],
        sentence: String,
        command: String
    ) throws {
        let run = try ToolRun(words)
        #expect(run.ending == .status(.usage))
        #expect(run.output.isEmpty)
        #expect(
            run.error
                == """
                observectl: \(sentence)
                Try 'observectl \(command)--help' for more information.

                """
        )
    }

    @Test func `a bridge takes two paths that only look alike, and none twice`() throws {
        let words = ["bridge", "--bucket", "b", "--credentials", "/nowhere/file", "r.\u{E9}"]
        #expect(try ToolRun(words + ["r.e\u{301}"]).ending == .status(.inputOutput))
        let twice = try ToolRun(words + ["r.\u{E9}"])
        #expect(twice.ending == .status(.usage))
        #expect(twice.error.hasPrefix("observectl: 'r.\u{E9}' is given twice\n"))
    }

    @Test(
        arguments: [
            (["set", "home/mode", "1"], "home/mode", "home.mode", #"home\/mode"#),
            (["subscribe", "r.>"], "r.>", "r.**", #"r.\>"#),
            (["exec", "a", "r.on*", "--", "x/y[0]"], "r.on*", "r.*", #"r.on\*"#),
            (
                ["wait", "a", ">", "5", "r.#"], "r.#", "r.**",
                "r.\\#"
            ),
            (
                ["wait", "b/c", "exists"], "b/c", "b.c", #"b\/c"#
            ),
            (["subscribe", "--under", "a/b", "c"], "a/b.c", "a.b.c", #"a\/b.c"#),
            (["link", "a", "/b"], "/b", "b", #"\/b"#),
            (["hold", "a/b", "1", "--", "x"], "a/b", "a.b", #"a\/b"#),
            (["load", "--json", "a/b", "-"], "a/b", "a.b", #"a\/b"#),
            (["tree", "a/b"], "a/b", "a.b", #"a\/b"#),
            (["set", "a.b:", "60"], "a.b:", "a.b", #"a.b\:"#),
            (["set", "a=", "60"], "a=", "a", #"a\="#),
            (["merge", "a:", "{}"], "a:", "a", #"a\:"#),
            (["insert", "a:", "1"], "a:", "a", #"a\:"#),
            (["hold", "a:", "1", "--", "x"], "a:", "a", #"a\:"#),
            (["increment", "a:", "5"], "a:", "a", #"a\:"#),
        ] as [([String], String, String, String)]
    )
    func `a path in another program's notation is refused`(
        words: [String],
        path: String,
        meant: String,
        escaped: String
    ) throws {
        let run = try ToolRun(words)
        #expect(run.ending == .status(.usage))
        #expect(run.output.isEmpty)
        #expect(run.error.hasPrefix("observectl: the path '\(path)': "))
        #expect(run.error.contains("; did you mean '\(meant)'? A name with it is written '\(escaped)'\n"))
    }

    @Test func `an index in brackets is refused with the advice to write it with a dot`() throws {
        let run = try ToolRun(["get", "a", "arr[0]"])
        #expect(run.ending == .status(.usage))
        #expect(
            run.error.hasPrefix(
                "observectl: the path 'arr[0]': column 5: the condition 0 is never true; an element is arr.0\n"
            )
        )
    }

    @Test func `arguments that are not text are refused`() throws {
        #expect(try ToolRun(nil).ending == .status(.usage))
    }

    // MARK: Key paths

    private static let commandsWithPaths = CommandTable.all.filter { spec in
        ["PATH", "SOURCE", "CONDITION"].contains { spec.operands.contains($0) }
    }

    /// The operands of a command, its first ones that path.
    private static func words(_ spec: CommandSpec, path: String) -> [String] {
        [spec.name]
            + spec.operands.split(separator: " ").map { $0.filter { !"[]…".contains($0) } }.flatMap { word in
                switch word {
                case "PATH", "TARGET", "SOURCE": [path]
                // A word alone is an expression.
                case "CONDITION": [path, "exists"]
                case "--": ["--"]
                case "COMMAND": ["true"]
                default: ["1"]
                }
            }
    }

    @Test(arguments: commandsWithPaths.map(\.name))
    func `every command looks at its paths before it connects`(name: String) throws {
        let spec = try CommandTable.all.named(name)
        let faults = [
            ("a..b", "the path 'a..b' has two dots with nothing between them, so component 2 is empty"),
            ("home.", "the path 'home.' ends in a dot, and nothing follows it; 'home' is the path before it"),
            (".a", "the path '.a' begins with a dot; a path begins with the name of a root, as in 'a'"),
            ("a.**.b", "the path 'a.**.b': ** stands for any depth and must be the last component"),
        ]
        for (path, sentence) in faults {
            let run = try ToolRun(["--socket", "/nowhere/socket"] + Self.words(spec, path: path))
            #expect(run.ending == .status(.usage))
            #expect(run.error.split(separator: "\n").first == "observectl: \(sentence)")
        }
    }

    @Test func `there are such commands`() {
        #expect(Self.commandsWithPaths.count > 20)
    }

    @Test(
        arguments: [
            ["insert", "a", "--target", "a..b"], ["load", "--json", "a..b"], ["bridge", "--export", "a..b"],
            ["subscribe", "--under", "a.", "b"],
        ]
    )
    func `paths of options are looked at, too`(words: [String]) throws {
        let run = try ToolRun(["--socket", "/nowhere/socket"] + words)
        #expect(run.ending == .status(.usage))
        #expect(run.error.contains("two dots with nothing between them"))
    }

    @Test(
        arguments: CommandTable.all.filter { !$0.takesPatterns && $0.operands.contains("PATH") }.map(\.name)
    )
    func `a pattern is refused where one value is meant`(name: String) throws {
        let spec = try CommandTable.all.named(name)
        let run = try ToolRun(["--socket", "/nowhere/socket"] + Self.words(spec, path: "a.*"))
        #expect(run.ending == .status(.usage))
        #expect(run.error.hasPrefix("observectl: 'a.*' is a pattern, and \(name) takes key paths without"))
    }

    // MARK: Help

    @Test(arguments: CommandTable.all.map(\.name))
    func `help is asked for behind operands, too`(name: String) throws {
        let spec = try CommandTable.all.named(name)
        let operands = Self.words(spec, path: "a").prefix { $0 != "--" }
        #expect(try ToolRun(Array(operands) + ["--help"]).output == Help.text(of: spec) + "\n")
        #expect(try ToolRun(Array(operands) + ["-h"]).output == Help.text(of: spec) + "\n")
    }
}
