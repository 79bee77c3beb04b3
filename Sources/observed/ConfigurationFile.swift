// SPDX-License-Identifier: MIT
// Finds and reads the configuration's file. Independent of its contents.

internal import ObserveCore

/// The source of the configuration.
package enum ConfigurationFile: Equatable, Sendable {
    /// No file: an empty, open tree.
    case none
    /// A file that must exist.
    case required(String)
    /// A file that may be missing.
    case optional(String)

    /// `--config`, else ``UserFolder/configuration(_:)``.
    package init(option: Arguments.Place, environment: (String) -> String?) {
        switch option {
        case .none: self = .none
        case .path(let path): self = .required(path)
        case .standard:
            self = UserFolder.configuration(environment).map { .optional($0) } ?? .none
        }
    }
}

/// The faults of a configuration file, one sentence each.
package struct ConfigurationFileError: Error, Equatable, Sendable {
    package let sentences: [String]
}

extension ConfigurationFile {
    /// The maximum size of a configuration. A larger file is a mistake.
    private static let limitBytes = 64 << 20

    /// The configuration, and the path of its file.
    package func load() throws(ConfigurationFileError) -> (configuration: Configuration, path: String?) {
        switch self {
        case .none: (Configuration(), nil)
        case .required(let path): (try ConfigurationFile.read(path), path)
        case .optional(let path):
            if let text = try ConfigurationFile.text(of: path) {
                (try ConfigurationFile.parse(text, path: path), path)
            } else {
                (Configuration(), nil)
            }
        }
    }

    /// The same; after a broken disk, the configuration that was in force, whatever the file has now.
    func load(after handover: Handover?) throws(ConfigurationFileError) -> (
        configuration: Configuration, path: String?
    ) {
        guard let handover, handover.breakage != nil else { return try load() }
        switch self {
        case .required(let path) where !handover.configuration.isEmpty,
            .optional(let path) where !handover.configuration.isEmpty:
            return (try ConfigurationFile.parse(handover.configuration, path: path), path)
        default: return (Configuration(), nil)
        }
    }

    /// The configuration in the file at `path`.
    package static func read(_ path: String) throws(ConfigurationFileError) -> Configuration {
        guard let text = try text(of: path) else {
            throw ConfigurationFileError(sentences: [SocketError.fileMissing(path).description])
        }
        return try parse(text, path: path)
    }

    /// Nil if the file does not exist.
    private static func text(of path: String) throws(ConfigurationFileError) -> [UInt8]? {
        do throws(SocketError) {
            return try Platform.readFile(
                path,
                limitBytes: limitBytes,
                refusesSharedWriting: true,
                mustBeFile: true
            )
        } catch .fileMissing {
            return nil
        } catch {
            throw ConfigurationFileError(sentences: [error.description])
        }
    }

    private static func parse(_ text: [UInt8], path: String) throws(ConfigurationFileError) -> Configuration {
        do throws(ConfigurationFaults) {
            var configuration = try Configuration(json: text)
            configuration.text = text
            return configuration
        } catch {
            throw ConfigurationFileError(sentences: error.faults.map { "\(path): \($0)" })
        }
    }
}
