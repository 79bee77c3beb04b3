// SPDX-License-Identifier: MIT
// Plans other declared types for a tree. Changes nothing.

extension ModelTree {
    /// Plans to replace all declared types by these, which have no faults.
    ///
    /// - Returns: nil if the tree has these types already.
    package func plan(_ declarations: TypeDeclarations) -> TypePlan? {
        precondition(hosted == nil, "the types of Swift models are their classes")
        if typing.declarations == declarations { return nil }
        let former = typing.types.select(TypeTable.Generation())
        defer { typing.types.select(former) }
        let rootSet = makeGeneration(declarations)
        var planner = TypePlanner(self, declarations, from: former, rootSet: rootSet)
        planner.run()
        let isSame = typing.declarations == nil && declarations.isEmpty && planner.plan.retyped.isEmpty
        return isSame ? nil : planner.plan
    }

    /// Declares the types in the selected generation, which is empty. A faulty declaration takes anything.
    ///
    /// - Returns: the type of the set of roots; `noRecord` if no root has a type.
    func makeGeneration(_ declarations: TypeDeclarations) -> TypeID {
        _ = makeTypes(declarations.types)
        return typing.addRootSet(declarations, &records.names)
    }
}
