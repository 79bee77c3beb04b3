// SPDX-License-Identifier: MIT
// The interface through which other layers read a tree. Independent of their purpose.

extension ModelTree {
    /// The interface for reading this tree from other layers.
    @inline(__always) var reader: TreeReader { TreeReader(self) }
}

/// Reads a tree: models in the order of their records, and each model's properties in the order of assignment.
///
/// Text is borrowed: a name is valid until the tree changes, a value until its property is assigned.
struct TreeReader {
    /// Only for this type and its extensions: other layers must not use it.
    let tree: ModelTree

    @inline(__always) init(_ tree: ModelTree) { self.tree = tree }

    @inline(__always) var revision: UInt64 { tree.revision }

    /// The work of reads, renderings and commits so far, in units of about 100 ns, without that in proportion to the request.
    var work: UInt64 {
        tree.notification.comparedNodes &+ tree.records.effort.steps >> 3
            &+ UInt64(tree.dependents.updateCount) << 4 &+ tree.stacks.last << 6
    }

    /// Whether the request would look at more elements than it may.
    var isExhausted: Bool { tree.records.effort.isExhausted }

    // MARK: Models

    /// The model whose properties are the roots.
    var root: ModelID { tree.records.root }

    var lastInstance: UInt64 { tree.records.lastInstance }

    /// One more than the highest number of a model.
    var modelEnd: ModelID { ModelID(index: tree.records.models.allocatedCount) }

    @inline(__always) func instance(of model: ModelID) -> UInt64 { tree.records.models[model].instance }

    /// The name of the model's type; nil for an open model, and for the set of roots.
    func typeName(of model: ModelID) -> String? {
        let type = tree.records.models[model].type
        return type == .noRecord || model == tree.records.root ? nil : tree.typing.types[type].name
    }

    func removalRevision(of model: ModelID) -> UInt64 { tree.records.models[model].removalRevision }

    /// The first model in use, from `first` on and before `end`, that meets the condition.
    func firstModel(
        from first: ModelID,
        before end: ModelID,
        where isWanted: (_ instance: UInt64, ModelID) -> Bool
    ) -> ModelID? {
        var model = first
        while model < end {
            if tree.records.isInUse(model), isWanted(tree.records.models[model].instance, model) {
                return model
            }
            model = model.advanced(by: 1)
        }
        return nil
    }

    // MARK: Properties

    @inline(__always) func firstProperty(of model: ModelID) -> PropertyID { tree.records.models[model].first }

    @inline(__always) func property(after id: PropertyID) -> PropertyID { tree.records.properties[id].next }

    @inline(__always)
    func forEachProperty<E: Error>(of model: ModelID, _ body: (PropertyID) throws(E) -> Void) throws(E) {
        try tree.forEachProperty(of: model, body)
    }

    @inline(__always) func model(of id: PropertyID) -> ModelID { tree.records.properties[id].model }

    @inline(__always)
    func name(of id: PropertyID) -> ByteView { tree.records.names.text(tree.records.properties[id].name) }

    enum Content {
        /// A template computes the value.
        case computed
        case value(StoredValue, isWeak: Bool)
    }

    @inline(__always) func content(of id: PropertyID) -> Content {
        let flags = tree.records.properties[id].flags
        if flags.contains(.computed) { return .computed }
        return .value(tree.records.properties[id].slot, isWeak: flags.contains(.weak))
    }

    @inline(__always) func isPresent(_ id: PropertyID) -> Bool { !tree.records.properties[id].slot.isAbsent }

    /// The revision that last assigned the property.
    @inline(__always) func revision(of id: PropertyID) -> UInt64 { tree.records.properties[id].revision }

    /// The element to which those indices lead in the property's array.
    func element(_ indices: [Int], of id: PropertyID) -> StoredValue {
        tree.element(of: tree.records.properties[id].value, indices)
    }

    // MARK: Limits

    @inline(__always) func mayRender(_ byteCount: Int) -> Bool { tree.limits.mayRender(byteCount) }

    func makeKeyPath() -> ParsedKeyPath { ParsedKeyPath(maxDepth: tree.limits.maxDepth) }

    var mostProperties: Int {
        tree.typing.types.ids.reduce(0) { max($0, tree.typing.types[$1].properties.count) }
    }

    /// The declared types; nil if there are none.
    var declarations: TypeDeclarations? {
        guard let declarations = tree.typing.declarations, !declarations.isEmpty else { return nil }
        return declarations
    }

    /// The limits under which the computed properties have their values.
    var computedUnder: ComputingLimits { tree.records.computedUnder }

    func declared(along path: ParsedKeyPath) throws(TreeError) -> Declared {
        try tree.typing.declared(along: path, in: tree.records)
    }
}
