// SPDX-License-Identifier: MIT
// A tree made from what was kept of it: models from a snapshot, then the commits after it. Knows no files.

/// Fills an empty tree, in which the types are declared, in two stages.
///
/// 1. While ``isPatching``, from a snapshot and the commits made while it was written. Each property is there as it was
///    at some moment of that time, and says which commit assigned it last: what an earlier commit says of it is old.
///    References are counted at the end (``finishPatching(revision:)``).
/// 2. From then on commit after commit, as each was made. So the tree's history comes to hold them.
final class StateLoader {
    let tree: ModelTree
    let clock: WallClock
    /// The state is another tree's: types are no more than names, and nothing is computed.
    let isForeign: Bool
    private(set) var isPatching = true
    /// Models by their instances, those included that were only heard of.
    var instances: [UInt64: ModelID] = [:]
    /// Those that were only heard of.
    private var unknown: Set<ModelID> = []
    /// Bindings by their numbers.
    var bindings: [Int32: KeptBinding] = [:]
    var stacks: [PropertyID: [TemporaryValue]] = [:]
    /// Properties that may have come to be absent.
    var emptied: [PropertyID] = []
    private let name = ByteBuffer()
    /// What stands next in a snapshot.
    @safe @exclusivity(unchecked) private var coming = Scratch<ParsedProperty>()
    @safe @exclusivity(unchecked) private var lastName: NameID = .noRecord
    /// What was made of places that were read early.
    @safe @exclusivity(unchecked) private var glances: UInt32 = 0

    init(_ tree: ModelTree, clock: WallClock, isForeign: Bool = false) {
        self.tree = tree
        self.clock = clock
        self.isForeign = isForeign
        instances[0] = tree.records.root
    }

    // MARK: Models

    func find(_ json: JSONView) throws(StateFault) -> ModelID {
        guard let number = json.int64(), number >= 0 else { throw StateFault("an instance is a number") }
        let instance = UInt64(number)
        if let known = instances[instance], tree.records.models[known].instance == instance,
            !tree.records.models[known].isReleased
        {
            return known
        }
        guard isPatching else { throw StateFault("there is no model \(instance)") }
        let model = tree.makeModel(instance: instance)
        instances[instance] = model
        unknown.insert(model)
        return model
    }

    private func make(_ json: JSONView, type: JSONView) throws(StateFault) -> ModelID {
        let model = try find(json)
        unknown.remove(model)
        if type.kind == .string {
            let name = type.decodedString()
            guard let id = isForeign ? tree.nameOnly(name) : tree.restoredType(name) else {
                throw StateFault("a model has the type \(name), which is not declared")
            }
            tree.records.models[model].type = id
        }
        return model
    }

    /// `[instance,type,"name",value,…]`, or with revisions `[instance,type,removal,"name",value,revision,…]`.
    func loadModel(_ elements: inout JSONElements, revision: UInt64?) throws(StateFault) {
        guard let instance = elements.next(), let type = elements.next() else {
            throw StateFault("a model has an instance and a type")
        }
        let model = try make(instance, type: type)
        guard let revision else {
            tree.records.models[model].removalRevision = try StateLoader.revision(elements.next())
            return try loadProperties(&elements, of: model)
        }
        while let name = elements.next() {
            guard name.kind == .string, let value = elements.next() else {
                throw StateFault("a property has a name and a value")
            }
            let id = property(name, of: model)
            // Written down as it was made: a snapshot that has it has it as it was later.
            if isPatching, !tree.records.properties[id].slot.isAbsent { continue }
            try load(value, into: id, revision)
        }
    }

    /// `"name",value,revision,…`, some at a time: where each will be looked for is read before any of them is, so that the
    /// processor waits for many places at once.
    private func loadProperties(_ elements: inout JSONElements, of model: ModelID) throws(StateFault) {
        repeat {
            coming.removeAll()
            while coming.count < 32, let name = elements.next() {
                guard name.kind == .string, let value = elements.next() else {
                    throw StateFault("a property has a name and a value")
                }
                lastName = intern(name)
                coming.append(
                    ParsedProperty(
                        name: lastName,
                        value: value,
                        revision: try StateLoader.revision(elements.next())
                    )
                )
            }
            // Nothing else in between: the processor looks only so far ahead.
            for index in coming.indices {
                glances &+= tree.records.propertyIndex.glance(
                    pairHash(model, coming[index].name, seed: tree.records.seed)
                )
            }
            for index in coming.indices {
                let id = tree.propertyOrPlaceholder(model, coming[index].name)
                tree.records.names.release(coming[index].name)
                // It has left its place and come again while the snapshot was written.
                if !tree.records.properties[id].slot.isAbsent { clear(id) }
                try load(coming[index].value, into: id, coming[index].revision)
            }
        } while !coming.isEmpty
    }

