// SPDX-License-Identifier: MIT
// Adds and removes roots that show a Swift model.

extension HostedModels {
    /// Shows a model as a root from now on. Throws if the tree can't show it: see ``HostingError``.
    func host(_ object: any ObservableModel, at root: String) throws(HostingError) {
        checkThread()
        if root == "observed" { throw HostingError("the root observed is the daemon's own") }
        let hosted = declare(type(of: object))
        let faults = faults(of: hosted)
        guard faults.isEmpty else {
            let found = faults.map { "\($0.property) is \($0.type)" }.joined(separator: ", ")
            throw HostingError(
                """
                \(found): a tree shows numbers (integers: of up to 64 signed bits), text, Bool, enumerations with raw \
                values, models, and optionals and arrays of these; publish models that have a key as an array, and other \
                values as a model
                """,
                properties: faults.map(\.property)
            )
        }
        tree.commit {
            let id = property(ofRoot: root, taking: .model(hosted.type))
            if !tree.put(.model(number(of: object)), in: id) { tree.assignEqual(id) }
            fillAll()
        }
    }

    func unhost(_ root: String) {
        checkThread()
        tree.commit {
            let id = property(ofRoot: root, taking: .any)
            if !tree.records.properties[id].slot.isAbsent { tree.assign(id, .absent) }
        }
    }

    /// Declares the root's type, and returns its property. From now on only the program may assign the root;
    /// with the type `any`, every client may.
    func property(ofRoot root: String, taking type: ValueType) -> PropertyID {
        let name = ByteView.with(root) { tree.records.names.intern($0) }
        defer { tree.records.names.release(name) }
        let rootModel = tree.records.root
        if tree.records.models[rootModel].type == .noRecord {
            let set = ModelType(name: "Any", elements: .any)
            tree.records.models[rootModel].type = tree.typing.types.add(set)
        }
        tree.records.names.retain(name)
        let declared = Declared(type: type, traits: type == .any ? [] : [.readonly, .fixed])
        let property = DeclaredProperty(name: name, text: root, declared: declared)
        tree.typing.types[tree.records.models[rootModel].type].declare(property)
        let id = tree.propertyOrPlaceholder(rootModel, name)
        tree.records.properties[id].flags.subtract([.declared, .choosy])
        tree.records.properties[id].flags.formUnion(tree.typing.declaredFlags(of: id, in: tree.records))
        return id
    }
}
