// SPDX-License-Identifier: MIT
// Whether the manual page describes every command, option and exit status.

import ObserveCore
import Testing

@testable import observectl

struct ManualTests {
    private let manual: String

    init() throws {
        let package = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let bytes = try Platform.readFile("/\(package)/docs/observectl.1", limitBytes: 1 << 20)
        manual = String(decoding: bytes, as: UTF8.self)
    }

    @Test func `the manual page describes every command and every option`() {
        for spec in CommandTable.all {
            #expect(manual.contains("Cm \(spec.name)"), "\(spec.name)")
            for option in spec.allOptions {
                #expect(manual.contains("Fl -\(option.name.dropFirst(2))"), "\(option.name)")
            }
        }
    }

    @Test func `the manual page describes only existing options`() {
        let known = CommandTable.all.flatMap(\.allOptions).map(\.name) + ["--help", "--version"]
        for line in manual.split(separator: "\n") where line.hasPrefix(".It Fl -") {
            let name = line.dropFirst(8).prefix { $0 != " " }
            #expect(known.contains("--\(name)"), "\(line)")
        }
    }

    @Test func `the manual page describes every exit status and variable`() {
        for status in ExitStatus.allCases { #expect(manual.contains(".It \(status.rawValue)\n")) }
        for name in ["OBSERVED_SOCKET", "XDG_RUNTIME_DIR"] { #expect(manual.contains(".It Ev \(name)")) }
    }
}
