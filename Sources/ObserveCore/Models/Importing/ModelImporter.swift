// SPDX-License-Identifier: MIT
// Copies the models of one tree to another, according to that tree's types. Independent of their later place.

/// Copies all models that strong references reach from another tree's roots. Use it inside a commit.
/// - Errors: the types do not allow a value, or strong references close a cycle. Roll the commit back then.
/// - Cost: a few lookups for each property. Both trees share text and arrays without models.
struct ModelImporter {
    private enum Progress: UInt8 {
        case unseen
        /// On the way to the model being visited.
        case open
        case closed
    }

    private let source: WritingTree
    private let tree: WritingTree
    /// The path in the tree below which the source's roots will be, for the paths in errors.
    private let prefix: String
    /// For each model of the source: its copy, and the model from which the search reached it first.
    private var made: [ModelID]
    private var parents: [ModelID]
    private var progress: [Progress]
    /// The source's models, in the order in which the search reached them.
    private var order: [ModelID] = []
    private var types: [TypeID: TypeID] = [:]

    init(_ source: WritingTree, into tree: WritingTree, below prefix: String) {
        self.source = source
        self.tree = tree
        self.prefix = prefix
        let count = source.records.models.allocatedCount
        made = [ModelID](repeating: .noRecord, count: count)
        parents = [ModelID](repeating: .noRecord, count: count)
        progress = [Progress](repeating: .unseen, count: count)
    }

    /// Makes the copies, then assigns their properties.
    mutating func run() throws(TreeError) {
        try makeAll()
        for model in order {
            do throws(TreeError) { try fill(model) } catch { throw located(error, in: model) }
        }
    }

    // MARK: Models

    /// Makes all copies without properties, so that properties can refer to them. Iterative: references can form long chains.
    private mutating func makeAll() throws(TreeError) {
        var way: [(model: ModelID, children: [ModelID], next: Int)] = []
        progress[source.records.root.index] = .open
        way.append((source.records.root, children(of: source.records.root), 0))
        while let last = way.indices.last {
            let model = way[last].model
            guard way[last].next < way[last].children.count else {
                progress[model.index] = .closed
                way.removeLast()
                continue
            }
            let child = way[last].children[way[last].next]
            way[last].next += 1
            switch progress[child.index] {
            case .closed: continue
            case .open: throw cycle(from: model, to: child)
            case .unseen:
                parents[child.index] = model
                progress[child.index] = .open
                made[child.index] = try make(child)
                order.append(child)
                way.append((child, children(of: child), 0))
            }
        }
    }

    private func children(of model: ModelID) -> [ModelID] {
        var children: [ModelID] = []
        Reachability.forEachModel(heldBy: model, in: source.records) { children.append($0) }
        return children
    }

    private mutating func make(_ model: ModelID) throws(TreeError) -> ModelID {
        let fresh = tree.makeLooseModel()
        let type = source.records.models[model].type
        guard type != .noRecord else { return fresh }
        if let known = types[type] {
            tree.records.models[fresh].type = known
            return fresh
        }
        let name = source.typing.types[type].name
        guard let declared = tree.typing.types.knownType(name) else {
            let path = path(to: model)
            let fault = "the dump has a model of the type \(name), which is not declared here"
            throw TreeError(kind: .typeMismatch, message: "\(path): \(fault)", path: path, found: "model")
        }
        guard tree.typing.types[declared].isCreatable else {
            tree.typing.beginTrail(.text(ByteView("")))
            throw located(tree.typing.notCreatable(declared), in: model)
        }
        types[type] = declared
        tree.records.models[fresh].type = declared
        return fresh
    }

    // MARK: Properties

    private func fill(_ model: ModelID) throws(TreeError) {
        let target = made[model.index]
        let type = tree.records.models[target].type
        if type != .noRecord, !tree.typing.types[type].isOpen {
            return try fill(target, from: model, tree.typing.types[type])
        }
        let elements = type == .noRecord ? ValueType.any : tree.typing.types[type].elements ?? .any
        try source.forEachProperty(of: model) { (from) throws(TreeError) in
            let name = source.records.names.text(source.records.properties[from].name)
            let interned = tree.records.names.intern(name)
            defer { tree.records.names.release(interned) }
            try fill(interned, of: target, from: from, Declared(type: elements))
        }
    }

