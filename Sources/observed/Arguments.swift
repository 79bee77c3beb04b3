// SPDX-License-Identifier: MIT
// The command line. Independent of files and the environment.

package import ObserveCore

package struct Arguments: Equatable, Sendable {
    package enum Command: Equatable, Sendable {
        case serve, checkState, checkUpgrade, printVersion, printHelp
        case checkConfiguration(String)
    }

    /// The place of the configuration, or of the state.
    package enum Place: Equatable, Sendable {
        case standard, none
        case path(String)

        fileprivate init(_ value: String) { self = value == "none" ? .none : .path(value) }

        /// The path; nil for none.
        package func path(standard: String?) -> String? {
            switch self {
            case .standard: standard
            case .none: nil
            case .path(let path): path
            }
        }
    }

    package var command = Command.serve
    package var socket: String?
    package var configuration = Place.standard
    /// Where models persist.
    package var state = Place.standard
    /// Whether to drop or reset what does not fit the declared types.
    package var mayAdapt = false
    /// Whether to continue with the commits before a damaged line.
    package var salvages = false
    package var logLevel = LogLevel.info
}

package struct UsageError: Error, Equatable, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
}

extension Arguments {
    /// Parses the words after the program's name. If an option is repeated, the last one counts.
    package init(parsing arguments: some Sequence<String>) throws(UsageError) {
        var rest = Array(arguments)[...]
        while let argument = rest.popFirst() {
            let option = Option(argument)
            guard Arguments.options.contains(option.name) || ["-h", "-v"].contains(option.name) else {
                let kind = option.name.hasPrefix("-") ? "unknown option" : "unexpected argument"
                throw UsageError(description: "\(kind) \(option.name)\(Arguments.offer(for: option.name))")
            }
            let value = try option.value(Arguments.placeholders[option.name], from: &rest)
            switch option.name {
            case "--help", "-h":
                command = .printHelp
                return
            case "--version", "-v":
                command = .printVersion
                return
            case "--socket": socket = value
            case "--config": configuration = Place(value)
            case "--check-config": command = .checkConfiguration(value)
            case "--check-state": command = .checkState
            case "--check-upgrade": command = .checkUpgrade
            case "--state": state = Place(value)
            case "--adapt": mayAdapt = true
            case "--salvage": salvages = true
            case "--log-level": logLevel = try Arguments.logLevel(value)
            default: break
            }
        }
    }

    private static func logLevel(_ name: String) throws(UsageError) -> LogLevel {
        if let level = LogLevel(name: name) { return level }
        let names = LogLevel.allCases.map(\.name).joined(separator: ", ")
        let nearest = NearestName.of(name, among: LogLevel.allCases.map(\.name))
        let offer = nearest.map { " (did you mean \($0)?)" } ?? ""
        throw UsageError(description: "--log-level \(name): expected one of \(names)\(offer)")
    }

    /// The options with a value.
    private static let placeholders = [
        "--socket": "PATH", "--config": "FILE|none", "--state": "DIR|none", "--log-level": "LEVEL",
        "--check-config": "FILE",
    ]

    /// All options, as the help and the completions list them.
    package static let options = [
        "--socket", "--config", "--state", "--adapt", "--salvage", "--log-level", "--check-config",
        "--check-state", "--check-upgrade", "--version", "--help",
    ]

    /// The nearest option, however many dashes the word has.
    private static func offer(for word: String) -> String {
        func name(_ option: String) -> String { String(option.drop { $0 == "-" }) }
        let nearest = NearestName.of(name(word), among: options.map(name))
        return nearest.map { " (did you mean --\($0)?)" } ?? ""
    }
}

/// One option: `--name VALUE` or `--name=VALUE`.
private struct Option {
    let name: String
    private let attached: String?

    init(_ argument: String) {
        let splits = argument.hasPrefix("--") ? 1 : 0
        let parts = argument.split(separator: "=", maxSplits: splits, omittingEmptySubsequences: false)
        (name, attached) = (String(parts[0]), parts.count > 1 ? String(parts[1]) : nil)
    }

    /// The value; empty for an option that takes none.
    func value(_ placeholder: String?, from rest: inout ArraySlice<String>) throws(UsageError) -> String {
        guard let placeholder else {
            if attached != nil { throw UsageError(description: "\(name) takes no value") }
            return ""
        }
        if let value = attached ?? rest.popFirst(), !value.isEmpty { return value }
        throw UsageError(description: "\(name) needs a value: \(name) \(placeholder)")
    }
}
