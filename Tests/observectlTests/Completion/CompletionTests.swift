// SPDX-License-Identifier: MIT
// The candidates for the last word of a command line, and for the last component of a key path.

import ObserveCore
import Testing

@testable import observectl

struct CompletionTests {
    private func words(_ line: String) -> [String]? {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard case .words(let candidates) = CompletedLine(words, of: CommandTable.all).completion else {
            return nil
        }
        return candidates.map(\.word)
    }

    private func completion(_ line: String) -> Completion {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        return CompletedLine(words, of: CommandTable.all).completion
    }

    @Test func `the first word is a command or an option`() {
        #expect(words("") == CommandTable.all.flatMap(\.names))
        #expect(words("un") == ["unbind"])
        #expect(words("--s") == ["--socket"])
        #expect(words("--socket /x sub") == ["subscribe"])
        #expect(words("nonsense a") == [])
    }

    @Test func `options of the command that are not given yet`() {
        #expect(words("subscribe --th") == ["--throttle"])
        #expect(words("subscribe --raw a --r") == ["--ready", "--resume"])
        #expect(words("watch --fo") == ["--format"])
        #expect(words("exec --on-fail ") == ["continue", "stop"])
        #expect(words("set --lifetime c") == ["connection"])
        #expect(words("subscribe --count ") == [])
        #expect(words("set app.volume --str") == [])
    }

    @Test func `operands are key paths, files or commands`() {
        #expect(completion("get a.b") == .path("a.b", more: []))
        #expect(completion("get x a") == .path("a", more: []))
        #expect(completion("subscribe --under a") == .path("a", more: []))
        #expect(completion("link a b") == .path("b", more: []))
        #expect(completion("set a ") == .words([]))
        #expect(completion("get -- -a") == .path("-a", more: []))
        #expect(completion("load ") == .files)
        #expect(completion("--socket /r") == .files)
        #expect(completion("exec a -- ma") == .files)
        #expect(completion("exec a -") == completion("exec -"))
        #expect(words("help exp") == ["explain"])
        #expect(words("ping ") == [])
    }

    @Test func `wait completes operators after a path, and nothing for a value`() {
        #expect(completion("wait a ~ ") == .words([]))
        #expect(completion("wait a = 5 b") == .path("b", more: []))
        #expect(completion("wait a ex") == .path("ex", more: [Candidate(word: "exists")]))
        #expect(completion("wait a exists g") == .path("g", more: []))
    }

    @Test func `a path continues with the properties, elements and operators that the daemon describes`() {
        let answers = [
            "":
                #"{"kind":"model","properties":[{"name":"app","kind":"model","type":"Any"},{"name":"a:b","kind":"int","type":"Int"}]}"#,
            "app":
                #"{"kind":"model","properties":[{"name":"living.room","kind":"string","type":"Any","computed":true}]}"#,
            "app.list": #"{"kind":"array","type":"[Film]","count":2}"#,
        ]
        let paths = PathCompletion { path in
            answers[path].flatMap { try? RawJSON(validating: Array($0.utf8)) }
        }
        #expect(
            paths.candidates(for: "a") == [
                Candidate(word: "app", description: "model", continues: true),
                Candidate(word: "a:b", description: "Int"),
            ]
        )
        #expect(
            paths.candidates(for: #"app.living\."#) == [
                Candidate(word: #"app.living\.room"#, description: "string, computed")
            ]
        )
        #expect(
            paths.candidates(for: "app.list.") == [
                Candidate(word: "app.list.0", description: "Film", continues: true),
                Candidate(word: "app.list.1", description: "Film", continues: true),
            ]
        )
        #expect(paths.candidates(for: "app.list.@m").map(\.word) == ["app.list.@min", "app.list.@max"])
        #expect(paths.candidates(for: "nothing.x") == [])
    }

    @Test func `after * a path continues with the properties of all matching places, each once`() {
        let answers = [
            "rooms": """
            {"kind":"model","properties":[{"name":"hall","kind":"model"},{"name":"size","kind":"int"},
            {"name":"a.b","kind":"model"},{"name":"list","kind":"array"}]}
            """,
            "rooms.hall":
                #"{"kind":"model","properties":[{"name":"lamp","kind":"bool"},{"name":"name","kind":"null"}]}"#,
            #"rooms.a\.b"#:
                #"{"kind":"model","properties":[{"name":"lamp","kind":"model"},{"name":"heat","kind":"int"}]}"#,
            "rooms.list": #"{"kind":"array","type":"[Lamp]","count":2}"#,
            "rooms.hall.lamp": #"{"kind":"bool"}"#,
            #"rooms.a\.b.lamp"#: #"{"kind":"model","properties":[{"name":"on","kind":"bool"}]}"#,
        ]
        var asked: [String] = []
        let paths = PathCompletion { path in
            asked.append(path)
            return answers[path].flatMap { try? RawJSON(validating: Array($0.utf8)) }
        }
        #expect(
            paths.candidates(for: "rooms.*.") == [
                Candidate(word: "rooms.*.lamp", description: "bool", continues: true),
                Candidate(word: "rooms.*.name", description: "null"),
                Candidate(word: "rooms.*.heat", description: "int"),
                Candidate(word: "rooms.*.0", description: "Lamp", continues: true),
                Candidate(word: "rooms.*.1", description: "Lamp", continues: true),
            ]
        )
        #expect(asked == ["rooms", "rooms.hall", #"rooms.a\.b"#, "rooms.list"])
        #expect(paths.candidates(for: "rooms.*.h").map(\.word) == ["rooms.*.heat"])
        #expect(paths.candidates(for: "rooms.*.lamp.o").map(\.word) == ["rooms.*.lamp.on"])
        #expect(paths.candidates(for: #"rooms.\*.h"#) == [])
        #expect(paths.candidates(for: "rooms.**.h") == [])
    }

    @Test(arguments: [CompletedShell.bash, .zsh, .fish])
    func `names with hidden characters are no candidates, and descriptions show them`(shell: CompletedShell) {
        let words = ["a\u{202E}b", "a\u{E0041}", "a\u{1B}[2J", "a\nb", "\u{FEFF}a"].map {
            Candidate(word: $0)
        }
        let kept = [Candidate(word: "می\u{200C}خواهم"), Candidate(word: "b", description: "\u{202E}x")]
        let lines = String(decoding: shell.lines(words + kept), as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 3 && lines[1].hasPrefix("می\u{200C}خواهم"))
        #expect(!lines[2].unicodeScalars.contains("\u{202E}"))
    }

    @Test func `the places of many * are bounded`() {
        let names = (0..<50).map { #"{"name":"n\#($0)","kind":"model"}"# }.joined(separator: ",")
        var count = 0
        let paths = PathCompletion { _ in
            count += 1
            return try? RawJSON(validating: Array(#"{"kind":"model","properties":[\#(names)]}"#.utf8))
        }
        #expect(paths.candidates(for: "*.*.*.*.n4").count == 11)
        #expect(count <= 1 + 4 * 33)
    }

    @Test func `an unknown shell is a wrong command line`() throws {
        let run = try ToolRun(["complete", "tcsh", "--", ""])
        #expect(run.ending == .status(.usage))
        #expect(run.error.hasPrefix("observectl: SHELL is one of bash, zsh, fish, not 'tcsh'\n"))
    }
}
