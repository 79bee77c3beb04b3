// SPDX-License-Identifier: MIT
// The door through which other layers read a tree. Independent of what they make of it.

extension ModelTree {
    /// Reads this tree, from outside of its layer.
    var reader: TreeReader {
        @inline(__always) get { TreeReader(self) }
    }
}

/// Reads a tree: its models in the order of their records, and each model's properties in the order of assignment.
///
/// Text is lent: a name stays valid while the tree does not change, a value until its property is assigned.
struct TreeReader {
    private let tree: ModelTree

    @inline(__always)
    init(_ tree: ModelTree) { self.tree = tree }

    /// The revision of the last commit.
    var revision: UInt64 {
        @inline(__always) get { tree.revision }
    }

    // MARK: Models

    /// The model whose properties are the roots.
    var root: ModelID { tree.records.root }

    /// The instance of the newest model.
    var lastInstance: UInt64 { tree.records.lastInstance }

    /// One more than the highest number of a model.
    var modelEnd: ModelID { ModelID(index: tree.records.models.allocatedCount) }

    @inline(__always)
    func instance(of model: ModelID) -> UInt64 { tree.records.models[model].instance }

    /// The name of the model's type; nil for an open model, and for the set of roots.
    func typeName(of model: ModelID) -> String? {
        let type = tree.records.models[model].type
        return type == .noRecord || model == tree.records.root ? nil : tree.typing.types[type].name
    }

    /// The commit that last removed a property from the model.
    func removalRevision(of model: ModelID) -> UInt64 { tree.records.models[model].removalRevision }

    /// The first model from `first` on, and before `end`, that is in the tree and meets the condition.
    func firstModel(
        from first: ModelID,
        before end: ModelID,
        where isWanted: (_ instance: UInt64, ModelID) -> Bool
    ) -> ModelID? {
        var model = first
        while model < end {
            if isInUse(model), isWanted(tree.records.models[model].instance, model) { return model }
            model = model.advanced(by: 1)
        }
        return nil
    }

    /// Whether the record is of a model that is neither free nor released. Free records have no instance.
    @inline(__always)
    func isInUse(_ model: ModelID) -> Bool {
        (tree.records.models[model].instance != 0 || model == tree.records.root)
            && !tree.records.models[model].isReleased
    }

    /// A walk through all models while the tree changes.
    func makeCursor() -> ModelCursor { ModelCursor(tree) }

    /// The models that strong references lead to from `value`, by their numbers; temporary values keep theirs.
    func reached(from value: StoredValue) -> [Bool] { tree.reached(from: value, tree.temporary.stacks) }

    // MARK: Properties

    /// The model's first property, or `noRecord`.
    @inline(__always)
    func firstProperty(of model: ModelID) -> PropertyID { tree.records.models[model].first }

    /// The property after that one in its model, or `noRecord`.
    @inline(__always)
    func property(after id: PropertyID) -> PropertyID { tree.records.properties[id].next }

    @inline(__always)
    func forEachProperty<E: Error>(of model: ModelID, _ body: (PropertyID) throws(E) -> Void) throws(E) {
        var id = firstProperty(of: model)
        while id != .noRecord {
            try body(id)
            id = property(after: id)
        }
    }

    @inline(__always)
    func model(of id: PropertyID) -> ModelID { tree.records.properties[id].model }

    @inline(__always)
    func name(of id: PropertyID) -> ByteView { tree.records.names.text(tree.records.properties[id].name) }

    /// What a property holds.
    enum Content {
        /// A template gives its value.
        case computed
        case value(StoredValue, isWeak: Bool)
    }

    @inline(__always)
    func content(of id: PropertyID) -> Content {
        let flags = tree.records.properties[id].flags
        if flags.contains(.computed) { return .computed }
        return .value(tree.records.properties[id].slot, isWeak: flags.contains(.weak))
    }

    @inline(__always)
    func isPresent(_ id: PropertyID) -> Bool { !tree.records.properties[id].slot.isAbsent }

    /// The commit that assigned the property last.
    @inline(__always)
    func revision(of id: PropertyID) -> UInt64 { tree.records.properties[id].revision }

    /// The element of the array that the property holds, where those indices lead.
    func element(_ indices: [Int], of id: PropertyID) -> StoredValue {
        tree.element(of: tree.records.properties[id].value, indices)
    }

    // MARK: Temporary values

    @inline(__always)
    func hasTemporaryValue(_ id: PropertyID) -> Bool {
        tree.records.properties[id].flags.contains(.isTemporary)
    }

    /// The property's temporary values and what they shadow, the permanent value first. The value of the last is
    /// unused: the property holds it. A shadowed weak reference whose target is gone is null.
    func stack(of id: PropertyID) -> [TemporaryValue] {
        var stack = tree.temporary.stacks[id] ?? []
        for index in stack.indices.dropLast() where stack[index].isWeak {
            if let model = stack[index].value.modelID,
                tree.records.models[model].instance != stack[index].instance
                    || tree.records.models[model].isReleased
            {
                stack[index].value = .null
            }
        }
        return stack
    }

    // MARK: Bindings

    /// The number of the newest binding, which may have ended.
    var lastBinding: Int32 { tree.bindings.last }

    /// All bindings, in the order in which they were made.
    var bindings: [Binding] { tree.allBindings }

    func binding(_ number: Int32) -> Binding? { tree.binding(number) }
}
