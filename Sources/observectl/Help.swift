// SPDX-License-Identifier: MIT
// The text of --help, made from a table of commands.

import ObserveCore

enum Help {
    static func overview(of commands: [CommandSpec]) -> String {
        let commands = commands.map { ("\($0.name) \($0.operands)", $0.summary) }
        return """
            Usage: observectl [--socket PATH] COMMAND [ARGUMENT…]
            Watch, read and write the model trees of a running observed.

            Commands:
            \(table(commands))

            Options:
            \(table((OptionSpec.common + [OptionSpec.help, OptionSpec.version]).map { ($0.usage, $0.summary) }))

            \(exitStatuses)

            The socket is --socket PATH, else $OBSERVED_SOCKET, else $XDG_RUNTIME_DIR/observed.sock, else
            /tmp/observed-UID/observed.sock.

            Examples:
              observectl subscribe app.playbackController.player.videoTitle
              observectl set app.playbackController.player '{"videoTitle": "Alien"}'
              observectl get --raw app.playbackController.player.videoTitle

            'observectl help COMMAND' explains a command.
            """
    }

    static func text(of spec: CommandSpec) -> String {
        let options = spec.allOptions + [OptionSpec.help]
        let own = spec.options.isEmpty ? "" : " [OPTION]…"
        let operands = spec.operands.isEmpty ? "" : " \(spec.operands)"
        let details = spec.details.map { "\n\($0)\n" }.joined()
        return """
            Usage: observectl \(spec.name)\(own)\(operands)
            \(capitalized(spec.summary)).\(aliases(of: spec))
            \(details)
            Options:
            \(table(options.map { ($0.usage, $0.summary) }))

            \(exitStatuses)
            """
    }

    private static func aliases(of spec: CommandSpec) -> String {
        spec.aliases.isEmpty ? "" : " Also: \(spec.aliases.joined(separator: ", "))."
    }

    private static var exitStatuses: String {
        let rows = ExitStatus.allCases.map { ("\($0.rawValue)", $0.meaning) }
        return "Exit status:\n\(table(rows + [("128+n", "ended by signal n")]))"
    }

    /// Two columns, the second aligned.
    private static func table(_ rows: [(String, String)]) -> String {
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { left, right in
            "  \(left)\(String(repeating: " ", count: width - left.count))  \(right)"
        }.joined(separator: "\n")
    }

    private static func capitalized(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst()
    }
}
