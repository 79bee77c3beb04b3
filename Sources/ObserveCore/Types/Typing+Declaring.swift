// SPDX-License-Identifier: MIT
// Turns declarations into types. Independent of files, and of the values of models.

extension Typing {
    /// Adds the types, which may refer to each other in any order. Returns them, and all faults apart from those of defaults. A
    /// faulty property takes any value, so that the others can be checked.
    mutating func add(_ declarations: [TypeDeclaration], in records: inout Records)
        -> (types: [TypeID], faults: [DeclarationFault])
    {
        var faults: [DeclarationFault] = []
        var added: [(TypeID, TypeDeclaration)] = []
        for declaration in declarations {
            if let refusal = refusal(ofType: declaration.name) {
                faults.append(DeclarationFault(place: [declaration.name], message: refusal))
            } else {
                added.append((types.add(ModelType(name: declaration.name), isNamed: true), declaration))
            }
        }
        for (type, declaration) in added {
            for property in declaration.properties {
                declare(property, of: type, in: &records) { place, message in
                    faults.append(DeclarationFault(place: [declaration.name] + place, message: message))
                }
            }
        }
        for (place, fault) in TypeRecursion.faults(in: types) {
            faults.append(fault)
            types[place.type].loosen(place.position)
        }
        let new = added.map(\.0)
        return (new, faults + declareComputed(new, in: &records))
    }

    /// Frees the types of former declarations that no model has any more, and those of plans that were not applied.
    mutating func freeUnused(in records: inout Records) {
        var used: Set<TypeID> = []
        // Released models, too, have types: a commit may restore them. Freed records have none.
        for model in ModelID(0)..<ModelID(index: records.models.allocatedCount) {
            used.insert(records.models[model].type)
        }
        for property in types.free(allBut: used).flatMap(\.properties) {
            records.names.release(property.name)
            for case .value(let expression, _, _) in property.computation?.parts ?? [] {
                records.release(expression)
            }
        }
    }

    private func refusal(ofType name: String) -> String? {
        if let refusal = TypeNotation.refusal(ofName: name) { return refusal }
        return types.find(name) == nil ? nil : "declared twice, expected once"
    }

    private mutating func declare(
        _ property: PropertyDeclaration,
        of type: TypeID,
        in records: inout Records,
        report: (_ place: [String], _ message: String) -> Void
    ) {
        let place = [property.name]
        var declared = Declared.anything
        do throws(TypeNotationError) {
            declared = try TypeNotation.parse(property.type, in: &types)
        } catch {
            report(property.isAbbreviated ? place : place + ["type"], error.message)
        }
        declared.traits.insert(.fixed)
        if property.isWeak { declared.traits.insert(.weak) }
        if property.isReadonly { declared.traits.insert(.readonly) }
        if property.computed != nil { declared.traits.insert(.computed) }
        if declared.isWeak, !isReference(declared.type) {
            report(place, "weak, expected an optional model type, as weak Player?")
            declared.traits.remove(.weak)
            declared.type = .any
        }
        if property.computed != nil {
            if property.initial != nil { report(place + ["default"], "a computed property takes no default") }
            if !declared.traits.isDisjoint(with: [.weak, .readonly]) {
                report(place, "computed, so it can be neither weak nor readonly")
            }
        }
        var template: Template?
        if let text = property.computed {
            do throws(ExpressionError) {
                template = try Template(parsing: text, ExpressionSyntax(maxDepth: records.limits.maxDepth))
            } catch {
                report(place + ["computed"], error.description)
            }
        }
        let name = ByteView.with(property.name) { records.names.intern($0) }
        types[type].declare(
            DeclaredProperty(
                name: name,
                text: property.name,
                declared: declared,
                initial: property.initial,
                template: template
            )
        )
    }

    /// Whether the type allows both null and a model.
    private func isReference(_ type: ValueType) -> Bool {
        switch type {
        case .any, .optional(.any), .optional(.model): true
        default: false
        }
    }

    // MARK: Roots

    /// Declares the type of a root's values, before the root exists.
    mutating func declare(root: String, type: String, in records: inout Records) throws(DeclarationFault) {
        var set = records.models[records.root].type
        if set == .noRecord { set = addRootSet() }
        try declare(root: root, type: type, of: set, &records.names)
        records.models[records.root].type = set
        declarations = declarations ?? TypeDeclarations()
        declarations?.add(RootDeclaration(root, type))
        // An observer may already have made a placeholder.
        let name = ByteView.with(root) { records.names.find($0) }
        if let known = name.flatMap({ records.property(records.root, $0) }) {
            records.properties[known].flags.formUnion(declaredFlags(of: known, in: records))
        }
    }

    /// Allows no other roots than the declared ones.
    mutating func closeRoots(in records: inout Records) {
        if records.models[records.root].type == .noRecord { records.models[records.root].type = addRootSet() }
        types[records.models[records.root].type].isClosed = true
        declarations = declarations ?? TypeDeclarations()
        declarations?.isClosed = true
    }

    /// Adds a type for the set of roots, without faulty declarations; `noRecord` if no root has a type.
    mutating func addRootSet(_ declarations: TypeDeclarations, _ names: inout NameTable) -> TypeID {
        guard !declarations.roots.isEmpty || declarations.isClosed else { return .noRecord }
        let set = addRootSet()
        types[set].isClosed = declarations.isClosed
        for root in declarations.roots { try? declare(root: root.name, type: root.type, of: set, &names) }
        return set
    }

    private mutating func addRootSet() -> TypeID { types.add(ModelType(name: "Any", elements: .any)) }

    private mutating func declare(root: String, type: String, of set: TypeID, _ names: inout NameTable)
        throws(DeclarationFault)
    {
        var declared = Declared.anything
        do throws(TypeNotationError) { declared = try TypeNotation.parse(type, in: &types) } catch {
            throw DeclarationFault(place: ["type"], message: error.message)
        }
        guard declared.traits.isEmpty
        else { throw DeclarationFault(place: ["type"], message: "a root is neither weak nor readonly") }
        let name = ByteView.with(root) { names.intern($0) }
        types[set].declare(DeclaredProperty(name: name, text: root, declared: declared))
    }
}