    private func intern(_ name: JSONView) -> NameID {
        guard name.hasEscapes else { return tree.records.names.intern(name.contents, after: lastName) }
        self.name.removeAll()
        name.appendDecoded(to: self.name)
        return tree.records.names.intern(self.name.view)
    }

    func property(_ name: JSONView, of model: ModelID) -> PropertyID {
        guard name.hasEscapes else { return tree.addProperty(named: name.contents, to: model) }
        self.name.removeAll()
        name.appendDecoded(to: self.name)
        return tree.addProperty(named: self.name.view, to: model)
    }

    /// Gives a property that is absent its value, without counting references while patching.
    func load(_ json: JSONView, into id: PropertyID, _ revision: UInt64) throws(StateFault) {
        let kept = try kept(json)
        if kept.isComputed {
            if !isForeign { try tree.restoreComputed(id) }
            return
        }
        if !isPatching { tree.reference(kept.value, from: id, isWeak: kept.isWeak) }
        tree.enlist(id, after: tree.records.models[tree.records.properties[id].model].last)
        tree.setValue(kept.value, of: id)
        tree.records.properties[id].isWeak = kept.isWeak
        tree.records.properties[id].revision = revision
    }

    /// While patching: the property is absent again.
    func clear(_ id: PropertyID) {
        if tree.records.properties[id].flags.contains(.computed) { return }
        tree.delist(id)
        tree.setValue(.absent, of: id)
        tree.records.properties[id].isWeak = false
        tree.records.properties[id].revision = 0
        stacks[id] = nil
        emptied.append(id)
    }

    // MARK: Values

    struct Kept {
        var value: StoredValue
        var isWeak = false
        var isComputed = false
    }

    func kept(_ json: JSONView) throws(StateFault) -> Kept {
        guard json.kind == .object else { return Kept(value: try value(json)) }
        var members = json.members
        guard let (name, value) = members.next() else { return Kept(value: .absent) }
        switch name.contents {
        case _ where name.contents == "m": return Kept(value: .model(try find(value)))
        case _ where name.contents == "w":
            if value.kind == .null { return Kept(value: .null, isWeak: true) }
            return Kept(value: .model(try find(value)), isWeak: true)
        case _ where name.contents == "c": return Kept(value: .null, isComputed: true)
        default: throw StateFault("a value is of no known kind")
        }
    }

    /// Recursion is as deep as arrays nest, which the tree bounded.
    func value(_ json: JSONView, depth: Int = 0) throws(StateFault) -> StoredValue {
        switch json.kind {
        case .array:
            guard depth < 1024 else { throw StateFault("an array nests too deep") }
            var elements: ContiguousArray<StoredValue> = []
            var rest = json.elements
            while let element = rest.next() { elements.append(try value(element, depth: depth + 1)) }
            return .array(StoredArray(elements))
        case .object:
            let kept = try kept(json)
            guard kept.value.modelID != nil, !kept.isWeak else {
                throw StateFault("an element is of no known kind")
            }
            return kept.value
        default:
            do throws(TreeError) { return try tree.build(json) } catch { throw StateFault(error.message) }
        }
    }

    // MARK: Snapshots

    /// One slice of a snapshot.
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

    // MARK: Stages

    /// The snapshot and what was committed while it was written are read: from here on the tree is one.
    func finishPatching(revision: UInt64) throws(StateFault) {
        guard isPatching else { return }
        isPatching = false
        for id in Set(emptied) where tree.records.properties[id].slot.isAbsent { tree.freeIfUnused(id) }
        emptied = []
        tree.revision = revision
        var fault: StateFault?
        tree.commit {
            do throws(StateFault) { try tree.countReferences(stacks, unknown: unknown) } catch {
                fault = error
            }
        }
        if let fault { throw fault }
        guard tree.revision == revision else {
            throw StateFault("the snapshot refers to models that it does not have")
        }
        unknown = []
        stacks = [:]
    }

    /// Everything is read: bindings go on from what both of their ends are now.
    func finish() throws(StateFault) {
        for (number, binding) in bindings.sorted(by: { $0.key < $1.key }) {
            do throws(TreeError) {
                try tree.restoreBinding(number, binding.source, binding.target, isTwoWay: binding.isTwoWay)
            } catch { throw StateFault("binding \(number): \(error.message)") }
        }
        tree.pending.author = CommitAuthor()
    }
}
