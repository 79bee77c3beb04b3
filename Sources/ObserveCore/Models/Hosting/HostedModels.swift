// SPDX-License-Identifier: MIT
// The Swift models among a tree's models, and when their assignments commit. Independent of sockets and
// queues.

/// The Swift models that a tree shows.
///
/// Each is a model of the tree, with the type of its class and one property for each published one. Walking,
/// checking, observing and notifying treat it like any other. Only the end of a commit differs
/// (``exchange()``): values assigned in the tree are assigned to the Swift models, and the reverse, until
/// both agree.
///
/// - A Swift model lives at least as long as its model in the tree. That one lives as long as strong
///   references from a root reach it, as all others do.
/// - References that a tree can't have are null in it: strong ones that would close a cycle, and weak ones to
///   a model that no root reaches. They appear as soon as the tree can have them.
/// - Threading: the same as the tree's.
final class HostedModels: ModelHost {
    /// A property of a Swift model: its place in the class's table.
    struct Slot: Hashable {
        let model: ModelID
        let index: Int
    }

    unowned let tree: ModelTree
    /// Traps on a thread that must not use the models.
    let checkThread: () -> Void
    /// Commits the assignments that Swift has made.
    private let commit: () -> Void

    var classes: [ObjectIdentifier: HostedClass] = [:]
    var classesByType: [TypeID: HostedClass] = [:]
    var refinements: [ObjectIdentifier: ValueType] = [:]
    var objects: [ModelID: any ObservableModel] = [:]
    var numbers: [ObjectIdentifier: ModelID] = [:]

    /// Assigned by Swift since the last exchange, in order.
    var assigned: [Slot] = []
    /// Properties with a reference that the tree can't have.
    var hidden: Set<Slot> = []
    /// References were added or removed, so that hidden ones may be possible now.
    var hasNewReferences = false
    /// Models that have no properties in the tree yet.
    var unfilled: [ModelID] = []
    var unfilledSet: Set<ModelID> = []
    /// The property that the tree is assigning at this moment.
    var assigning: Slot?
    private(set) var isExchanging = false

    /// - Parameters:
    ///   - checkThread: called whenever a hosted model is assigned; traps on a thread where that is wrong.
    ///   - commit: makes an empty commit of the tree.
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

    /// Makes the Swift model and the tree's model one model from now on.
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
