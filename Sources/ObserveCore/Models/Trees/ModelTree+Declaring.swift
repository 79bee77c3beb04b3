// SPDX-License-Identifier: MIT
// Declares types, tries their defaults, and plans other types for a tree. Independent of files.

extension ModelTree {
    /// Declares model types, which may refer to each other in any order. Returns all faults: do not use a tree with any. A faulty
    /// property takes any value, so that the others can be checked.
    package func declare(_ declarations: [TypeDeclaration]) -> [DeclarationFault] {
        let faults = makeTypes(declarations)
        typing.declarations = typing.declarations ?? TypeDeclarations()
        typing.declarations?.add(declarations)
        return faults
    }

    func makeTypes(_ declarations: [TypeDeclaration]) -> [DeclarationFault] {
        let (types, faults) = typing.add(declarations, in: &records)
        return types.reduce(into: faults) { $0 += tryInitialValues(of: typing.types[$1]) }
    }

    /// Builds every default once, to check whether it has its declared type.
    private func tryInitialValues(of type: ModelType) -> [DeclarationFault] {
        var faults: [DeclarationFault] = []
        for (position, property) in type.properties.enumerated() where property.initial != nil {
            guard !property.isComputed else { continue }
            let refused = attempt { () throws(TreeError) in
                typing.beginTrail(.text(ByteView("")))
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

    /// Runs `body` and rolls it back. Returns all refusals.
    func attempt(_ body: () throws(TreeError) -> Void) -> [TreeError] {
        typing.refusals = []
        defer { typing.refusals = nil }
        allowElements()
        precondition(pending.touches.isEmpty, "a commit was begun inside another")
        do throws(TreeError) { try body() } catch { typing.refusals?.append(error) }
        rollBack()
        return typing.refusals ?? []
    }

    // MARK: Roots

    /// Declares the type of a root's values. Call before making the root.
    package func declare(root: String, type: String) throws(DeclarationFault) {
        try typing.declare(root: root, type: type, in: &records)
    }

    /// Allows no other roots than the declared ones. Call before making roots.
    package func closeRoots() { typing.closeRoots(in: &records) }

    /// Plans to replace all declared types by these; nil if the tree has them already.
    package func plan(_ declarations: TypeDeclarations) -> TypePlan? {
        precondition(hosted == nil, "the types of Swift models are their classes")
        if typing.declarations == declarations { return nil }
        typing.freeUnused(in: &records)
        let former = typing.types.select(TypeTable.Generation())
        defer { typing.types.select(former) }
        let (rootSet, faults) = makeGeneration(declarations)
        var planner = TypePlanner(self, declarations, from: former, rootSet: rootSet)
        planner.plan.faults = faults
        planner.run()
        let isSame = typing.declarations == nil && declarations.isEmpty && planner.plan.retyped.isEmpty
        return isSame ? nil : planner.plan
    }

    /// Declares the types in the selected generation, which is empty: a faulty one takes anything. Returns that of the set of
    /// roots, `noRecord` if no root has a type, and the faults.
    func makeGeneration(_ declarations: TypeDeclarations) -> (rootSet: TypeID, faults: [DeclarationFault]) {
        let faults = makeTypes(declarations.types)
        return (typing.addRootSet(declarations, &records.names), faults)
    }
}
