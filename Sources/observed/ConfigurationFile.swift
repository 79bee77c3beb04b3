// SPDX-License-Identifier: MIT
// Finds and reads the configuration's file. Independent of its contents.

package import ObserveCore

package struct ConfigurationFile: Sendable {
    /// Nil without a file: the tree is empty and open.
    package let path: String?
    /// Whether the file must exist.
    package let isRequired: Bool

    /// `--config`, else ``UserFolder/configuration(_:)``.
    package init(option: Arguments.Place, environment: (String) -> String?) {
        path = option.path(standard: UserFolder.configuration(environment))
        isRequired = option != .standard
    }
}

package struct ConfigurationFileError: Error, Equatable, Sendable {
    package let sentences: [String]

    static func missing(_ path: String) -> ConfigurationFileError {
        ConfigurationFileError(sentences: [SocketError.fileMissing(path).description])
    }
}

extension ConfigurationFile {
    /// The maximum size of a configuration. A larger file is a mistake.
    private static let limitBytes = 64 << 20

    /// After a broken disk, the configuration that was in force counts, whatever the file has now.
    package func load(after handover: Handover? = nil) throws(ConfigurationFileError)
        -> (configuration: Configuration, path: String?)
    {
        guard let path else { return (Configuration(), nil) }
        if let handover, handover.breakage != nil {
            if handover.configuration.isEmpty { return (Configuration(), nil) }
            return (try parse(handover.configuration, path: path), path)
        }
        if let text = try text(of: path) { return (try parse(text, path: path), path) }
        if isRequired { throw .missing(path) }
        return (Configuration(), nil)
    }

    /// Nil if the file does not exist.
    private func text(of path: String) throws(ConfigurationFileError) -> [UInt8]? {
        do throws(SocketError) {
            return try Platform.readFile(
                path,
                limitBytes: Self.limitBytes,
                refusesSharedWriting: true,
                mustBeFile: true
            )
        } catch .fileMissing { return nil } catch {
            throw ConfigurationFileError(sentences: [error.description])
        }
    }

    private func parse(_ text: [UInt8], path: String) throws(ConfigurationFileError) -> Configuration {
        do throws(ConfigurationFaults) {
            var configuration = try Configuration(json: text)
            configuration.text = text
            return configuration
        } catch {
            throw ConfigurationFileError(sentences: error.faults.map { "\(path): \($0)" })
        }
    }
}
