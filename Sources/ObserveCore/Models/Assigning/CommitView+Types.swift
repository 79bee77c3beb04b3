// SPDX-License-Identifier: MIT
// Other declared types and limits in a commit, as its recorder reads them.

extension CommitView {
    struct TypeChange {
        let declarations: TypeDeclarations
        /// The models whose new type does not follow from the name of the former one; no name means an open model.
        let retyped: [(instance: UInt64, type: String?)]
        /// The bindings that the commit ended.
        let unbound: [Int32]
    }

    /// The change of the declared types; nil if the commit keeps them.
    var typeChange: TypeChange? {
        guard let former = tree.pending.formerTypes else { return nil }
        var retyped: [(instance: UInt64, type: String?)] = []
        for (model, type) in former.models where model != tree.records.root {
            let present = tree.records.models[model].type
            if present != tree.typing.types.successor(of: type) {
                let name = present == .noRecord ? nil : tree.typing.types[present].name
                retyped.append((tree.records.models[model].instance, name))
            }
        }
        let declarations = tree.typing.declarations ?? TypeDeclarations()
        return TypeChange(declarations: declarations, retyped: retyped, unbound: former.unbound)
    }

    /// The limits of computed properties and bindings; nil unless the commit changes them or the types, or makes a binding.
    var limits: ComputingLimits? {
        let isDeciding =
            tree.pending.formerTypes != nil || tree.pending.formerLimits != nil || !tree.pending.bound.isEmpty
        return isDeciding ? tree.records.computedUnder : nil
    }

    var ranShort: Bool { tree.pending.ranShort }
}