    private func fill(_ target: ModelID, from model: ModelID, _ type: ModelType) throws(TreeError) {
        for (position, property) in type.properties.enumerated() {
            let from = source.records.presentProperty(model, tree.records.names.text(property.name))
            if let computation = property.computation {
                tree.addComputed(property.name, to: target, computation)
            }
            tree.typing.beginTrail(.property(tree.records.models[target].type, position))
            if property.isComputed {
                if from != nil { throw tree.typing.computedMember() }
            } else if let from {
                try fill(property.name, of: target, from: from, property.declared)
            } else {
                let value = try tree.initialValue(of: property, depth: 0)
                tree.fill(tree.propertyOrPlaceholder(target, property.name), value)
            }
        }
        try source.forEachProperty(of: model) { (from) throws(TreeError) in
            let name = source.records.names.text(source.records.properties[from].name)
            if let known = tree.records.names.find(name), type.position(of: known) != nil { return }
            tree.typing.beginTrail(.name(name))
            throw tree.typing.unknownMember(name, of: tree.records.models[target].type)
        }
    }

    private func fill(_ name: NameID, of target: ModelID, from: PropertyID, _ declared: Declared)
        throws(TreeError)
    {
        let isWeak = source.records.properties[from].isWeak
        tree.typing.beginTrail(.name(tree.records.names.text(name)))
        // Converts before it makes the record, since an error would leave that behind.
        let copy = try mapped(source.records.properties[from].value)
        let value = try tree.typing.converted(copy, as: declared, isWeak: isWeak, in: tree.records)
        let id = tree.propertyOrPlaceholder(target, name)
        if isWeak || declared.isWeak { tree.records.properties[id].isWeak = true }
        tree.fill(id, value)
    }

    /// The source's value with copies instead of its models; a model without a copy becomes null.
    func mapped(_ value: StoredValue, depth: Int = 0) throws(TreeError) -> StoredValue {
        switch value {
        case .model(let model):
            let made = made[model.index]
            return made == .noRecord ? .null : .model(made)
        case .array(let array):
            try tree.refuseDepth(depth)
            guard array.elements.contains(where: \.isContainer) else { return value }
            var elements: ContiguousArray<StoredValue> = []
            elements.reserveCapacity(array.elements.count)
            for element in array.elements { elements.append(try mapped(element, depth: depth + 1)) }
            return .array(StoredArray(elements))
        default: return value
        }
    }

    // MARK: Refusals

    private func cycle(from model: ModelID, to child: ModelID) -> TreeError {
        let path = path(to: child, in: model)
        let fault = "the dump has a strong reference there that closes a cycle"
        return TreeError(.referenceCycle, "\(path): \(fault)", at: path)
    }

    /// The same error, with the path to the model before its own path.
    private func located(_ error: TreeError, in model: ModelID) -> TreeError {
        let way = path(to: model)
        let path = error.path.flatMap { $0.isEmpty ? nil : "\(way).\($0)" } ?? way
        return error.said(as: "\(path): \(error.reason)", at: path)
    }

    private func path(to model: ModelID) -> String {
        let parent = parents[model.index]
        return parent == .noRecord ? prefix : path(to: model, in: parent)
    }

    /// The path by which the search first reached `parent`, then the step to `child`.
    private func path(to child: ModelID, in parent: ModelID) -> String {
        var components: [String] = []
        var (child, next) = (child, parent)
        while next != .noRecord {
            components.append(step(to: child, in: next))
            (child, next) = (next, parents[next.index])
        }
        let path = components.reversed().joined(separator: ".")
        return prefix.isEmpty ? path : "\(prefix).\(path)"
    }

    private func step(to child: ModelID, in parent: ModelID) -> String {
        var step: String?
        source.forEachProperty(of: parent) { id in
            if step != nil || source.records.properties[id].isWeak { return }
            source.forEachPlace(of: child, in: id) { indices in
                step = step ?? indices.reduce(source.escapedName(of: id)) { "\($0).\($1)" }
            }
        }
        return step ?? ""
    }
}
