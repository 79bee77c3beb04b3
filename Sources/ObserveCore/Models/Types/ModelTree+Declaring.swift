// SPDX-License-Identifier: MIT
// Turns declarations into types. Independent of files, and of models that exist.

extension ModelTree {
    /// Declares model types, which may refer to each other in any order.
    ///
    /// - Returns: all faults. A faulty property takes any value, so that the tree can check the others. Do not
    ///   use a tree with faults.
    package func declare(_ declarations: [TypeDeclaration]) -> [DeclarationFault] {
        let faults = makeTypes(declarations)
        typing.declarations = typing.declarations ?? TypeDeclarations()
        typing.declarations?.add(declarations)
        return faults
    }

    /// Adds the types, and returns all faults of their declarations.
    func makeTypes(_ declarations: [TypeDeclaration]) -> [DeclarationFault] {
        var faults: [DeclarationFault] = []
        var added: [(TypeID, TypeDeclaration)] = []
        for declaration in declarations {
            if let refusal = refusal(ofType: declaration.name) {
                faults.append(DeclarationFault(place: [declaration.name], message: refusal))
            } else {
                added.append(
                    (typing.types.add(ModelType(name: declaration.name), isNamed: true), declaration)
                )
            }
        }
        for (type, declaration) in added {
            for property in declaration.properties {
                declare(property, of: type) { place, message in
                    faults.append(DeclarationFault(place: [declaration.name] + place, message: message))
                }
            }
        }
        for (place, fault) in TypeRecursion.faults(in: typing.types) {
            faults.append(fault)
            typing.types[place.type].loosen(place.position)
        }
        faults += declareComputed(added.map(\.0))
        for (type, _) in added { faults += tryInitialValues(of: typing.types[type]) }
        return faults
    }

    private func refusal(ofType name: String) -> String? {
        if let refusal = TypeNotation.refusal(ofName: name) { return refusal }
        return typing.types.find(name) == nil ? nil : "declared twice, expected once"
    }

    private func declare(
        _ property: PropertyDeclaration,
        of type: TypeID,
        report: (_ place: [String], _ message: String) -> Void
    ) {
        let place = [property.name]
        var written = WrittenType(type: .any)
        do throws(TypeNotationError) {
            written = try TypeNotation.parse(property.type, in: &typing.types)
        } catch {
            report(property.isAbbreviated ? place : place + ["type"], error.message)
        }
        var traits: Declared.Traits = .fixed
        if written.isWeak || property.isWeak { traits.insert(.weak) }
        if written.isReadonly || property.isReadonly { traits.insert(.readonly) }
        if property.computed != nil { traits.insert(.computed) }
        if traits.contains(.weak), !isReference(written.type) {
            report(place, "weak, expected an optional model type, as weak Player?")
            traits.remove(.weak)
            written.type = .any
        }
        if property.computed != nil {
            if property.initial != nil { report(place + ["default"], "a computed property takes no default") }
            if traits.contains(.weak) || traits.contains(.readonly) {
                report(place, "computed, so it can be neither weak nor readonly")
            }
        }
        var template: Template?
        if let text = property.computed {
            do throws(ExpressionError) {
                template = try Template(parsing: text, ExpressionSyntax(maxDepth: limits.maxDepth))
            } catch {
                report(place + ["computed"], error.description)
            }
        }
        let name = ByteView.with(property.name) { records.names.intern($0) }
        typing.types[type].declare(
            DeclaredProperty(
                name: name,
                text: property.name,
                declared: Declared(type: written.type, traits: traits),
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

    /// Builds every default once, to check whether it has its declared type.
    private func tryInitialValues(of type: ModelType) -> [DeclarationFault] {
        var faults: [DeclarationFault] = []
        for (position, property) in type.properties.enumerated() where property.initial != nil {
            guard !property.isComputed else { continue }
            let refused = attempt { () throws(TreeError) in
                beginTrail(.text(ByteView("")))
                _ = try initialValue(of: property, depth: 0)
            }
            for refusal in refused {
                let place = [type.name, property.text, "default"] + refusal.components
                faults.append(DeclarationFault(place: place, message: refusal.reason))
            }
            if !refused.isEmpty { type.loosen(position) }
        }
        return faults
    }

    /// Why an attempt ended.
    private enum AttemptEnd: Error {
        case allTried
        case refused(TreeError)
    }

    /// Runs `body` and rolls it back.
    ///
    /// - Returns: all refusals.
    func attempt(_ body: () throws(TreeError) -> Void) -> [TreeError] {
        typing.refusals = []
        do throws(AttemptEnd) {
            try commit { () throws(AttemptEnd) in
                do throws(TreeError) { try body() } catch { throw .refused(error) }
                throw .allTried
            }
        } catch .refused(let error) {
            typing.refusals?.append(error)
        } catch {}
        defer { typing.refusals = nil }
        return typing.refusals ?? []
    }

    // MARK: Roots

    /// Declares the type of a root's values. Call before making the root.
    package func declare(root: String, type: String) throws(DeclarationFault) {
        var set = records.models[records.root].type
        if set == .noRecord { set = addRootSet() }
        try declare(root: root, type: type, in: set)
        records.models[records.root].type = set
        typing.declarations = typing.declarations ?? TypeDeclarations()
        typing.declarations?.add(RootDeclaration(root, type))
        // An observer may already have made a placeholder.
        let name = ByteView.with(root) { records.names.find($0) }
        if let known = name.flatMap({ records.property(records.root, $0) }) {
            records.properties[known].flags.formUnion(declaredFlags(of: known))
        }
    }

    /// Allows no other roots than the declared ones. Call before making roots.
    package func closeRoots() {
        if records.models[records.root].type == .noRecord { records.models[records.root].type = addRootSet() }
        typing.types[records.models[records.root].type].isClosed = true
        typing.declarations = typing.declarations ?? TypeDeclarations()
        typing.declarations?.isClosed = true
    }

    /// Adds a type for the set of roots.
    func addRootSet() -> TypeID { typing.types.add(ModelType(name: "Any", elements: .any)) }

    /// Declares the type of a root's values in a type for the set of roots.
    func declare(root: String, type: String, in set: TypeID) throws(DeclarationFault) {
        var written = WrittenType(type: .any)
        do throws(TypeNotationError) { written = try TypeNotation.parse(type, in: &typing.types) } catch {
            throw DeclarationFault(place: ["type"], message: error.message)
        }
        guard !written.isWeak, !written.isReadonly else {
            throw DeclarationFault(place: ["type"], message: "a root is neither weak nor readonly")
        }
        let name = ByteView.with(root) { records.names.intern($0) }
        typing.types[set].declare(
            DeclaredProperty(name: name, text: root, declared: Declared(type: written.type))
        )
    }
}
