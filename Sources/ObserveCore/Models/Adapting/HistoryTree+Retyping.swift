// SPDX-License-Identifier: MIT
// Replaces the declared types and the types of models, and restores them. Independent of values.

extension HistoryTree {
    /// Selects the generation, and gives the models these types, for the commit's recorder too. Computed properties that the
    /// types lack are removed; ``completeComputed(_:)`` adds those that models lack.
    func changeTypes(
        to generation: TypeTable.Generation,
        _ declarations: TypeDeclarations,
        _ retyped: [(model: ModelID, type: TypeID)]
    ) {
        runHooks { $0.willChangeTypes() }
        let past = typing.types.select(generation)
        var former = FormerTypes(generation: past, declarations: typing.declarations)
        typing.declarations = declarations
        for (model, type) in retyped {
            former.models.append((model, records.models[model].type))
            retypeComputed(of: model, as: type, &former.sources)
            records.models[model].type = type
        }
        pending.formerTypes = former
        for id in updateDeclaredFlags() { change(id, .null, isWeak: !records.properties[id].isWeak) }
    }

    /// Restores the types, after a rollback has restored the values.
    func restoreTypes(_ former: FormerTypes) {
        typing.types.select(former.generation)
        typing.declarations = former.declarations
        for (model, type) in former.models { records.models[model].type = type }
        _ = updateDeclaredFlags()
        restoreComputed(former.models)
    }

    private func updateDeclaredFlags() -> [PropertyID] {
        paths.known.forget()
        return typing.updateDeclaredFlags(in: &records)
    }
}
