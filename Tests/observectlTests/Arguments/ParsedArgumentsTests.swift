// SPDX-License-Identifier: MIT
// Options, operands and the faults of a command line.

import ObserveCore
import Testing

@testable import observectl

struct ParsedArgumentsTests {
    private static let specs = [
        OptionSpec("-r, --raw", ""), OptionSpec("-n, --count N", ""),
        OptionSpec("--name TEXT", ""), OptionSpec("-a, --all", ""),
    ]

    private func parse(_ line: String, operandsEndOptions: Bool = false) throws -> ParsedArguments {
        try ParsedArguments(
            line.split(separator: " ").map(String.init),
            of: "test",
            options: Self.specs,
            operandsEndOptions: operandsEndOptions
        )
    }

    @Test(
        arguments: [
            ("", [:], []),
            ("a b", [:], ["a", "b"]),
            ("--raw a --count 3 b", ["--raw": "", "--count": "3"], ["a", "b"]),
            ("a --count=3", ["--count": "3"], ["a"]),
            ("--name=", ["--name": ""], []),
            ("--name=a=b", ["--name": "a=b"], []),
            ("--name --raw", ["--name": "--raw"], []),
            ("--name -- a", ["--name": "--"], ["a"]),
            ("a -- --raw", [:], ["a", "--raw"]),
            ("-- --", [:], ["--"]),
            ("a - b", [:], ["a", "-", "b"]),
            ("a -r -n 3 b", ["--raw": "", "--count": "3"], ["a", "b"]),
            ("-ran3 b", ["--raw": "", "--all": "", "--count": "3"], ["b"]),
            ("-rn 3", ["--raw": "", "--count": "3"], []),
            ("-n=3", ["--count": "3"], []),
            ("a -- -r", [:], ["a", "-r"]),
        ] as [(String, [String: String], [String])]
    )
    func `options may be anywhere before two dashes`(
        line: String,
        options: [String: String],
        operands: [String]
    ) throws {
        let parsed = try parse(line)
        #expect(parsed.options == options)
        #expect(parsed.operands == operands)
        #expect(!parsed.wantsHelp)
    }

    @Test(
        arguments: [
            ("--raw a --raw", ["--raw": ""], ["a", "--raw"]),
            ("a -5", [:], ["a", "-5"]),
            ("a --", [:], ["a", "--"]),
            ("a -- -5", [:], ["a", "-5"]),
            ("a -- --help", [:], ["a", "--help"]),
            ("a -- --", [:], ["a", "--"]),
            ("a -r", [:], ["a", "-r"]),
            ("-- -5 --x", [:], ["-5", "--x"]),
            ("- --raw", [:], ["-", "--raw"]),
        ] as [(String, [String: String], [String])]
    )
    func `the first operand may end options`(
        line: String,
        options: [String: String],
        operands: [String]
    ) throws {
        let parsed = try parse(line, operandsEndOptions: true)
        #expect(parsed.options == options)
        #expect(parsed.operands == operands)
        #expect(!parsed.wantsHelp)
    }

    @Test(arguments: ["--help", "-h", "a --help --nonsense", "--raw -h"])
    func `--help ends parsing`(line: String) throws {
        #expect(try parse(line).wantsHelp)
        #expect(try parse(line, operandsEndOptions: true).wantsHelp)
    }

    @Test(
        arguments: [
            ("a -- b c", ["a", "--", "b", "c"]), ("-- -a -- b", ["-a", "--", "b"]),
            ("a -- b -- c", ["a", "--", "b", "--", "c"]), ("-- b", ["b"]),
        ] as [(String, [String])]
    )
    func `two dashes that separate operands stay, and may follow two that end options`(
        line: String,
        operands: [String]
    ) throws {
        let parsed = try ParsedArguments(
            line.split(separator: " ").map(String.init),
            of: "test",
            options: Self.specs,
            operandsEndOptions: false,
            separator: 1
        )
        #expect(parsed.operands == operands)
    }

    @Test(arguments: [
        ("--nonsense", "unknown option '--nonsense'"),
        ("--nonsense=5", "unknown option '--nonsense'"),
        ("-x", "unknown option '-x'"),
        ("-rx", "unknown option '-rx'"),
        ("-raw", "unknown option '-raw'; did you mean --raw?"),
        ("-name", "unknown option '-name'; did you mean --name?"),
        ("-rr", "--raw is given twice"),
        ("-rn", "--count needs a value: --count N"),
        ("-5", "unknown option '-5'"),
        ("--raw=yes", "--raw takes no value"),
        ("--raw --raw", "--raw is given twice"),
        ("--count 1 --count=2", "--count is given twice"),
        ("--count", "--count needs a value: --count N"),
        ("--ra", "unknown option '--ra'; did you mean --raw?"),
    ])
    func `a fault is reported in a sentence`(line: String, sentence: String) {
        #expect(throws: CommandError.usage(sentence, command: "test")) { try parse(line) }
    }

    @Test(arguments: [("0", 0), ("3", 3), ("007", 7), ("9223372036854775807", .max)] as [(String, Int64)])
    func `a count is a whole number`(text: String, count: Int64) throws {
        #expect(try parse("--count=\(text)").count("--count") == count)
    }

    @Test(arguments: ["", "-1", "+1", "abc", "1.5", "1e3", "9223372036854775808", "٣"])
    func `other texts are not a count`(text: String) throws {
        let parsed = try parse("--count=\(text)")
        #expect(throws: CommandError.self) { try parsed.count("--count") }
    }

    @Test(
        arguments: [
            ("1", 1_000_000_000), ("0.25", 250_000_000), (".5", 500_000_000), ("2.", 2_000_000_000),
            ("0.0000000001", 1), ("99999999999999999999", 3_000_000_000_000_000_000),
        ] as [(String, UInt64)]
    )
    func `a deadline is a number of decimal seconds from now`(text: String, nanoseconds: UInt64) throws {
        let now = MonotonicTime(nanoseconds: 7)
        let deadline = try parse("--count=\(text)").deadline("--count", from: now)
        #expect(deadline?.nanoseconds == nanoseconds + 7)
    }

    @Test(arguments: ["", "0", "0.0", ".", "-1", "+1", "abc", "1e3", "inf", "nan", "0x10", "1,5", "1 "])
    func `zero and texts that are not numbers are not a deadline`(text: String) throws {
        let parsed = try ParsedArguments(
            ["--count=\(text)"],
            of: "test",
            options: Self.specs,
            operandsEndOptions: false
        )
        #expect(throws: CommandError.self) { try parsed.deadline("--count") }
    }
}
