// SPDX-License-Identifier: MIT
// What the daemon begins with: models, links, bindings, limits. Does not know which file they came from.

package import ObserveCore

/// A checked configuration.
package struct Configuration: Sendable {
    /// One reference from a property, or an array's element, to a model.
    package struct Link: Equatable, Sendable {
        /// Where it stands in the configuration's list.
        package let index: Int
        package let path: String
        package let target: String
        package let isWeak: Bool
    }

    /// One value that is carried from a path to another.
    package struct Binding: Equatable, Sendable {
        /// Where it stands in the configuration's list.
        package let index: Int
        package let source: String
        package let target: String
        package let isTwoWay: Bool
    }

    /// Each root's name and value.
    package var models = ValueMembers()
    /// In the order in which they are made.
    package var links: [Link] = []
    /// In the order of their numbers.
    package var bindings: [Binding] = []
    package var limits = ServerLimits()

    /// An empty, open tree.
    package init() {}
}

/// All that is wrong with a configuration.
package struct ConfigurationFaults: Error, Equatable, Sendable {
    package let faults: [ConfigurationFault]
}

extension Configuration {
    /// A deeper text is refused; every model's own limit, `maxDepth`, is far below.
    private static let maxTextDepth = 512

    /// Reads a configuration and tries it out.
    ///
    /// - Errors: all faults at once, those first that the text shows.
    package init(json text: [UInt8]) throws(ConfigurationFaults) {
        let document: Value
        do throws(JSONError) {
            document = try Value(json: text, maxDepth: Configuration.maxTextDepth)
        } catch {
            throw ConfigurationFaults(faults: [.broken(error, in: text)])
        }
        let repeated = RepeatedNames.find(in: text, maxDepth: Configuration.maxTextDepth)
            .filter { !Configuration.isInsideValue($0.place) }
            .map(ConfigurationFault.repeated)
        var reader = ConfigurationReader()
        reader.read(document)
        let refused = reader.configuration.layOut(in: ModelTree(limits: reader.configuration.limits.tree))
        let faults = repeated + reader.faults + refused
        guard faults.isEmpty else { throw ConfigurationFaults(faults: faults) }
        self = reader.configuration
    }

    /// In a model's value, as in any value that is set, the last of equal names wins.
    private static func isInsideValue(_ place: [String]) -> Bool {
        place.count > 3 && place[0] == "models" && place[2] == "value"
    }
}

// MARK: - Use

extension Configuration {
    /// Makes the models, links and bindings in `tree`, and returns what it refuses.
    package func layOut(in tree: ModelTree) -> [ConfigurationFault] {
        var faults: [ConfigurationFault] = []
        for (name, value) in models {
            do throws(TreeError) {
                try tree.define(root: name, json: value.json)
            } catch {
                faults.append(ConfigurationFault(at: ["models", name, "value"], error.message))
            }
        }
        // A root that was refused would only make faults that follow from the first.
        guard faults.isEmpty else { return faults }
        for link in links {
            do throws(TreeError) {
                try tree.link(path: link.path, target: link.target, isWeak: link.isWeak)
            } catch {
                faults.append(ConfigurationFault(at: ["links", String(link.index)], error.message))
            }
        }
        for binding in bindings {
            do throws(TreeError) {
                try tree.bind(source: binding.source, target: binding.target, isTwoWay: binding.isTwoWay)
            } catch {
                faults.append(ConfigurationFault(at: ["bindings", String(binding.index)], error.message))
            }
        }
        return faults
    }
}
