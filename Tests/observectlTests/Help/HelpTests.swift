// SPDX-License-Identifier: MIT
// The completeness of help, and the ways to print it.

import ObserveCore
import Testing

@testable import observectl

struct HelpTests {
    @Test func `the overview names every command and every exit status`() {
        let words = Help.overview(of: CommandTable.all).split { $0 == " " || $0 == "\n" }.joined(
            separator: " "
        )
        for spec in CommandTable.all {
            let names = spec.names.joined(separator: ", ")
            #expect(Help.overview(of: CommandTable.all).contains("  \(names) "))
            #expect(words.contains(spec.summary))
        }
        for option in ["--socket PATH", "--timeout TIME", "--help", "--version"] {
            #expect(Help.overview(of: CommandTable.all).contains(option))
        }
    }

    @Test func `each command's help names its options and operands`() {
        for spec in CommandTable.all {
            let text = Help.text(of: spec)
            #expect(text.contains(spec.operands))
            for name in spec.names { #expect(text.contains(name)) }
            let words = text.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
            for option in spec.options {
                #expect(text.contains("  \(option.usage)"), "\(spec.name) \(option.name)")
                #expect(words.contains(option.summary), "\(spec.name) \(option.name)")
            }
            #expect(!text.contains("Exit status"))
        }
        for status in ExitStatus.allCases {
            #expect(Help.overview(of: CommandTable.all).contains("  \(status.rawValue) "))
        }
    }

    @Test func `help fits a terminal`() {
        let texts = [Help.overview(of: CommandTable.all)] + CommandTable.all.map(Help.text(of:))
        for line in texts.joined(separator: "\n").split(separator: "\n") {
            #expect(line.count <= 80, "\(line)")
        }
        for spec in CommandTable.all {
            // With the prompt after it.
            let lines = Help.text(of: spec).split(separator: "\n", omittingEmptySubsequences: false).count + 1
            #expect(lines <= (["subscribe", "bench"].contains(spec.name) ? 50 : 24), "\(spec.name)")
        }
    }

    @Test func `help is printed on standard output, with status 0`() throws {
        for words in [["--help"], ["-h"], ["help"], ["--socket", "x", "--help"]] {
            let run = try ToolRun(words)
            #expect(run.ending == .status(.done))
            #expect(run.output == Help.overview(of: CommandTable.all) + "\n")
            #expect(run.error.isEmpty)
        }
        for spec in CommandTable.all {
            for words in [["help", spec.name], [spec.name, "--help"], [spec.name, "-h", "--nonsense"]] {
                let run = try ToolRun(words)
                #expect(run.ending == .status(.done))
                #expect(run.output == Help.text(of: spec) + "\n")
                #expect(run.error.isEmpty)
            }
        }
    }

    @Test func `the version is one line`() throws {
        let run = try ToolRun(["--version"])
        #expect(run.ending == .status(.done))
        #expect(run.output == "observed \(version)\n")
    }
}
