// SPDX-License-Identifier: MIT
// How output looks: for people on a terminal, verbatim for programs. Independent of what is printed.

import ObserveCore

struct Presentation: Equatable {
    /// Whether standard output is a terminal, which control characters would change.
    var isTerminal = false
    /// Whether JSON has a line for each member and element.
    var isIndented = false
    var isColoured = false
    /// Whether a list is a table instead of JSON.
    var hasTables = false
    var columns = 80

    /// Whether times are in UTC, instead of the zone of the process.
    var isUTC = false

    static let plain = Presentation()

    static let options = [
        OptionSpec("--color auto|always|never", "colour JSON; auto does on a terminal"),
        OptionSpec("--pretty", "indent JSON, as on a terminal"),
        OptionSpec("--compact", "print JSON in one line, as in a pipe"),
        OptionSpec("--utc", "show and read times in UTC, not in local time"),
    ]

    /// - Throws: a usage error if the options contradict each other.
    init(_ arguments: ParsedArguments, _ process: ToolProcess) throws(CommandError) {
        let (isPretty, isCompact) = (arguments.has("--pretty"), arguments.has("--compact"))
        if isPretty, isCompact { throw arguments.usage("--pretty and --compact exclude each other") }
        isTerminal = Terminal.isTerminal(process.streams.output)
        isIndented = isPretty || isTerminal && !isCompact
        hasTables = isTerminal && !isPretty && !isCompact
        switch arguments.options["--color"] {
        case "always": isColoured = true
        case "never": isColoured = false
        default:
            let isRefused = process.environment("NO_COLOR")?.isEmpty == false
            isColoured = isTerminal && !isRefused && process.environment("TERM") != "dumb"
        }
        isUTC = arguments.has("--utc")
        if isTerminal { columns = Terminal.columns(process.streams.output) ?? 80 }
    }

    private init() {}

    var zone: ClockZone { isUTC ? .utc : .local }

    /// Whether bytes are printed as the daemon sent them.
    var isVerbatim: Bool { !isTerminal && !isIndented && !isColoured }
}
