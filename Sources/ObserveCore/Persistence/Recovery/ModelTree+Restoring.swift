// SPDX-License-Identifier: MIT
// What a tree needs to be made again from what was kept. Knows nothing of lines.

extension ModelTree {
    /// A model with an identity that it had before.
    func makeModel(instance: UInt64) -> ModelID {
        let model = records.models.allocate()
        records.models[model].instance = instance
        records.lastInstance = max(records.lastInstance, instance)
        return model
    }

    /// The declared type of that name, or the dictionary type that it writes out.
    func restoredType(_ name: String) -> TypeID? {
        if let known = typing.types.find(name) { return known }
        guard let written = try? TypeNotation.parse(name, in: &typing.types),
            case .model(let type) = written.type
        else {
            return nil
        }
        return type
    }

    /// A type of that name which takes anything: what it declares is known elsewhere.
    func nameOnly(_ name: String) -> TypeID {
        typing.types.find(name) ?? typing.types.add(ModelType(name: name, elements: .any), isNamed: true)
    }

    /// Gives a model that is being made again a property that is computed.
    func restoreComputed(_ id: PropertyID) throws(StateFault) {
        let (model, name) = (records.properties[id].model, records.properties[id].name)
        let type = records.models[model].type
        guard type != .noRecord, let position = typing.types[type].position(of: name),
            let computation = typing.types[type].properties[position].computation
        else {
            throw StateFault(
                "the property \(records.names.text(name).string) was computed, and is not declared so"
            )
        }
        addComputed(name, to: model, computation)
    }

    /// Counts what all properties refer to, and frees the models that nothing reaches: they died while the snapshot was
    /// written. In a commit.
    ///
    /// - Parameter unknown: models that were only heard of: nothing may reach them.
    func countReferences(_ stacks: [PropertyID: [TemporaryValue]], unknown: Set<ModelID>) throws(StateFault) {
        let reached = reached(from: .model(records.root), stacks)
        for model in unknown where reached[model.index] {
            throw StateFault(
                "something refers to the model \(records.models[model].instance), which is not there"
            )
        }
        for model in ModelID(0)..<ModelID(index: reached.count) where !reached[model.index] {
            removeDependents(ofReleased: model)
        }
        dependents.forgetFreed()
        for model in ModelID(0)..<ModelID(index: reached.count) where !reached[model.index] {
            if records.models[model].first != .noRecord || records.models[model].instance != 0 {
                freeReleased(model)
            }
        }
        for model in ModelID(0)..<ModelID(index: reached.count) where reached[model.index] {
            var id = records.models[model].first
            while id != .noRecord {
                if records.properties[id].slot.isContainer, !records.properties[id].flags.contains(.computed)
                {
                    if records.properties[id].isWeak, let target = records.properties[id].slot.modelID,
                        !reached[target.index]
                    {
                        throw StateFault("a weak reference leads to a model that is not there")
                    }
                    reference(records.properties[id].slot, from: id, isWeak: records.properties[id].isWeak)
                }
                if let stack = stacks[id] { restoreStack(stack, of: id) }
                id = records.properties[id].next
            }
        }
    }

    /// Which models strong references lead to, from those that `value` refers to.
    ///
    /// - Parameter stacks: what lies below values that end.
    func reached(from value: StoredValue, _ stacks: [PropertyID: [TemporaryValue]]) -> [Bool] {
        var reached = [Bool](repeating: false, count: records.models.allocatedCount)
        var pending: [ModelID] = []
        func reach(_ value: StoredValue) {
            switch value {
            case .model(let model):
                if reached[model.index] { return }
                reached[model.index] = true
                pending.append(model)
            case .array(let array): for element in array.elements where element.isContainer { reach(element) }
            default: return
            }
        }
        reach(value)
        while let model = pending.popLast() {
            var id = records.models[model].first
            while id != .noRecord {
                if records.properties[id].slot.isContainer, !records.properties[id].isWeak {
                    reach(records.properties[id].slot)
                }
                if !stacks.isEmpty, let stack = stacks[id] {
                    for temporaryValue in stack where !temporaryValue.isWeak { reach(temporaryValue.value) }
                }
                id = records.properties[id].next
            }
        }
        return reached
    }

    /// A binding that goes on under its number, from what both of its ends are now.
    func restoreBinding(_ number: Int32, _ source: String, _ target: String, isTwoWay: Bool)
        throws(TreeError)
    {
        let next = dependents.bindings.last
        dependents.bindings.last = number - 1
        defer { dependents.bindings.last = max(next, number) }
        try bind(source: source, target: target, isTwoWay: isTwoWay, isRestored: true)
    }

    /// Why what was kept does not fit the declared types, which may be others than they were; nil if it does.
    func misfit() -> String? {
        for model in ModelID(0)..<ModelID(index: records.models.allocatedCount) {
            let type = records.models[model].type
            guard type != .noRecord, model == records.root || records.models[model].instance != 0,
                !records.models[model].isReleased
            else { continue }
            if let misfit = misfit(of: model, typing.types[type]) { return misfit }
        }
        return nil
    }

    private func misfit(of model: ModelID, _ type: ModelType) -> String? {
        let owner = model == records.root ? "the root" : "\(type.name)'s property"
        var id = records.models[model].first
        while id != .noRecord {
            let name = records.names.text(records.properties[id].name).string
            guard let declared = type.declared(records.properties[id].name) else {
                return "it has \(owner) \(name), which is not declared"
            }
            let isComputed = declared.traits.contains(.computed)
            guard isComputed == records.properties[id].flags.contains(.computed) else {
                return "\(owner) \(name) is declared computed, and was not, or the other way round"
            }
            beginTrail(.text(ByteView("")))
            if !isComputed, (try? converted(records.properties[id].value, as: declared.type)) == nil {
                return
                    "\(owner) \(name) holds \(records.properties[id].slot.kindPhrase), and \(typing.types.text(of: declared.type)) is declared"
            }
            id = records.properties[id].next
        }
        guard !type.isOpen else { return nil }
        for property in type.properties where self.property(model, property.name) == nil {
            return "a model of the type \(type.name) has no property \(property.text)"
        }
        return nil
    }
}
