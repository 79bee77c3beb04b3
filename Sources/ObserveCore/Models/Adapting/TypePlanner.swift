// SPDX-License-Identifier: MIT
// Compares a tree with other declared types: what fits, what is converted, and what would be lost. Changes nothing.
//
// A model keeps its type if a type of that name is declared. Any other model, open or a dictionary, gets the type
// that its places demand. The planner follows the demands from the set of roots, and checks each model once.

/// Makes a ``TypePlan``. The tree's table must have the new generation selected.
/// - Cost: proportional to the tree.
struct TypePlanner {
    let tree: HistoryTree
    let former: TypeTable.Generation
    var plan: TypePlan
    /// The new types, by model; `noRecord` for open models.
    private(set) var types: [TypeID]
    /// Models whose properties are to be checked.
    private var queue: [ModelID] = []
    var weakened: [PlannedReference] = []
    var strengthened: [PlannedReference] = []
    var counts = ConversionCounts()
    /// The indexes that lead to the element being checked.
    var indexes: [Int] = []

    /// - Parameter rootSet: the type of the set of roots; `noRecord` if no root has a type.
    init(
        _ tree: HistoryTree,
        _ declarations: TypeDeclarations,
        from former: TypeTable.Generation,
        rootSet: TypeID
    ) {
        self.tree = tree
        self.former = former
        plan = TypePlan(declarations: declarations, generation: tree.typing.types.generation)
        types = [TypeID](repeating: .noRecord, count: tree.records.models.allocatedCount)
        types[tree.records.root.index] = rootSet
    }

    mutating func run() {
        queue = [tree.records.root]
        for model in tree.records.modelsInUse where model != tree.records.root {
            let type = tree.records.models[model].type
            guard type != .noRecord else { continue }
            if let known = tree.typing.types.find(tree.typing.types[type].name),
                former.find(name(type)) == type
            {
                types[model.index] = known
                queue.append(model)
            }
        }
        var next = 0
        while next < queue.count {
            check(queue[next])
            next += 1
        }
        checkReferences()
        checkBindings()
        for model in tree.records.modelsInUse where types[model.index] != tree.records.models[model].type {
            plan.retyped.append((model, types[model.index]))
            let former = tree.records.models[model].type
            if model != tree.records.root { counts.note(former, as: types[model.index]) }
        }
        plan.summary = lines()
    }

    func name(_ type: TypeID) -> String { tree.typing.types[type].name }

    func type(_ model: ModelID) -> TypeID { types[model.index] }

    /// Gives an open model the type that a place demands. Returns false if the model has another type.
    mutating func demand(_ wanted: TypeID, of model: ModelID) -> Bool {
        if types[model.index] == .noRecord {
            types[model.index] = wanted
            queue.append(model)
        }
        return tree.typing.types.isKind(types[model.index], of: wanted)
    }

    // MARK: One model

    private mutating func check(_ model: ModelID) {
        guard types[model.index] != .noRecord else { return }
        let type = tree.typing.types[types[model.index]]
        tree.forEachProperty(of: model) { check($0, of: type) }
        guard !type.isOpen else { return }
        for property in type.properties where !property.isComputed {
            let known = tree.records.property(model, property.name)
            let isStored = known.map { isPresent($0) && !isComputed($0) } ?? false
            if !isStored { add(property, to: model) }
        }
    }

    func isPresent(_ id: PropertyID) -> Bool { !tree.records.properties[id].slot.isAbsent }

    func isComputed(_ id: PropertyID) -> Bool { tree.records.properties[id].flags.contains(.computed) }

    private mutating func check(_ id: PropertyID, of type: ModelType) {
        if isComputed(id) { return }
        guard let declared = type.declared(tree.records.properties[id].name)
        else { return drop(id, isComputed: false) }
        if declared.traits.contains(.computed) { return drop(id, isComputed: true) }
        fit(id, declared)
    }

    /// Drops a stored property that the types lack or compute, which loses nothing if it is null.
    private mutating func drop(_ id: PropertyID, isComputed: Bool) {
        let isNull = tree.records.properties[id].slot.isNull && layers(of: id).allSatisfy(\.value.isNull)
        if !isComputed { plan.changes.append(.removal(id)) }
        if isNull {
            if !isComputed { counts.note(.removed, owner(id)) }
            return
        }
        let found = tree.records.properties[id].value.kindPhrase
        let (kind, cause, advice) =
            isComputed
            ? ("computed", ", since it is computed", ("", "set it to null first"))
            : ("not declared", "", ("declare it, ", "remove it first"))
        addMisfit("\(owner(id).text) is dropped\(cause)") {
            let why = "\(kind)\($0.formerly(id)), found \(found)"
            let optional = $0.formerlyRequired(id).map { "declare it as \($0)? and " } ?? ""
            let way = "\(advice.0)\(optional)\(advice.1)"
            return $0.misfit(id, why, "\(way), or start with --adapt, which drops it")
        }
    }

    private mutating func add(_ property: DeclaredProperty, to model: ModelID) {
        let owner = PropertyOwner(type: name(types[model.index]), property: property.text)
        plan.changes.append(.initial(model, property))
        if property.initial == nil, case .model(let required) = property.declared.type,
            !tree.typing.types[required].isOpen
        {
            let type = name(required)
            let remedy = "start with --adapt, which makes a new \(type)"
            addMisfit("\(owner.text) is made as a new \(type)") {
                let place = $0.path(of: model, property.name)
                let reason = "\(place): expected \(type), which has no default, and found nothing"
                return Misfit(reason: reason, advice: "give it a default, make it optional, or \(remedy)")
            }
        } else {
            counts.note(.added, owner)
        }
    }

    // MARK: Bindings

    private mutating func checkBindings() {
        for binding in tree.allBindings {
            guard let refusal = refusal(of: binding) else { continue }
            plan.unbound.append(binding.number)
            let (source, target) = (binding.source.escaped, binding.target.escaped)
            let reason = "binding \(binding.number) from \(source) to \(target): \(refusal)"
            let advice = "unbind it first, or start with --adapt, which removes it"
            addMisfit("a binding is removed") { _ in Misfit(reason: reason, advice: advice) }
        }
    }

    private func refusal(of binding: Binding) -> String? {
        do throws(TreeError) {
            let target = try declared(binding.target)
            let source = try declared(binding.source)
            if let refusal = target.refusal(at: binding.target.escaped) { return refusal.message }
            guard binding.isTwoWay else { return nil }
            return source.refusal(at: binding.source.escaped)?.message
        } catch {
            return error.message
        }
    }

    private func declared(_ path: ParsedKeyPath) throws(TreeError) -> Declared {
        let set = types[tree.records.root.index]
        guard set != .noRecord else { return .anything }
        return try tree.typing.declared(along: path, from: Declared(type: .model(set)), in: tree.records)
    }
}
