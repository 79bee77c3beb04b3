// SPDX-License-Identifier: MIT
// Restores a tree from kept lines: models from a snapshot, then the commits after it. Independent of files.

/// Parses lines and passes their contents to ``TreeBuilder``, in its two stages.
final class StateLoader {
    let builder: TreeBuilder
    let clock: WallClock
    var bindings: [Int32: KeptBinding] = [:]
    private let name = ByteBuffer()
    /// The next properties of a snapshot's model.
    private var batch = Scratch<ParsedProperty>()

    /// - Parameter isForeign: whether the lines are those of another tree.
    init(_ tree: ModelTree, clock: WallClock, isForeign: Bool = false) {
        builder = TreeBuilder(tree, isForeign: isForeign)
        self.clock = clock
    }

    var isPatching: Bool { builder.isPatching }

    // MARK: Models

    func model(_ json: JSONView) throws(StateFault) -> ModelID {
        try builder.model(LineMembers.instance(json))
    }

    /// The name of a model's type; nil for an open model, as that of all roots is.
    func typeName(_ type: JSONView, of instance: JSONView) throws(StateFault) -> String? {
        guard type.kind == .string else { return nil }
        if instance.int64() == 0 { throw StateFault("the model of all roots has no type") }
        return type.decodedString()
    }

    /// `[instance,type,"name",value,…]`, or with revisions `[instance,type,removal,"name",value,revision,…]`.
    func loadModel(_ elements: inout JSONElements, revision: UInt64?) throws(StateFault) {
        guard let instance = elements.next(), let type = elements.next()
        else { throw StateFault("a model has an instance and a type") }
        let model = try builder.makeModel(LineMembers.instance(instance), type: typeName(type, of: instance))
        guard let revision else {
            builder.setRemovalRevision(try LineMembers.revision(elements.next()), of: model)
            return try loadProperties(&elements, of: model)
        }
        while let name = elements.next() {
            guard name.kind == .string, let value = elements.next()
            else { throw StateFault("a property has a name and a value") }
            let id = try property(name, of: model)
            // The line has the model as it was made. The snapshot may have a later state, which stays.
            if isPatching, builder.isPresent(id) { continue }
            try builder.fill(id, try content(value), revision)
        }
    }

    /// Loads `"name",value,revision,…` in batches. The builder first reads the place of each property in a batch, so that the
    /// processor waits for many at once.
    private func loadProperties(_ elements: inout JSONElements, of model: ModelID) throws(StateFault) {
        repeat {
            batch.removeAll()
            while batch.count < 32, let name = elements.next() {
                guard name.kind == .string, let value = elements.next()
                else { throw StateFault("a property has a name and a value") }
                let (id, revision) = (try intern(name), try LineMembers.revision(elements.next()))
                batch.append(ParsedProperty(name: id, value: value, revision: revision))
            }
            // Nothing else in this loop: the processor looks only so far ahead.
            for index in batch.indices { builder.prefetch(batch[index].name, of: model) }
            for index in batch.indices {
                let id = builder.emptyProperty(batch[index].name, of: model)
                try builder.fill(id, try content(batch[index].value), batch[index].revision)
            }
        } while !batch.isEmpty
    }

    /// A name that is not UTF-8 could be that of an operator's node: see ``OperatorName``.
    @inline(__always) private func text(of name: JSONView) throws(StateFault) -> ByteView {
        if !name.contents.isUTF8 { throw StateFault("a property's name is not UTF-8") }
        return name.decoded(in: self.name)
    }

    private func intern(_ name: JSONView) throws(StateFault) -> NameID {
        builder.intern(try text(of: name), isNext: !name.hasEscapes)
    }

    func property(_ name: JSONView, of model: ModelID) throws(StateFault) -> PropertyID {
        builder.property(try text(of: name), of: model)
    }

    // MARK: Values

    /// - Parameter mayBeAbsent: whether `{}` stands for an absent value, which only a temporary one can shadow.
    func content(_ json: JSONView, mayBeAbsent: Bool = false) throws(StateFault) -> TreeReader.Content {
        guard json.kind == .object else { return .value(try value(json), isWeak: false) }
        var members = json.members
        guard let (name, value) = members.next() else {
            guard mayBeAbsent else { throw StateFault("a value is of no known kind") }
            return .value(.absent, isWeak: false)
        }
        switch name.contents {
        case _ where name.contents == "m": return .value(.model(try model(value)), isWeak: false)
        case _ where name.contents == "w":
            if value.kind == .null { return .value(.null, isWeak: true) }
            return .value(.model(try model(value)), isWeak: true)
        case _ where name.contents == "c": return .computed
        default: throw StateFault("a value is of no known kind")
        }
    }

    /// Recursion is as deep as arrays nest. The tree bounds that, but state of older versions may nest deeper. So many levels fit
    /// the stack of the main thread, also in a debug build.
    func value(_ json: JSONView, depth: Int = 0) throws(StateFault) -> StoredValue {
        switch json.kind {
        case .array:
            guard depth < 8192 else { throw StateFault("an array nests too deep") }
            var elements: ContiguousArray<StoredValue> = []
            var rest = json.elements
            while let element = rest.next() { elements.append(try value(element, depth: depth + 1)) }
            return .array(StoredArray(elements))
        case .object:
            guard case .value(let value, isWeak: false) = try content(json, mayBeAbsent: true),
                value.modelID != nil
            else { throw StateFault("an element is of no known kind") }
            return value
        default: return try builder.scalar(json)
        }
    }

    // MARK: Snapshots

    func load(slice json: JSONView) throws(StateFault) {
        var members = json.members
        repeat {
            while try members.enter({ (name, list) throws(StateFault) in try load(name, &list) }) {}
        } while members.next() != nil
    }

    private func load(_ name: JSONView, _ elements: inout JSONElements) throws(StateFault) {
        if name.contents == "m" {
            while try elements.enter({ (model) throws(StateFault) in try loadModel(&model, revision: nil) }) {
            }
            if elements.next() != nil { throw StateFault("a model is a list") }
        } else if name.contents == "o" {
            while let stack = elements.next() { try loadStack(stack) }
        } else if name.contents == "b" {
            while let binding = elements.next() { try load(binding: binding) }
        }
    }

    // MARK: The end

    /// Ends patching, and begins the history.
    func finishPatching(revision: UInt64) throws(StateFault) {
        try builder.finishPatching(revision: revision)
        builder.startHistory()
    }

    /// Restores the bindings after the last line. They continue from the present values of both ends.
    func finish() throws(StateFault) {
        for (number, binding) in bindings.sorted(by: { $0.key < $1.key }) {
            do throws(TreeError) {
                try builder.restoreBinding(number, binding.source, binding.target, isTwoWay: binding.isTwoWay)
            } catch {
                let exceedsLimit = error.kind == .limitExceeded
                throw StateFault("binding \(number): \(error.message)", exceedsLimit: exceedsLimit)
            }
        }
        builder.restoreLimits()
        builder.setAuthor(CommitAuthor())
        builder.setTime(0)
    }
}
