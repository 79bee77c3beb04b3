// SPDX-License-Identifier: MIT
// The manual page, which is made from the table of commands.

import ObserveCore
import Testing

@testable import observectl

struct ManualTests {
    private let manual: String

    init() throws {
        let package = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let bytes = try Platform.readFile("/\(package)/docs/observectl.1", limitBytes: 1 << 20)
        manual = String(decoding: bytes, as: UTF8.self)
    }

    @Test func `the manual page is the one of the table of commands`() {
        #expect(manual == ManualPage.text(of: CommandTable.all), "'make manual' writes it")
    }

    @Test func `the manual page describes every command, option, exit status and variable`() {
        for spec in CommandTable.all {
            #expect(manual.contains(".Cm \(spec.names.joined(separator: " | "))\n"), "\(spec.name)")
            for option in spec.allOptions { #expect(manual.contains(".It Fl \(option.name.dropFirst())")) }
        }
        for status in ExitStatus.allCases { #expect(manual.contains(".It \(status.rawValue)\n")) }
        for name in ["OBSERVED_SOCKET", "XDG_RUNTIME_DIR"] { #expect(manual.contains(".It Ev \(name)")) }
    }

    @Test func `text of the table can't be a macro`() {
        let spec = CommandSpec(
            usage: "dots 'A' \"B\"",
            summary: ".so ~a",
            details: "'quoted' back\\slash\n  .literal line\nand -more",
            run: { _ in }
        )
        let page = ManualPage.text(of: [spec])
        #expect(
            page.contains(
                """
                .It Xo
                .Cm dots
                .Ar "\\(aqA\\(aq \\(dqB\\(dq"
                .Xc
                \\&.so \\(tia.
                .Pp
                \\(aqquoted\\(aq back\\eslash
                .Bd -literal -offset indent -compact
                \\&.literal line
                .Ed
                and \\-more
                """
            )
        )
    }
}
