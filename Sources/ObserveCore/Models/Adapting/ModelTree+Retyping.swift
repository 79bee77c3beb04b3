// SPDX-License-Identifier: MIT
// Replaces the declared types and the types of models, and restores them. Independent of values.

extension ModelTree {
    /// Selects the generation, and gives the models these types. The commit's recorder gets the change.
    ///
    /// Computed properties that the new types lack are removed. ``completeComputed(_:)`` adds those that models lack.
    func changeTypes(
        to generation: TypeTable.Generation,
        _ declarations: TypeDeclarations,
        _ retyped: [(model: ModelID, type: TypeID)]
    ) {
        for hook in hooks.preUpdateHooks { hook.willChangeTypes() }
        var former = FormerTypes(
            generation: typing.types.select(generation),
            declarations: typing.declarations
        )
        typing.declarations = declarations
        for (model, type) in retyped {
            former.models.append((model, records.models[model].type))
            for id in computedProperties(of: model) {
                if let computation = computation(of: id, in: type) {
                    // Otherwise an equal number of the former type would stay.
                    if typeText(of: id, in: records.models[model].type) != typeText(of: id, in: type) {
                        change(id, .null, isWeak: true)
                    }
                    replaceComputation(of: id, by: computation)
                } else {
                    removeComputed(id)
                    change(id, .absent, isWeak: false)
                }
            }
            records.models[model].type = type
        }
        dependents.forgetFreed()
        former.nulls = updateDeclaredFlags()
        typing.changed = former
    }

    /// Adds the computed properties that the models' types declare and the models lack.
    func completeComputed(_ models: [ModelID]) {
        for model in models where records.models[model].type != .noRecord {
            for property in typing.types[records.models[model].type].properties {
                guard let computation = property.computation else { continue }
                let id = propertyOrPlaceholder(model, property.name)
                if records.properties[id].flags.contains(.computed) { continue }
                assign(id, .null, isWeak: true)
                makeComputed(id, computation)
            }
        }
    }

    /// Updates the flags of all properties that follow from their declarations.
    ///
    /// - Returns: the properties without a value that became weak or strong.
    @discardableResult
    private func updateDeclaredFlags() -> [(property: PropertyID, model: ModelID)] {
        paths.known.forget()
        var nulls: [(property: PropertyID, model: ModelID)] = []
        for index in 0..<records.properties.allocatedCount {
            let id = PropertyID(index: index)
            guard records.properties[id].model != .noRecord else { continue }
            let fresh = declaredFlags(of: id)
            let wasWeak = records.properties[id].flags.contains(.declaredWeak)
            records.properties[id].flags.subtract([.declared, .declaredWeak, .choosy])
            records.properties[id].flags.formUnion(fresh.subtracting(.weak))
            let isWeak = fresh.contains(.declaredWeak)
            // References in use change with their counts.
            if wasWeak != isWeak, records.properties[id].isWeak != isWeak, records.properties[id].slot.isNull,
                !records.properties[id].flags.contains(.computed)
            {
                records.properties[id].isWeak = isWeak
                nulls.append((id, records.properties[id].model))
            }
        }
        return nulls
    }

    // MARK: Undoing

    /// Removes the computed properties that the former types lack, before an undo restores the values.
    func removeComputed(notIn former: FormerTypes) {
        for (model, type) in former.models {
            for id in computedProperties(of: model) where computation(of: id, in: type) == nil {
                removeComputed(id)
            }
        }
        dependents.forgetFreed()
    }

    /// Restores the types, after an undo has restored the values.
    func restoreTypes(_ former: FormerTypes) {
        typing.types.select(former.generation)
        typing.declarations = former.declarations
        for (model, type) in former.models { records.models[model].type = type }
        // A client may have made a null weak, which the types do not say.
        for (id, model) in updateDeclaredFlags() where records.properties[id].model == model {
            records.properties[id].isWeak.toggle()
        }
        for (id, model) in former.nulls where records.properties[id].model == model {
            if records.properties[id].slot.isNull { records.properties[id].isWeak.toggle() }
        }
        for (model, type) in former.models where type != .noRecord && !records.models[model].isReleased {
            for property in typing.types[type].properties {
                guard let computation = property.computation, let id = self.property(model, property.name),
                    !records.properties[id].slot.isAbsent
                else { continue }
                if records.properties[id].flags.contains(.computed) {
                    replaceComputation(of: id, by: computation)
                } else {
                    makeComputed(id, computation)
                }
                if let dependent = computedDependent(of: id) { dependents.refreshed.append(dependent) }
            }
        }
    }

    // MARK: Computed properties

    private func computedProperties(of model: ModelID) -> [PropertyID] {
        var found: [PropertyID] = []
        var id = records.models[model].first
        while id != .noRecord {
            if records.properties[id].flags.contains(.computed) { found.append(id) }
            id = records.properties[id].next
        }
        return found
    }

    /// The template of the property in that type; nil if the type does not compute it.
    private func computation(of id: PropertyID, in type: TypeID) -> Computation? {
        guard type != .noRecord, let position = typing.types[type].position(of: records.properties[id].name)
        else { return nil }
        return typing.types[type].properties[position].computation
    }

    private func typeText(of id: PropertyID, in type: TypeID) -> String? {
        typing.types[type].declared(records.properties[id].name).map { typing.types.text(of: $0.type) }
    }

    private func replaceComputation(of id: PropertyID, by computation: Computation) {
        guard let dependent = computedDependent(of: id) else { return }
        dependents.records[dependent].computation = computation
        markStale(dependent)
    }

    /// Makes a stored property, which is null and weak, computed.
    private func makeComputed(_ id: PropertyID, _ computation: Computation) {
        records.properties[id].isWeak = true
        records.properties[id].flags.insert(.computed)
        addDependent(id, computation)
    }

    /// Makes a computed property a stored one, which keeps its value.
    private func removeComputed(_ id: PropertyID) {
        if let dependent = computedDependent(of: id) {
            dependents.markFresh(dependent)
            var cursor = dependents.cursor(of: dependent)
            dropRest(&cursor)
            unindexComputed(dependent)
            dependents.records.free(dependent)
        }
        dependents.refreshed.removeAll { dependents.records[$0].property == .noRecord }
        records.properties[id].flags.subtract([.computed, .pending])
    }
}
