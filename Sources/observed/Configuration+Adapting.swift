// SPDX-License-Identifier: MIT
// Gives a tree in use the configuration's types, and the models, links and bindings that it lacks.

internal import ObserveCore

/// What became of a tree that got a configuration.
struct Adaptation: Sendable {
    /// The places that do not fit, and how many more there are. If there are any, the tree is unchanged, unless
    /// the caller permitted losses.
    var misfits: [String] = []
    /// What was dropped or reset, one line for each kind.
    var losses: [String] = []
    /// What became of each type.
    var types: [TypeChangeLine] = []
    /// Why the tree is unchanged: parts of the configuration that it refuses.
    var faults: [ConfigurationFault] = []
    /// The existing roots, which keep their values.
    var kept: [KeptRoot] = []
    /// Links and bindings that the tree lacks, without a fault: links from kept roots, and at a start to kept roots, of which
    /// a client may have removed either end, and kept bindings that go one way instead of both, or both instead of one.
    var left: [ConfigurationFault] = []
    /// The roots that could not be made. Their links and bindings are not tried.
    var refused: Set<String> = []

    var isDone: Bool { faults.isEmpty && (misfits.isEmpty || !losses.isEmpty) }
}

/// A root whose value differs from the configured one.
struct KeptRoot: Sendable {
    let name: String
    let value: String
    let configured: String

    var sentence: String {
        let root = DottedKeyPath.text(of: ["models", name, "value"])
        return "\(root): the root keeps \(value.logged), and the configuration gives \(configured.logged)"
    }
}

extension Configuration {
    var declarations: TypeDeclarations {
        TypeDeclarations(types: types, roots: declaredRoots, isClosed: isClosed)
    }

    func hasMisfits(in tree: ModelTree) -> Bool { tree.plan(declarations)?.misfits.isEmpty == false }

    /// Gives the tree these types, and makes the models, links and bindings that it lacks, in one commit. If its limits are
    /// others than before, the commit computes all computed properties again.
    func adapt(_ tree: ModelTree, mayLose: Bool, atStart: Bool) -> Adaptation {
        var result = Adaptation()
        let plan = tree.plan(declarations)
        if let faults = plan?.faults, !faults.isEmpty {
            result.faults = faults.map(ConfigurationFault.init)
            return result
        }
        if let misfits = plan?.misfits, !misfits.isEmpty {
            guard mayLose else {
                result.misfits = misfits.first.map(\.description)
                let more = misfits.count - misfits.first.count
                if more > 0 { result.misfits.append("and \(more) more \(more == 1 ? "place" : "places")") }
                return result
            }
            result.losses = misfits.remedies
        }
        let present = models.filter { $0.value != nil && tree.hasRoot($0.name) }
        change(tree, plan, atStart: atStart, &result)
        guard result.faults.isEmpty else { return result }
        result.types = plan?.summary ?? []
        result.kept = keptRoots(among: present, in: tree)
        return result
    }

    private func change(
        _ tree: ModelTree,
        _ plan: TypePlan?,
        atStart: Bool,
        _ result: inout Adaptation
    ) {
        struct Refused: Error {}
        let present = Set(links.filter { tree.hasProperty($0.source) }.map(\.index))
        do {
            // At a start, each root of a new tree is a commit.
            if atStart, tree.isNew {
                try tree.layOut { try apply(plan, to: tree) }
                return fill(tree, present, &result)
            }
            try tree.layOut {
                try apply(plan, to: tree)
                fill(tree, present, atStart: atStart, &result)
                if !result.faults.isEmpty { throw Refused() }
            }
        } catch let error as TreeError {
            result.faults = [ConfigurationFault(at: ["types"], error.message)]
        } catch {}
    }

    private func apply(_ plan: TypePlan?, to tree: ModelTree) throws(TreeError) {
        if let plan { try tree.apply(plan) }
        if tree.needsRecomputing { tree.recompute() }
    }

    func missing(in tree: ModelTree) -> [String] {
        let parts =
            models.filter { !tree.hasRoot($0.name) }.map { ["models", $0.name] }
            + links.filter { !tree.hasProperty($0.source) }.map { ["links", String($0.index)] }
            + bindings.filter { tree.existingBinding(from: $0.source, to: $0.target) == nil }
            .map { ["bindings", String($0.index)] }
        return (tree.plan(declarations) == nil ? [] : ["types"]) + (tree.needsRecomputing ? ["limits"] : [])
            + parts.map(DottedKeyPath.text)
    }

    /// The roots whose values differ from those that an empty tree would get.
    private func keptRoots(among present: [Model], in tree: ModelTree) -> [KeptRoot] {
        if present.isEmpty { return [] }
        let fresh = ModelTree(limits: limits.tree)
        guard layOut(in: fresh).isEmpty else { return [] }
        return present.compactMap { model in
            guard let value = tree.json(ofRoot: model.name), let configured = fresh.json(ofRoot: model.name),
                (try? Value(json: value)) != (try? Value(json: configured))
            else { return nil }
            return KeptRoot(name: model.name, value: value, configured: configured)
        }
    }
}
