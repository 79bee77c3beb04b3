// SPDX-License-Identifier: MIT
// Swift models among a tree's models: which is which, and how they come and go. Knows nothing of sockets or queues.

/// The Swift models that a tree shows.
///
/// Each is a model of the tree, of the type that its class is declared as, with one property for each published one. The
/// tree stays the one mechanism: walking, checking, observing and telling know nothing of Swift. What differs is the end
/// of a commit (``exchange()``): what was assigned in the tree is assigned to the Swift models, and what they were
/// assigned is assigned in the tree, until both agree.
///
/// - A Swift model lives at least as long as its model in the tree does; that lives as long as strong references from a
///   root reach it, as all others do.
/// - References that a tree can't have are null in it: strong ones that would close a cycle, and weak ones to a model
///   that no root reaches. They come when they can.
/// - Threading: the models', which is the tree's.
final class HostedModels: ModelHost {
    /// A property of a Swift model: its place in the class's table.
    struct Slot: Hashable {
        let model: ModelID
        let index: Int
    }

    unowned let tree: ModelTree
    /// Traps where the models must not be used.
    private let checkThread: () -> Void
    /// Makes a commit of what the models were assigned.
    private let commit: () -> Void

    var classes: [ObjectIdentifier: HostedClass] = [:]
    var classesByType: [TypeID: HostedClass] = [:]
    var refinements: [ObjectIdentifier: ValueType] = [:]
    var objects: [ModelID: any ObservableModel] = [:]
    var numbers: [ObjectIdentifier: ModelID] = [:]

    /// Assigned by Swift since the last exchange, in order.
    var assigned: [Slot] = []
    /// Holds a reference that the tree can't have.
    var hidden: Set<Slot> = []
    /// References were made or taken away, so that hidden ones may be possible now.
    var hasNewReferences = false
    /// Has no properties in the tree yet.
    var unfilled: [ModelID] = []
    var unfilledSet: Set<ModelID> = []
    /// Assigned by the tree at this moment.
    var assigning: Slot?
    private(set) var isExchanging = false

    /// - Parameters:
    ///   - checkThread: Called whenever a hosted model is assigned; traps on a thread where that is wrong.
    ///   - commit: Makes an empty commit of the tree.
    init(in tree: ModelTree, checkThread: @escaping () -> Void, commit: @escaping () -> Void) {
        self.tree = tree
        self.checkThread = checkThread
        self.commit = commit
    }

    deinit { for object in objects.values { object.endHosting(by: self) } }

    /// Shows a model as a root, from now on: see ``HostingError`` for what is refused.
    func host(_ object: any ObservableModel, at root: String) throws(HostingError) {
        checkThread()
        if let refusal = refusal(ofRoot: root) { throw refusal }
        let hosted = declare(type(of: object))
        let faults = faults(of: hosted)
        guard faults.isEmpty else {
            let (verb, what) = faults.count == 1 ? ("is", "a type") : ("are", "types")
            throw HostingError(
                "\(faults.joined(separator: ", ")) \(verb) of \(what) that can't be shown",
                properties: faults
            )
        }
        tree.commit {
            let id = property(ofRoot: root, taking: .model(hosted.type))
            if !tree.put(.model(number(of: object)), in: id) { tree.assignEqual(id) }
            fillAll()
        }
    }

    /// Takes a root away.
    func unhost(_ root: String) {
        checkThread()
        tree.commit {
            let id = property(ofRoot: root, taking: .any)
            if !tree.records.properties[id].slot.isAbsent { tree.assign(id, .absent) }
        }
    }

    private func refusal(ofRoot root: String) -> HostingError? {
        if root.isEmpty { return HostingError("a root's name must not be empty") }
        if root == "observed" { return HostingError("the root observed is the daemon's own") }
        return nil
    }

    /// The root's property, which from now on is the program's alone to assign, or anybody's.
    private func property(ofRoot root: String, taking type: ValueType) -> PropertyID {
        let name = ByteView.with(root) { tree.records.names.intern($0) }
        defer { tree.records.names.release(name) }
        let rootModel = tree.records.root
        if tree.records.models[rootModel].type == .noRecord {
            tree.records.models[rootModel].type = tree.typing.types.add(
                ModelType(name: "Any", elements: .any)
            )
        }
        tree.records.names.retain(name)
        tree.typing.types[tree.records.models[rootModel].type].declare(
            DeclaredProperty(
                name: name,
                text: root,
                declared: Declared(type: type, traits: type == .any ? [] : [.readonly, .fixed])
            )
        )
        let id = tree.propertyOrPlaceholder(rootModel, name)
        tree.records.properties[id].flags.subtract([.declared, .choosy])
        tree.records.properties[id].flags.formUnion(tree.declaredFlags(of: id))
        return id
    }

    // MARK: ModelHost

    func hosted(_ tag: Int, didAssign index: Int) {
        checkThread()
        let slot = Slot(model: ModelID(index: tag), index: index)
        if slot != assigning { assigned.append(slot) }
    }

    func commitWillNotify() {
        if !isExchanging, !assigned.isEmpty { commit() }
    }

    // MARK: Models

    /// The Swift model's number in the tree, which shows it from now on.
    func number(of object: any ObservableModel) -> ModelID {
        if let known = numbers[ObjectIdentifier(object)] { return known }
        let model = tree.makeLooseModel()
        tree.records.models[model].type = declare(type(of: object)).type
        enter(object, as: model)
        unfilled.append(model)
        unfilledSet.insert(model)
        return model
    }

    /// From now on the two are the same model.
    func enter(_ object: any ObservableModel, as model: ModelID) {
        objects[model] = object
        numbers[ObjectIdentifier(object)] = model
        object.beginHosting(by: self, tag: model.index)
        hasNewReferences = true
    }

    func hostedClass(of model: ModelID) -> HostedClass? {
        let type = tree.records.models[model].type
        return type == .noRecord ? nil : classesByType[type]
    }

    /// Gives all new models in the tree what their Swift models have. Only once something refers to them: whether a
    /// reference of theirs would close a cycle is found by climbing from them.
    func fillAll() {
        while let model = unfilled.popLast() {
            unfilledSet.remove(model)
            guard let object = objects[model], let hosted = hostedClass(of: model) else { continue }
            for (index, property) in hosted.properties.enumerated() {
                guard let property else { continue }
                let id = tree.propertyOrPlaceholder(model, property.name)
                tree.fill(
                    id,
                    stored(
                        hosted.table.value(ofProperty: index, of: object),
                        Slot(model: model, index: index),
                        property
                    )
                )
            }
        }
    }

    /// Lets the Swift models go whose models in the tree have died.
    func releaseDead() {
        var gone: [any ObservableModel] = []
        for index in tree.pending.releasedModels.indices {
            let model = tree.pending.releasedModels[index]
            guard let object = objects.removeValue(forKey: model) else { continue }
            numbers[ObjectIdentifier(object)] = nil
            object.endHosting(by: self)
            gone.append(object)
            hasNewReferences = true
        }
        // Their ends may assign others.
        gone.removeAll()
    }

    func beginExchange() -> Bool {
        if isExchanging { return false }
        isExchanging = true
        return true
    }

    func endExchange() { isExchanging = false }
}
