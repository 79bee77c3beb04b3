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

    // MARK: Observed paths

    /// Whether there is an observer, of a path or of a pattern.
    var isObserved: Bool { tree.paths.observers.count > 0 || tree.wildcards.patterns.count > 0 }

    @inline(__always)
    func observer(_ id: ObserverID) -> ObserverRecord { tree.paths.observers[id] }

    /// The first observer of the node's path, or `noRecord`.
    @inline(__always)
    func firstObserver(at node: NodeID) -> ObserverID { tree.paths.nodes[node].firstObserver }

    /// The node of the path without its last component.
    func parent(of node: NodeID) -> NodeID { tree.paths.nodes[node].parent }

    /// The node of the empty path.
    var rootNode: NodeID { tree.paths.rootNode }

    /// The path of a node that has observers: escaped, as between the quotes of a JSON string.
    @inline(__always)
    func path(of node: NodeID) -> ByteView { tree.paths.nodes[node].path.view }

    /// How much of the paths below the node is its own.
    @inline(__always)
    func pathLength(of node: NodeID) -> Int { Int(tree.paths.nodes[node].pathLength) }

    /// Whether the pattern matches more paths than the limits allow.
    func isOverfull(_ pattern: PatternID) -> Bool { tree.wildcards.patterns[pattern].isOverfull }

    // MARK: Commits

    /// Who asked for the commit under way.
    var author: CommitAuthor { tree.pending.author }

    /// Whether commits are being undone now.
    var isUndoing: Bool {
        @inline(__always) get { tree.undoing.isUnderWay }
    }

    /// The numbers of the commits in the history.
    var pastCommits: Range<Int> { tree.history.commits.first..<tree.history.commits.end }

    /// The first commit after `revision`; nil if the history does not have all since then.
    ///
    /// - Parameter isDistinct: assignments of equal values do not matter.
    func firstCommit(after revision: UInt64, isDistinct: Bool) -> Int? {
        guard isDistinct || revision >= tree.paths.equalAssignmentsNotedSince else { return nil }
        return tree.history.firstCommit(after: revision)
    }

    // MARK: Owners of temporary values

    /// The owners that have temporary values, in order.
    var temporaryOwners: [Int32] { tree.temporary.owners.keys.sorted() }

    func hasTemporaryValues(of owner: Int32) -> Bool { tree.temporary.owners[owner] != nil }

    /// The numbers of the temporary values that end at a time.
    var timedValues: [UInt64] { Array(tree.temporary.timed.keys) }

    /// The number of the newest temporary value.
    var lastTemporaryValue: UInt64 { tree.temporary.last }

    // MARK: Limits

    /// Whether a rendering of so many bytes is within the limits.
    @inline(__always)
    func mayRender(_ byteCount: Int) -> Bool { byteCount <= tree.limits.maxRenderedBytes }

    /// An empty key path as long as the tree's may be.
    func makeKeyPath() -> ParsedKeyPath { ParsedKeyPath(maxDepth: tree.limits.maxDepth) }
}
