// SPDX-License-Identifier: MIT
// The completeness of help, and the ways to print it.

import ObserveCore
import Testing

@testable import observectl

struct HelpTests {
    @Test func `the overview names every command and every exit status`() {
        for spec in CommandTable.all {
            #expect(Help.overview(of: CommandTable.all).contains("  \(spec.name) "))
            #expect(Help.overview(of: CommandTable.all).contains(spec.summary))
        }
        for option in ["--socket PATH", "--timeout TIME", "--help", "--version"] {
            #expect(Help.overview(of: CommandTable.all).contains(option))
        }
    }

    @Test func `each command's help names its options, its operands and every exit status`() {
        for spec in CommandTable.all {
            let text = Help.text(of: spec)
            #expect(text.contains(spec.operands))
            for option in spec.allOptions {
                #expect(text.contains("  \(option.usage) "), "\(spec.name) \(option.name)")
                #expect(text.contains(option.summary))
            }
            for status in ExitStatus.allCases { #expect(text.contains("  \(status.rawValue) ")) }
            #expect(text.contains("  128+n "))
        }
    }

    @Test func `no line of help is wider than a page`() {
        let texts = [Help.overview(of: CommandTable.all)] + CommandTable.all.map(Help.text(of:))
        for line in texts.joined(separator: "\n").split(separator: "\n") {
            #expect(line.count <= 100, "\(line)")
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
        #expect(run.output == "observectl \(version)\n")
    }
}
