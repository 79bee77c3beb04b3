// SPDX-License-Identifier: MIT
// Parses a configuration and collects all its faults. Independent of files.

internal import ObserveCore

package struct ConfigurationFaults: Error, Equatable, Sendable { package let faults: [ConfigurationFault] }

extension Configuration {
    /// The maximum nesting of the text. The limit of models, `maxDepth`, is far lower.
    private static let maxTextDepth = 512

    /// Reads a configuration and tries it on an empty tree.
    /// - Errors: all faults at once, those of the text first.
    package init(json text: [UInt8]) throws(ConfigurationFaults) {
        let document: Value
        do throws(JSONError) {
            document = try Value(json: text, maxDepth: Configuration.maxTextDepth)
        } catch {
            throw ConfigurationFaults(faults: [.broken(error, in: text)])
        }
        let repeated = RepeatedNames.find(in: text, maxDepth: Configuration.maxTextDepth)
            .filter { !Configuration.isInsideValue($0) }
            .map { ConfigurationFault(at: $0, "given twice in one object, expected once") }
        var reader = ConfigurationReader()
        reader.read(document)
        let refused = reader.configuration.layOut(in: ModelTree(limits: reader.configuration.limits.tree))
        let faults = repeated + reader.faults + refused
        guard faults.isEmpty else { throw ConfigurationFaults(faults: faults) }
        self = reader.configuration
    }

    /// Whether the place is inside a model's value or a default. There, as in `set`, the last of equal names wins.
    private static func isInsideValue(_ place: [String]) -> Bool {
        (place.count > 3 && place[0] == "models" && place[2] == "value")
            || (place.count > 4 && place[0] == "types" && place[3] == "default")
    }
}
