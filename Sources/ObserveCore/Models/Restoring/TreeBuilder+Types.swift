// SPDX-License-Identifier: MIT
// Restores the declared types that a tree had and the limits of what they compute, and their changes.

extension TreeBuilder {
    /// Declares the types of a snapshot, if there are any, before its models. Faults of today's limits do not matter: a plan
    /// replaces these types.
    func restoreTypes(_ declarations: TypeDeclarations) {
        guard !isForeign, !declarations.isEmpty, tree.typing.declarations != declarations else { return }
        tree.typing.types.select(TypeTable.Generation())
        tree.records.models[tree.records.root].type = tree.makeGeneration(declarations).rootSet
        tree.typing.declarations = declarations
    }

    /// Repeats a change of the declared types, at the beginning of its commit.
    /// - Parameter retyped: models whose new type does not follow from the name of the former one.
    func changeTypes(to declarations: TypeDeclarations, _ retyped: [ModelID: String?]) throws(StateFault) {
        let former = tree.typing.types.select(TypeTable.Generation())
        let rootSet = tree.makeGeneration(declarations).rootSet
        var models: [(model: ModelID, type: TypeID)] = []
        for model in tree.records.modelsInUse {
            let old = tree.records.models[model].type
            var type = model == tree.records.root ? rootSet : tree.typing.types.successor(of: old)
            if let name = retyped[model] {
                type = name.map { tree.typing.types.restoredType($0) ?? .noRecord } ?? .noRecord
            }
            if type != old { models.append((model, type)) }
        }
        let fresh = tree.typing.types.select(former)
        tree.changeTypes(to: fresh, declarations, models)
    }

    /// Adds the computed properties of the new types, after the commit's entries.
    func completeComputed() { tree.completeComputed(tree.pending.formerTypes?.models.map(\.model) ?? []) }

    /// Makes these the limits of computed properties, from the open commit on if there is one.
    /// - Parameter again: whether the commit has changed values, so that it may have changed computed ones.
    func compute(under limits: ComputingLimits, again: Bool = false) {
        if isForeign { return }
        let former = tree.records.computedUnder
        tree.records.limits.computing = limits
        if again || former.ranShort, !isPatching, limits != former { tree.recompute() }
        tree.records.computedUnder = limits
    }

    /// Makes today's limits those of the tree again. If they are others than in the state, the tree needs recomputing.
    func restoreLimits() { tree.records.limits.computing = presentLimits }

    /// The type of that name. State without declarations has only the name: the type takes anything.
    func restoredType(_ name: String) -> TypeID {
        (isForeign ? nil : tree.typing.types.restoredType(name)) ?? tree.typing.types.find(name)
            ?? tree.typing.types.add(ModelType(name: name, elements: .any), isNamed: true)
    }
}
