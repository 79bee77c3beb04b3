// SPDX-License-Identifier: MIT
// Which messages the log writes, and in which form.

import ObserveCore
import Synchronization
import Testing

struct LogTests {
    /// The output of a separate log.
    private final class Lines: Sendable {
        let all = Mutex<[String]>([])
        func append(_ line: String) { all.withLock { $0.append(line) } }
        var list: [String] { all.withLock { $0 } }
    }

    private func write(_ threshold: LogLevel, _ prefix: LogPrefix, _ body: (Log) -> Void) -> [String] {
        let lines = Lines()
        let log = Log()
        log.open(threshold: threshold, prefix: prefix) { lines.append($0) }
        body(log)
        return lines.list
    }

    private func all(_ log: Log) {
        log.debug("d")
        log.info("i")
        log.warning("w")
        log.error("e")
    }

    @Test(
        arguments: [
            (.error, ["n: error: e\n"]),
            (.warning, ["n: warning: w\n", "n: error: e\n"]),
            (.info, ["n: i\n", "n: warning: w\n", "n: error: e\n"]),
            (.debug, ["n: d\n", "n: i\n", "n: warning: w\n", "n: error: e\n"]),
        ] as [(LogLevel, [String])]
    )
    func `the threshold decides`(_ threshold: LogLevel, _ expected: [String]) {
        #expect(write(threshold, .name("n"), all) == expected)
    }

    @Test func `the journal format has syslog priorities`() {
        #expect(write(.debug, .journalPriority, all) == ["<7>d\n", "<6>i\n", "<4>w\n", "<3>e\n"])
    }

    @Test(arguments: [
        ("two\nlines", "two\\nlines"),
        ("a\u{1B}[31mred", "a\\u{1b}[31mred"),
        ("nul\0 tab\t cr\r", "nul\\u{0} tab\\t cr\\u{d}"),
        ("\u{85}\u{2028}\u{7F}", "\\u{85}\\u{2028}\\u{7f}"),
        ("crlf\r\nend", "crlf\\u{d}\\nend"),
        ("é 🙂 e\u{301}", "é 🙂 e\u{301}"),
        ("", ""),
    ])
    func `a message is one line`(_ message: String, _ expected: String) {
        let lines = write(.info, .name("n")) { $0.info(message) }
        #expect(lines.map { Array($0.utf8) } == [Array("n: \(expected)\n".utf8)])
    }

    @Test func `a closed log writes nothing and builds no message`() {
        let log = Log()
        log.error(unbuilt())
        for level in LogLevel.allCases { #expect(!log.isWritten(level)) }
        #expect(write(.warning, .name("n")) { $0.info(unbuilt()) } == [])
    }

    private func unbuilt() -> String {
        Issue.record("a closed log built a message")
        return ""
    }

    @Test func `a sink may log`() {
        let lines = Lines()
        let log = Log()
        log.open(threshold: .info, prefix: .name("n")) { line in
            lines.append(line)
            if line == "n: outer\n" { log.info("inner") }
        }
        log.info("outer")
        #expect(lines.list == ["n: outer\n", "n: inner\n"])
    }

    @Test(
        arguments: [
            ("error", .error), ("warning", .warning), ("info", .info), ("debug", .debug), ("Info", nil),
            ("", nil),
        ]
            as [(String, LogLevel?)]
    )
    func `levels have names`(_ name: String, _ level: LogLevel?) {
        #expect(LogLevel(name: name) == level)
        if let level { #expect(level.name == name) }
    }
}
