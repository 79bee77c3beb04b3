// SPDX-License-Identifier: MIT
// Finds and checks the types of models that an earlier process made. Independent of their storage.

extension ModelTree {
    /// The declared type of that name, or the dictionary type that the name spells.
    func restoredType(_ name: String) -> TypeID? {
        if let known = typing.types.find(name) { return known }
        guard let written = try? TypeNotation.parse(name, in: &typing.types),
            case .model(let type) = written.type
        else {
            return nil
        }
        return type
    }

    /// Why the tree's models do not match the declared types; nil if they do.
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
