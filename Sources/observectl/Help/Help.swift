// SPDX-License-Identifier: MIT
// The text of --help, made from a table of commands. Independent of the manual page, which is made from the same table.

import ObserveCore

enum Help {
    /// The columns of a terminal that every page fits.
    private static let columns = 80

    static func overview(of commands: [CommandSpec]) -> String {
        let commands = commands.map { ("\($0.names.joined(separator: ", ")) \($0.operands)", $0.summary) }
        return """
            Usage: observectl [--socket PATH] COMMAND [ARGUMENT…]
            Watch, read and write the model trees of a running observed.

            Commands:
            \(table(commands))

            Options:
            \(table((OptionSpec.common + [OptionSpec.help, OptionSpec.version]).map { ($0.usage, $0.summary) }))

            \(exitStatuses)

            A TIME is in seconds, or has a unit: 200ms, 2s, 25m, 1h, 1d.

            The socket is --socket PATH, else $OBSERVED_SOCKET, else
            $XDG_RUNTIME_DIR/observed.sock, else /tmp/observed-UID/observed.sock.

            Examples:
              observectl subscribe app.playbackController.player.videoTitle
              observectl set app.playbackController.player '{"videoTitle": "Alien"}'
              observectl get --raw app.playbackController.player.videoTitle

            'observectl help COMMAND' explains a command.
            """
    }

    static func text(of spec: CommandSpec) -> String {
        let own = spec.options.isEmpty ? "" : " [OPTION]…"
        let operands = spec.operands.isEmpty ? "" : " \(spec.operands)"
        var parts = [
            "Usage: observectl \(spec.names.joined(separator: "|"))\(own)\(operands)\n"
                + TextLayout.wrapped("\(spec.sentence).", columns: columns)
        ]
        parts += spec.paragraphs.text.map { TextLayout.wrapped($0, columns: columns) }
        if !spec.options.isEmpty {
            parts.append("Options:\n\(table(spec.options.map { ($0.usage, $0.summary) }))")
        }
        parts += spec.paragraphs.examples.map { TextLayout.wrapped($0, columns: columns) }
        if spec.asksDaemon { parts.append("'observectl --help' has the options of all commands.") }
        return parts.joined(separator: "\n\n")
    }

    private static var exitStatuses: String {
        let rows = ExitStatus.allCases.map { ("\($0.rawValue)", $0.meaning) }
        return "Exit status:\n\(table(rows + [("128+n", "ended by signal n")]))"
    }

    /// Two columns, the second aligned. A long entry of the first has a line of its own.
    private static func table(_ rows: [(String, String)]) -> String {
        let widest = 26
        let width = min(rows.map(\.0.count).max() ?? 0, widest)
        return rows.map { left, right in
            let indent = "\n" + String(repeating: " ", count: width + 4)
            let gap = left.count > width ? indent : String(repeating: " ", count: width - left.count + 2)
            let lines = TextLayout.wrapped(right, columns: columns - width - 4).replacing("\n", with: indent)
            return "  \(left)\(gap)\(lines)"
        }.joined(separator: "\n")
    }
}

extension CommandSpec {
    /// The summary as the beginning of a sentence.
    var sentence: String { summary.prefix(1).uppercased() + summary.dropFirst() }
}
