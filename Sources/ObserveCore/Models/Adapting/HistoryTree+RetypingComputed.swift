// SPDX-License-Identifier: MIT
// Adds and removes the computed properties of models that get another type. Computes nothing.

extension HistoryTree {
    /// Gives the model's computed properties the templates of its new type, and removes those that the type lacks; `sources` gets
    /// the bindings whose source these were.
    func retypeComputed(of model: ModelID, as type: TypeID, _ sources: inout [DependentID: Bool]) {
        forEachComputed(of: model) { id in
            if let computation = typing.computation(of: id, as: type, in: records) {
                // Otherwise an equal number of the former type would stay.
                if typing.typeText(of: id, as: records.models[model].type, in: records)
                    != typing.typeText(of: id, as: type, in: records)
                {
                    change(id, .null, isWeak: true)
                }
                replaceComputation(of: id, by: computation)
            } else {
                for binding in bindings(from: id) { sources[binding] = true }
                removeComputed(id)
                change(id, .absent, isWeak: false)
            }
        }
    }

    /// Adds the computed properties that the models' types declare and the models lack.
    func completeComputed(_ models: [ModelID]) {
        dependents.forgetFreed()
        for model in models where records.models[model].type != .noRecord {
            for property in typing.types[records.models[model].type].properties {
                guard let computation = property.computation else { continue }
                let id = propertyOrPlaceholder(model, property.name)
                if records.properties[id].flags.contains(.computed) { continue }
                for binding in bindings(from: id) {
                    pending.formerTypes?.sources[binding] = false
                    // The property's first value may be null, as it is now.
                    dependents.markStale(binding, in: records)
                }
                assign(id, .null, isWeak: true)
                makeComputed(id, computation)
            }
        }
    }

    /// Removes the computed properties that the former types lack, before a rollback restores the values.
    func removeComputed(notIn former: FormerTypes) {
        for (model, type) in former.models {
            forEachComputed(of: model) { id in
                if typing.computation(of: id, as: type, in: records) == nil { removeComputed(id) }
            }
        }
        dependents.forgetFreed()
    }

    /// Adds the computed properties of the former types again, after a rollback has restored the values.
    func restoreComputed(_ models: [(model: ModelID, type: TypeID)]) {
        for (model, type) in models where type != .noRecord && !records.models[model].isReleased {
            for property in typing.types[type].properties {
                guard let computation = property.computation,
                    let id = self.records.property(model, property.name),
                    !records.properties[id].slot.isAbsent
                else { continue }
                if records.properties[id].flags.contains(.computed) {
                    replaceComputation(of: id, by: computation)
                } else {
                    makeComputed(id, computation)
                }
                if let dependent = dependents.computedDependent(of: id, in: records) {
                    dependents.refreshed.append(dependent)
                }
            }
        }
    }

    private func forEachComputed(of model: ModelID, _ body: (PropertyID) -> Void) {
        forEachProperty(of: model) { if records.properties[$0].flags.contains(.computed) { body($0) } }
    }

    /// The bindings whose source leads through the property.
    private func bindings(from id: PropertyID) -> [DependentID] {
        dependents.edges(of: id, in: records).filter { !dependents.edges[$0].isTarget }
            .map { dependents.edges[$0].dependent }.filter { dependents.records[$0].binding != nil }
    }

    private func replaceComputation(of id: PropertyID, by computation: Computation) {
        guard let dependent = dependents.computedDependent(of: id, in: records) else { return }
        dependents.records[dependent].computation = computation
        dependents.markStale(dependent, in: records)
    }

    /// Makes a stored property, which is null and weak, computed.
    private func makeComputed(_ id: PropertyID, _ computation: Computation) {
        records.properties[id].isWeak = true
        records.properties[id].flags.insert(.computed)
        addDependent(id, computation)
    }

    /// Makes a computed property a stored one, which keeps its value.
    private func removeComputed(_ id: PropertyID) {
        removeDependent(of: id)
        records.properties[id].flags.subtract([.computed, .pending])
    }
}
