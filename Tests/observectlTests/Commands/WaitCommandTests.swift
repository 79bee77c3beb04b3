// SPDX-License-Identifier: MIT
// The conditions of wait, its request, its output, and its wrong command lines.

import ObserveCore
import Synchronization
import Testing

@testable import observectl

struct WaitCommandTests {
    private static func conditions(_ words: [String]) throws -> [Condition] {
        try ConditionParser.parse(
            ParsedArguments(
                words,
                of: "wait",
                options: [],
                operandsEndOptions: false,
                numbersAreOperands: true
            )
        )
    }

    @Test(
        arguments: [
            ("a = 5", "5.0", true), ("a = 5", "6", false), ("a = on", #""on""#, true),
            ("a = null", "null", true),
            (#"a = {"x":1,"y":2}"#, #"{"y":2,"x":1.0}"#, true), ("a = [1]", "[1,2]", false),
            ("a != 5", "null", true), ("a != 5", "5", false),
            ("a < 5", "4.5", true), ("a < 5", "5", false), ("a <= 5", "5.0", true), ("a > -1", "0", true),
            ("a >= 9007199254740993", "9007199254740992.0", false), ("a > 5", "null", false),
            ("a > 5", #""6""#, false), ("a < b", #""aa""#, true), ("a < b", "1", false),
            ("a > true", "true", false),
            ("a ~ ^Al", #""Alien""#, true), ("a ~ ie", #""Alien""#, true), ("a ~ ^ie", #""Alien""#, false),
            ("a ~ 5", "5", false), ("a ~ .", "null", false),
            ("a exists", "0", true), ("a exists", "null", false), ("a", "false", true), ("a", "null", false),
            ("a gone", "null", true), ("a gone", #""""#, false),
            ("a == 5", "5", true), ("a eq 5", "5", true), ("a eq 5", "4", false), ("a ne 5", "4", true),
            ("a lt 5", "4", true), ("a le 5", "5", true), ("a gt 5", "5", false), ("a ge 5", "5", true),
            ("a>=5", "5", true), ("a>=5", "4", false), ("a<5", "4", true), ("a!=5", "4", true),
            ("a=-5", "-5", true), ("a~^Al", #""Alien""#, true), ("a >=5", "5", true),
            ("a == ==", #""==""#, true), ("a = =5", #""=5""#, true),
            ("a=='on'", #""on""#, true), ("!a", "null", true), ("!a", "true", false), ("a&&a", "true", true),
            ("len(a)>1", #""ab""#, true), ("a?null:true", "false", true), ("a+1", "1", false),
            ("0>-a", "1", true),
            (#"contains(a,"~")"#, #""a~b""#, true), ("'on'==a", #""on""#, true),
        ]
    )
    func `a condition holds for a value`(text: String, value: String, holds: Bool) throws {
        let words = text.split(separator: " ").map(String.init)
        let conditions = try WaitCommandTests.conditions(words)
        #expect(conditions.map(\.paths) == [["a"]])
        #expect(try conditions[0].holds(for: [Value(json: Array(value.utf8), maxDepth: 10)]) == holds)
    }

    @Test(arguments: ["a >= 5", "a ge 5", "a ~ on the way", "a gone", "a >=5", "a>= 5", "a ? true : null"])
    func `a whole condition may be one word`(text: String) throws {
        let conditions = try WaitCommandTests.conditions([text, "b"])
        #expect(conditions.flatMap(\.paths) == ["a", "b"])
        #expect(conditions[0].text.filter { $0 != " " } == text.filter { $0 != " " })
    }

    @Test(
        arguments: [
            (["\\eq"], ["\\eq"]), (["a", "\\is"], ["a", "\\is"]), (["\\5"], ["\\5"]),
            ([#"a.b\=c"#, "=", "5"], [#"a.b\=c"#]), (["a", "\\EQ"], ["a", "\\EQ"]),
            (["becomes"], ["becomes"]),
            (["a.b/c.d > 1"], ["a.b", "c.d"]), (["a / b > 1"], ["a", "b"]),
            ([#"a\+b"#, "=", "3"], [#"a\+b"#]), (["a.is", "b.=5"], []),
        ] as [([String], [String])]
    )
    func `a backslash makes a path of a word that looks like an operator`(words: [String], paths: [String]) {
        #expect((try? WaitCommandTests.conditions(words))?.flatMap(\.paths) ?? [] == paths)
    }

    @Test func `several conditions follow each other`() throws {
        let words = ["a", "b.c", "exists", "d", "<", "-5", "e", "gone", "f"]
        #expect(
            try WaitCommandTests.conditions(words).flatMap(\.paths) == ["a", "b.c", "d", "e", "f"]
        )
    }

    @Test(
        arguments: [
            ([], "something is missing: wait takes CONDITION…"),
            (["=", "5"], "'=' has no PATH before it"), (["==5"], "'==' has no PATH before it"),
            (["eq", "5"], "'eq' has no PATH before it; a root of that name is written '\\eq'"),
            (
                ["a", "exists", "gone"],
                "'gone' has no PATH before it; a root of that name is written '\\gone'"
            ),
            (["a", "="], "'a =' needs a VALUE"), (["a", "ge"], "'a ge' needs a VALUE"),
            (["a>="], "'a>=' needs a VALUE"),
            (["a=1", "b", "<"], "'b <' needs a VALUE"),
            (["a", "=>", "5"], "'=>' is not an operator of wait; did you mean '>='?"),
            (["a", "=<", "5"], "'=<' is not an operator of wait; did you mean '<='?"),
            (["a", "<>", "5"], "'<>' is not an operator of wait; did you mean '!='?"),
            (["a<>5"], "'<>' is not an operator of wait; did you mean '!='?"),
            (["a => 5"], "'=>' is not an operator of wait; did you mean '>='?"),
            (["a===5"], "'===' is not an operator of wait; did you mean '='?"),
            (["a:5"], "':' is not an operator of wait; did you mean '='?"),
            (["a≥5"], "'≥' is not an operator of wait; did you mean '>='?"),
            (["a=~x"], "'=~' is not an operator of wait; did you mean '~'?"),
            (["a ~= x"], "'~=' is not an operator of wait; did you mean '~'?"),
            (["a=1 && b~x"], "an expression has no '~': PATH '~' PATTERN is a condition of its own"),
            (
                ["a=[1]"],
                "the condition 'a=[1]': column 3: expected an operand, found [; a VALUE in another form is a word of its own, "
                    + "as in PATH = VALUE"
            ),
            (["a="], "'a=' needs a VALUE"), (["=5"], "'=' has no PATH before it"),
            (["a=on"], WaitCommandTests.ambiguous("on", "a=on", "=")),
            (["a == on"], WaitCommandTests.ambiguous("on", "a == on", "=")),
            (["a>1&&b!=on"], WaitCommandTests.ambiguous("on", "a>1&&b!=on", "!=")),
            (["a=example.org"], WaitCommandTests.ambiguous("example.org", "a=example.org", "=")),
            (
                ["a = on the way"],
                "the condition 'a = on the way': column 8: expected an operator, found the; a VALUE in another form "
                    + "is a word of its own, as in PATH = VALUE"
            ),
            (["'x' == 'y'"], "the condition ''x' == 'y'' has no PATH, so it never changes"),
            (
                ["a[0] > 1"],
                "the condition 'a[0] > 1': column 3: the condition 0 is never true; an element is a.0"
            ),
            (["a", "=~", "b"], "'=~' is not an operator of wait; did you mean '~'?"),
            (["a", "===", "5"], "'===' is not an operator of wait; did you mean '='?"),
            (["a -eq 5"], "'-eq' is not an operator of wait; did you mean 'eq'?"),
            (["--", "a", "-le", "5"], "'-le' is not an operator of wait; did you mean 'le'?"),
            (["a", "is", "5"], "'is' is not an operator of wait; did you mean '='?"),
            (["a", "≥", "5"], "'≥' is not an operator of wait; did you mean '>='?"),
            (
                ["a", "?", "5"],
                "'?' is not an operator of wait; the operators are = != < <= > >= ~, eq ne lt le gt ge, "
                    + "and exists and gone without a VALUE"
            ),
            (
                ["a", "=", "1", "and", "b", "=", "2"],
                "'and' is not a PATH: all conditions have to hold, and nothing is between them; "
                    + "a root of that name is written '\\and'"
            ),
            (
                ["a", "=", "1", "||", "b"],
                "'||' is not a PATH: with --any, one of the conditions is enough, and nothing is between them"
            ),
            (
                ["a", "50"],
                "'50' is a VALUE, and no operator is before it, as in PATH = 50; "
                    + "a root of that name is written '\\50'"
            ),
            (
                ["a", "=", "1", "true"],
                "'true' is a VALUE, and no operator is before it, as in PATH = true; "
                    + "a root of that name is written '\\true'"
            ),
            (
                ["a", "~", "("],
                "the regular expression '(': a ( is not closed; a parenthesis itself is \\( (column 1)"
            ),
            (
                ["a", "~", "(?=b)"],
                "the regular expression '(?=b)': lookahead, (?=…), is not supported (column 1)"
            ),
            (
                ["a", "=", "{"],
                "the value '{' begins like JSON and is not: an early end of the text at byte 1: a bracket is not closed"
            ),
            (
                ["a.*", "=", "1"],
                "'a.*' is a pattern, and wait takes key paths without * and **; a name that is a star is written \\*"
            ),
            (
                ["a..b", "=", "1"],
                "the path 'a..b' has two dots with nothing between them, so component 2 is empty"
            ),
            (
                ["a", "EQ", "b"],
                "'EQ' is not an operator of wait; did you mean 'eq'?" + WaitCommandTests.root("EQ")
            ),
            (
                ["a", "IS", "b"],
                "'IS' is not an operator of wait; did you mean '='?" + WaitCommandTests.root("IS")
            ),
            (
                ["a", "Exists"],
                "'Exists' is not an operator of wait; did you mean 'exists'?"
                    + WaitCommandTests.root("Exists")
            ),
            (
                ["a", "becomes", "b"],
                "'becomes' is not an operator of wait; did you mean '='?" + WaitCommandTests.root("becomes")
            ),
            (
                ["a", "ge50"],
                "'ge50' is not an operator of wait; did you mean 'ge 50'?" + WaitCommandTests.root("ge50")
            ),
            (["a", "!exists"], "'!exists' is not an operator of wait; did you mean 'gone'?"),
            (
                ["a", "=", "1", "AND", "b"],
                "'AND' is not a PATH: all conditions have to hold, and nothing is between them; "
                    + "a root of that name is written '\\AND'"
            ),
            (["!a", "exists"], WaitCommandTests.whole("!a")),
            (["len(a)", "gt", "3"], WaitCommandTests.whole("len(a)")),
            (["a+b", "=", "3"], WaitCommandTests.whole("a+b")),
            (["a/b"], WaitCommandTests.slashed("a", "b")),
            (["a/b.c > 5"], WaitCommandTests.slashed("a", "b.c")),
            (["a..b"], "the condition 'a..b': column 3: expected a name, found ."),
            (
                ["a", "--for", "soon"],
                "--for takes a duration, like 1.5 (seconds), 200ms, 2s, 25m, 1h or 1d, not 'soon'"
            ),
        ] as [([String], String)]
    )
    func `a wrong condition is reported before anything is connected`(words: [String], sentence: String)
        throws
    {
        let run = try ToolRun(["--socket", "/nowhere/socket", "wait"] + words)
        #expect(run.ending == .status(.usage))
        #expect(run.error.split(separator: "\n").first == "observectl: \(sentence)")
    }

    private static func root(_ word: String) -> String { "; a root of that name is written '\\\(word)'" }

    private static func whole(_ path: String) -> String {
        "'\(path)' is an expression, which has its operator and VALUE in the same word, as in 'a + b > 5'; "
            + "in a name, a backslash precedes such a character"
    }

    private static func slashed(_ left: String, _ right: String) -> String {
        "'\(left)/\(right)' may be a path or a division: names are separated by dots, as in \(left).\(right), "
            + "and a division has spaces, as in \(left) / \(right)"
    }

    private static func ambiguous(_ path: String, _ word: String, _ sign: String) -> String {
        "'\(path)' in '\(word)' may be a text or a path: a text is a word of its own, as in PATH \(sign) \(path), "
            + "or has quotes, as in PATH\(sign)'\(path)'; the path is written \\\(path)"
    }

    private static func event(_ path: String, _ new: String, _ revision: Int, more: Bool = false) -> String {
        let more = more ? #","more":true"# : ""
        return
            #"{"method":"change","params":{"subscription":1,"path":"\#(path)","reason":"valueChanged","new":\#(new),"revision":\#(revision)\#(more)}}"#
    }

    /// A daemon whose conditions on `a` and `b` hold together at revision 4 alone.
    private func daemon() throws -> FakeDaemon {
        try FakeDaemon { _ in
            .init(lines: [
                #"{"id":1,"result":{"subscription":1,"revision":1,"initial":3,"epoch":"e"}}"#,
                WaitCommandTests.event("a", "0", 1, more: true),
                WaitCommandTests.event("c.d", "null", 1, more: true), WaitCommandTests.event("b", "0", 1),
                WaitCommandTests.event("a", "5", 2), WaitCommandTests.event("a", "1", 3, more: true),
                WaitCommandTests.event("b", "7", 3), WaitCommandTests.event("a", "5", 4),
                WaitCommandTests.event("a", "2", 5, more: true), WaitCommandTests.event("b", "0", 5),
            ])
        }
    }

    @Test func `all conditions hold at one commit`() throws {
        let daemon = try daemon()
        let run = try ToolRun(daemon, "wait", "a", ">", "2", "b", "=", "7", "a", "<", "9")
        #expect(run.ending == .status(.done))
        #expect(run.output == "5\n7\n5\n")
        #expect(
            daemon.requests == [
                #"{"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"paths":["a","b"],"whole":true,"delivery":"every"}}"#
            ]
        )
    }

    @Test func `an expression over several paths holds at one commit`() throws {
        let daemon = try daemon()
        let run = try ToolRun(daemon, "wait", "a > 2 && b == a + 2", "a < b", "-t", "5s")
        #expect(run.ending == .status(.done))
        #expect(run.output == "true\ntrue\n")
        #expect(daemon.requests[0].contains(#""paths":["a","b"]"#))
    }

    @Test func `a frame counts as a whole`() throws {
        let run = try ToolRun(try daemon(), "wait", "--timeout", "0.2", "a", "=", "1", "b", "=", "0")
        #expect(run.ending == .status(.timedOut))
        #expect(run.output.isEmpty)
        #expect(
            run.error == "observectl: timed out: a = 1 does not hold, a is 2\n"
        )
    }

    @Test(
        arguments: [
            (
                ["b", "=", "0", "c.d", "a>=9", "a > 1 && b > 1", "a", "gone"],
                "c.d exists does not hold, c.d is null; a>=9 does not hold, a is 2; "
                    + "a > 1 && b > 1 does not hold, a is 2, b is 0; a gone does not hold, a is 2"
            ),
            (
                ["--any", "a", "=", "on", "b", "~", "x"],
                "a = on does not hold, a is 2; b ~ x does not hold, b is 0"
            ),
            (["--for", "1h", "a", "=", "2"], "the conditions hold, but not for the time of --for"),
        ] as [([String], String)]
    )
    func `a timeout names the conditions that do not hold`(words: [String], sentence: String) throws {
        let run = try ToolRun(["--socket", daemon().path, "wait", "-t", "300ms"] + words)
        #expect(run.ending == .status(.timedOut))
        #expect(run.error == "observectl: timed out: \(sentence)\n")
    }

    @Test func `a timeout without a daemon says so`() throws {
        let run = try ToolRun(["--socket", "/nowhere/socket", "wait", "-t", "50ms", "a"])
        #expect(run.ending == .status(.timedOut))
        #expect(run.error.hasSuffix("observectl: timed out: the daemon has sent no values\n"))
    }

    @Test func `a regular expression that takes long ends at the timeout`() throws {
        let text = String(repeating: "a", count: 200_000)
        let daemon = try FakeDaemon { _ in
            .init(lines: [
                #"{"id":1,"result":{"subscription":1,"revision":1,"initial":1,"epoch":"e"}}"#,
                WaitCommandTests.event("a", "\"\(text)\"", 1),
            ])
        }
        let run = try ToolRun(daemon, "wait", "-t", "300ms", "a", "~", "(a?){200}a{200}b")
        #expect(run.ending == .status(.timedOut))
        #expect(run.error == "observectl: timed out: a regular expression takes too long\n")
    }

    @Test func `with --any one condition is enough`() throws {
        let run = try ToolRun(try daemon(), "wait", "--any", "b", "=", "7", "a", "=", "1")
        #expect(run.ending == .status(.done))
        #expect(run.output == "7\n")
    }

    @Test func `missed changes are judged commit by commit`() throws {
        let replies: [[String]] = [
            [
                #"{"id":1,"result":{"subscription":1,"revision":1,"initial":1,"epoch":"e"}}"#,
                WaitCommandTests.event("a", "0", 1),
            ],
            [
                #"{"id":1,"result":{"subscription":1,"revision":4,"initial":0,"epoch":"e","resumed":true,"replayed":3}}"#,
                WaitCommandTests.event("a", "5", 2, more: true),
                WaitCommandTests.event("a", "6", 3, more: true),
                WaitCommandTests.event("a", "0", 4),
            ],
        ]
        let next = Mutex(0)
        let daemon = try FakeDaemon(connections: 2) { _ in
            let turn = next.withLock { count in
                count += 1
                return count - 1
            }
            return .init(lines: replies[turn], isLast: turn == 0)
        }
        let run = try ToolRun(daemon, "wait", "-t", "10s", "a", "=", "5")
        #expect(run.ending == .status(.done))
        #expect(run.output == "5\n")
    }

    @Test func `with --for the timeout ends the wait for a daemon that has gone`() throws {
        let daemon = try FakeDaemon { _ in
            .init(
                lines: [
                    #"{"id":1,"result":{"subscription":1,"revision":1,"initial":1,"epoch":"e"}}"#,
                    WaitCommandTests.event("a", "1", 1),
                ],
                isLast: true
            )
        }
        let run = try ToolRun(daemon, "wait", "--for", "100ms", "-t", "400ms", "a", "=", "1")
        #expect(run.ending == .status(.timedOut))
    }

    @Test(arguments: [["a", "gone"], ["a", "!=", "5"], ["!a"], ["a", "<", "5"]])
    func `a value that is too large to show is not null`(words: [String]) throws {
        let daemon = try FakeDaemon { _ in
            .init(lines: [
                #"{"id":1,"result":{"subscription":1,"revision":1,"initial":1,"epoch":"e"}}"#,
                WaitCommandTests.event("a", "5", 1).replacing(#""new":5"#, with: #""truncated":true"#),
            ])
        }
        let run = try ToolRun(["--socket", daemon.path, "wait", "-t", "300ms"] + words)
        #expect(run.ending == .status(.timedOut))
        let text = words.joined(separator: " ")
        let lack = "\(text) does not hold, a is larger than the daemon shows"
        #expect(run.error == "observectl: timed out: \(lack)\n")
    }
}
