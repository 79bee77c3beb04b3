// SPDX-License-Identifier: MIT
// The initial types, models, links, bindings, limits and access rules of the daemon. Independent of files.

package import ObserveCore

/// A checked configuration.
package struct Configuration: Sendable {
    /// One root.
    package struct Model: Equatable, Sendable {
        package let name: String
        /// The type in Swift's notation; nil if the root may have any value.
        package let type: String?
        /// The initial value; nil for the type's default.
        package let value: Value?
    }

    /// One reference from a property, or an array's element, to a model.
    package struct Link: Equatable, Sendable {
        /// Its index in the configuration's list.
        package let index: Int
        /// The roots of its paths.
        package let roots: [String]
        package let path: String
        package let target: String
        package let isWeak: Bool
    }

    /// One binding, which copies the value at a path to another path.
    package struct Binding: Equatable, Sendable {
        /// Its index in the configuration's list.
        package let index: Int
        /// The roots of its paths.
        package let roots: [String]
        package let source: String
        package let target: String
        package let isTwoWay: Bool
    }

    package var types: [TypeDeclaration] = []
    package var models: [Model] = []
    /// In the order in which they are made.
    package var links: [Link] = []
    /// In the order of their numbers.
    package var bindings: [Binding] = []
    package var durability = Durability.interval
    package var limits = ServerLimits()
    /// Rules for other users; nil if they can't connect.
    package var access: AccessRules?

    /// An empty, open tree.
    package init() {}
}

extension Configuration {
    func hasModel(_ name: String) -> Bool { models.contains { $0.name == name } }
}

// MARK: - Use

extension Configuration {
    /// Declares the types, creates the models, links and bindings in `tree`, and returns the faults.
    ///
    /// Omits faulty parts, so that they cause no further faults.
    package func layOut(in tree: ModelTree) -> [ConfigurationFault] {
        declare(in: tree) + fill(tree)
    }

    /// Declares the types, and the types of the roots. Call it before models are created, or read from the state.
    package func declare(in tree: ModelTree) -> [ConfigurationFault] {
        var faults = tree.declare(types).map { ConfigurationFault(at: ["types"] + $0.place, $0.message) }
        for model in models {
            guard let type = model.type else { continue }
            do throws(DeclarationFault) { try tree.declare(root: model.name, type: type) } catch {
                faults.append(ConfigurationFault(at: ["models", model.name] + error.place, error.message))
            }
        }
        return faults
    }

    /// Makes the models, links and bindings that the tree lacks.
    package func fill(_ tree: ModelTree) -> [ConfigurationFault] {
        var refused: Set<String> = []
        let faults = makeModels(in: tree, &refused)
        return faults + makeBindings(in: tree, except: refused)
    }

    /// - Parameter refused: The roots that could not be made.
    private func makeModels(in tree: ModelTree, _ refused: inout Set<String>) -> [ConfigurationFault] {
        var faults: [ConfigurationFault] = []
        let kept = Set(models.map(\.name).filter(tree.hasRoot))
        for model in models where !kept.contains(model.name) {
            let found = model.make(in: tree)
            if !found.isEmpty { refused.insert(model.name) }
            faults += found
        }
        for link in links where refused.isDisjoint(with: link.roots) {
            if kept.contains(link.roots[0]), tree.hasProperty(link.path) { continue }
            do throws(TreeError) {
                try tree.link(path: link.path, target: link.target, isWeak: link.isWeak)
            } catch {
                faults.append(ConfigurationFault(at: ["links", String(link.index)], error.message))
            }
        }
        return faults
    }

    private func makeBindings(in tree: ModelTree, except refused: Set<String>) -> [ConfigurationFault] {
        var faults: [ConfigurationFault] = []
        for binding in bindings where refused.isDisjoint(with: binding.roots) {
            if tree.hasBinding(from: binding.source, to: binding.target, isTwoWay: binding.isTwoWay) {
                continue
            }
            do throws(TreeError) {
                try tree.bind(source: binding.source, target: binding.target, isTwoWay: binding.isTwoWay)
            } catch {
                faults.append(ConfigurationFault(at: ["bindings", String(binding.index)], error.message))
            }
        }
        return faults
    }
}

// MARK: - Reloading

extension Configuration {
    /// The faults that prevent a reload with `fresh`. Models keep the types that they were declared with. So a
    /// declared type can't change, and a root that a client created without a type can't get one.
    package func obstacles(to fresh: Configuration, in tree: ModelTree) -> [ConfigurationFault] {
        var faults: [ConfigurationFault] = []
        for type in fresh.types {
            guard let known = types.first(where: { $0.name == type.name }), known != type else { continue }
            faults.append(.needsRestart("models were declared with another", at: ["types", type.name]))
        }
        for model in fresh.models {
            let place = ["models", model.name, "type"]
            if let known = models.first(where: { $0.name == model.name }) {
                if known.type != model.type {
                    faults.append(.needsRestart("the root was declared with another", at: place))
                }
            } else if model.type != nil, tree.hasRoot(model.name) {
                faults.append(.needsRestart("the root is there already, without a declaration", at: place))
            }
        }
        return faults
    }

    /// Declares the types and roots that only `fresh` has. They stay declared even if another part is refused.
    package mutating func declare(_ fresh: Configuration, in tree: ModelTree) -> [ConfigurationFault] {
        var added = Configuration()
        added.types = fresh.types.filter { type in !types.contains { $0.name == type.name } }
        added.models = fresh.models.filter { model in !models.contains { $0.name == model.name } }
        types += added.types
        models += added.models
        return added.declare(in: tree)
    }

    /// Creates the parts that the tree lacks: all models and links, or none; then the bindings. The tree accepts
    /// the bindings, because it has the types with which parsing tried them.
    package func add(to tree: ModelTree) -> [ConfigurationFault] {
        struct Refused: Error {}
        var faults: [ConfigurationFault] = []
        do {
            try tree.layOut {
                var refused: Set<String> = []
                faults = makeModels(in: tree, &refused)
                if !faults.isEmpty { throw Refused() }
            }
        } catch { return faults }
        return makeBindings(in: tree, except: [])
    }
}

extension Configuration.Model {
    /// Makes the root, or returns all faults of its value.
    fileprivate func make(in tree: ModelTree) -> [ConfigurationFault] {
        do throws(TreeError) {
            try tree.define(root: name, json: value?.json)
            return []
        } catch {
            let refusals = tree.isLayingOut ? [error] : tree.refusals(ofRoot: name, json: value?.json)
            return refusals.map {
                ConfigurationFault(at: ["models", name, "value"] + $0.components.dropFirst(), $0.reason)
            }
        }
    }
}
