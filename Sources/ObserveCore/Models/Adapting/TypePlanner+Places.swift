// SPDX-License-Identifier: MIT
// Names places in a tree for messages: a path to a property, and the declaration that it had.

/// A property of a type, or of the set of roots, for messages.
struct PropertyOwner: Hashable {
    /// Nil for a root.
    let type: String?
    /// Nil for a member of a dictionary.
    let property: String?

    var text: String {
        switch (type, property) {
        case (nil, let root): "the root \(root ?? "")"
        case (let type?, nil): "a value of \(type)"
        case (let type?, let property?): "\(type).\(property)"
        }
    }
}

extension TypePlanner {
    func owner(_ id: PropertyID) -> PropertyOwner {
        let model = tree.records.properties[id].model
        let text = tree.records.names.text(tree.records.properties[id].name).string
        if model == tree.records.root { return PropertyOwner(type: nil, property: text) }
        let type = tree.typing.types[type(model)]
        return PropertyOwner(type: type.name, property: type.isOpen ? nil : text)
    }

    mutating func addMisfit(_ remedy: String, _ misfit: (TypePlanner) -> Misfit) {
        plan.misfits.add(remedy, plan.misfits.hasRoom ? misfit(self) : nil)
    }

    func misfit(_ id: PropertyID, _ why: String, _ advice: String, at indexes: [Int] = []) -> Misfit {
        Misfit(reason: "\(path(of: id, indexes)): \(why)", advice: advice)
    }

    /// The former declaration of the property as the middle of a sentence; empty if it is unknown.
    func formerly(_ id: PropertyID) -> String {
        let property = tree.records.properties[id]
        let name = tree.records.names.text(property.name).string
        if property.model == tree.records.root {
            return tree.typing.declarations?.root(name).map { ", was \($0.type)" } ?? ""
        }
        let type = tree.records.models[property.model].type
        guard type != .noRecord, let declared = tree.typing.types[type].declared(property.name)
        else { return "" }
        // Types of which state has only the name take anything.
        if tree.typing.types[type].isOpen, declared.type == .any { return "" }
        let weak = declared.isWeak ? "weak " : ""
        return ", was \(weak)\(tree.typing.types.text(of: declared.type))"
    }

    /// The former type of a property that no write can make null, without its question mark; nil for others.
    func formerlyRequired(_ id: PropertyID) -> String? {
        let property = tree.records.properties[id]
        let type = tree.records.models[property.model].type
        guard type != .noRecord, !tree.typing.types[type].isOpen,
            let declared = tree.typing.types[type].declared(property.name),
            !declared.type.isOptional || declared.traits.contains(.readonly)
        else { return nil }
        return tree.typing.types.text(of: declared.type.wrapped)
    }

    // MARK: Paths

    func path(of id: PropertyID, _ indexes: [Int] = []) -> String {
        let property = tree.records.properties[id]
        return indexes.reduce(path(of: property.model, property.name)) { "\($0).\($1)" }
    }

    /// A path through a value that a temporary one shadows says so, as in `film (shadowed).year`.
    func path(of model: ModelID, _ name: NameID) -> String {
        var (model, path) = (model, DottedKeyPath.text(of: [tree.records.names.text(name).string]))
        for _ in 0..<tree.limits.maxDepth {
            if let way = tree.path(to: model) { return way.isEmpty ? path : "\(way).\(path)" }
            var holders: [PropertyID] = []
            tree.records.forEachStrongReferrer(of: model) { holders.append($0) }
            guard let holder = holders.first else { break }
            var place: [Int]?
            tree.forEachPlace(of: model, in: holder) { place = place ?? $0 }
            let step = place.map { indexes in indexes.map { ".\($0)" }.joined() } ?? " (shadowed)"
            path = "\(tree.escapedName(of: holder))\(step).\(path)"
            model = tree.records.properties[holder].model
        }
        return path
    }
}
