// SPDX-License-Identifier: MIT
// The initial types, models, links, bindings, limits and access rules of the daemon. Independent of files.

package import ObserveCore

package struct Configuration: Sendable {
    package struct Model: Equatable, Sendable {
        package let name: String
        /// The type in Swift's notation; nil if the root may have any value.
        package let type: String?
        /// The initial value; nil for the type's default.
        package let value: Value?
    }

    /// A link or a binding: from one path to another.
    package struct PathPair: Equatable, Sendable {
        /// Its index in the configuration's list.
        package let index: Int
        /// The roots of its paths.
        package let roots: [String]
        package let source: String
        package let target: String
        /// Whether its option is set: `weak` of a link, `twoWay` of a binding.
        package let option: Bool
    }

    package var types: [TypeDeclaration] = []
    package var models: [Model] = []
    /// References from properties or elements of arrays to models, in the order in which they are made.
    package var links: [PathPair] = []
    /// They copy values to other paths. In the order of their numbers.
    package var bindings: [PathPair] = []
    /// Whether there can be no other roots than those in ``models``.
    package var isClosed = false
    package var durability = Durability.interval
    package var limits = ServerLimits()
    /// Rules for other users; nil if they can't connect.
    package var access: AccessRules?
    /// The text that it was read from; empty without a file.
    package var text: [UInt8] = []

    /// An empty, open tree.
    package init() {}

    /// Declares the types, creates the models, links and bindings in an empty tree, and returns the faults. Omits faulty parts,
    /// so that they cause no further faults.
    package func layOut(in tree: ModelTree) -> [ConfigurationFault] {
        var faults = tree.declare(types).map(ConfigurationFault.init)
        for root in declaredRoots {
            do throws(DeclarationFault) { try tree.declare(root: root.name, type: root.type) } catch {
                faults.append(ConfigurationFault(at: ["models", root.name] + error.place, error.message))
            }
        }
        if isClosed { tree.closeRoots() }
        var result = Adaptation()
        fill(tree, [], &result)
        return faults + result.faults
    }

    /// The roots with a type. In a closed configuration, all have one.
    var declaredRoots: [RootDeclaration] {
        models.compactMap { model in
            (model.type ?? (isClosed ? "Any" : nil)).map { RootDeclaration(model.name, $0) }
        }
    }

    /// Makes the models, links and bindings that the tree lacks.
    /// - Parameter present: the indexes of the links whose properties existed before new types gave models more.
    func fill(_ tree: ModelTree, _ present: Set<Int>, atStart: Bool = false, _ result: inout Adaptation) {
        let kept = Set(models.map(\.name).filter(tree.hasRoot))
        for model in models where !kept.contains(model.name) {
            let (name, json) = (model.name, model.value?.json)
            do throws(TreeError) { try tree.define(root: name, json: json) } catch {
                result.refused.insert(name)
                let refusals = tree.isLayingOut ? [error] : tree.refusals(ofRoot: name, json: json)
                result.faults += refusals.map {
                    ConfigurationFault(at: ["models", name, "value"] + $0.components.dropFirst(), $0.reason)
                }
            }
        }
        for link in links where result.refused.isDisjoint(with: link.roots) {
            let isKept = kept.contains(link.roots[0])
            if isKept, present.contains(link.index), tree.hasProperty(link.source) { continue }
            do throws(TreeError) {
                try tree.link(path: link.source, target: link.target, isWeak: link.option)
            } catch {
                let place = ["links", String(link.index)]
                if isKept || atStart && !kept.isDisjoint(with: link.roots) {
                    let why = "\(error.message): the link is not made"
                    result.left.append(ConfigurationFault(at: place, why))
                } else {
                    result.faults.append(ConfigurationFault(at: place, error.message))
                }
            }
        }
        makeBindings(in: tree, &result)
    }

    private func makeBindings(in tree: ModelTree, _ result: inout Adaptation) {
        let kept = bindings.map { tree.existingBinding(from: $0.source, to: $0.target) != nil }
        for (binding, isKept) in zip(bindings, kept) where result.refused.isDisjoint(with: binding.roots) {
            let (source, target, isTwoWay) = (binding.source, binding.target, binding.option)
            let place = ["bindings", String(binding.index)]
            let present = tree.existingBinding(from: source, to: target)
            if let present, present.isTwoWay == isTwoWay { continue }
            if let present, isKept {
                let why =
                    "binding \(present.number) carries \(present.isTwoWay ? "both ways" : "one way") already"
                let advice = "it is not changed: unbind it, and send SIGHUP"
                result.left.append(ConfigurationFault(at: place, "\(why): \(advice)"))
                continue
            }
            do throws(TreeError) { try tree.bind(source: source, target: target, isTwoWay: isTwoWay) } catch {
                result.faults.append(ConfigurationFault(at: place, error.sentence))
            }
        }
    }
}
