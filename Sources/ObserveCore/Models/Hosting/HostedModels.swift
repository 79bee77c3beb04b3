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
    let checkThread: () -> Void
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

    func beginExchange() -> Bool {
        if isExchanging { return false }
        isExchanging = true
        return true
    }

    func endExchange() { isExchanging = false }
}
