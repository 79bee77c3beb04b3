// SPDX-License-Identifier: MIT
// The Swift models in a tree, and the time at which their assignments commit. Independent of sockets and queues.

/// The Swift models that a tree shows.
///
/// Each has a model in the tree, with the type of its class and one property for each published property. All but the end of a
/// commit treats it like any other model: there, ``exchange()`` assigns changes in both directions, until both sides agree.
final class HostedModels: ModelHost, CommitExchange {
    /// A property of a Swift model: its place in the class's table.
    struct Slot: Hashable {
        let model: ModelID
        let index: Int
    }

    unowned let tree: ModelTree
    /// Traps on a thread that must not use the Swift models.
    let checkThread: () -> Void
    /// Commits the Swift models' assignments.
    private let commit: () -> Void

    var classes: [ObjectIdentifier: HostedClass] = [:]
    var classesByType: [TypeID: HostedClass] = [:]
    var refinements: [ObjectIdentifier: ValueType] = [:]
    var objects: [ModelID: any ObservableModel] = [:]
    var numbers: [ObjectIdentifier: ModelID] = [:]

    /// The properties that Swift has assigned since the last exchange, in order.
    var assigned: [Slot] = []
    /// The properties with a reference that the tree can't have now, as `b.a` while `a.b` refers to `b`: a cycle.
    var hidden: Set<Slot> = []
    /// Whether references came or went, so that hidden ones may be possible now.
    var hasNewReferences = false
    /// Models that lack the values of the other side: in the tree, or in Swift.
    var unfilled: [ModelID] = []
    var unfilledSet: Set<ModelID> = []
    /// The Swift property that the exchange is assigning; its callback must not count as Swift's.
    var assigning: Slot?
    var isExchanging = false

    /// - Parameters:
    ///   - checkThread: called at each assignment of a hosted model; traps on a thread that must not assign it.
    ///   - commit: makes an empty commit of the tree, which runs the exchange.
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

    func commitWillNotify() { if !isExchanging, !assigned.isEmpty { commit() } }

    // MARK: Models

    /// Maps the Swift model and the tree's model to each other from now on. One of them is new, and gets the other's values.
    func enter(_ object: any ObservableModel, as model: ModelID) {
        objects[model] = object
        numbers[ObjectIdentifier(object)] = model
        object.beginHosting(by: self, tag: model.index)
        unfilled.append(model)
        unfilledSet.insert(model)
        hasNewReferences = true
    }

    func hostedClass(of model: ModelID) -> HostedClass? {
        let type = tree.records.models[model].type
        return type == .noRecord ? nil : classesByType[type]
    }

    func hasClass(_ model: ModelID) -> Bool { hostedClass(of: model) != nil }
}

extension ModelTree {
    /// The Swift models of the tree, made by `make` if there are none.
    func hostedModels(_ make: () -> HostedModels) -> HostedModels {
        if let hosted = hosted as? HostedModels { return hosted }
        let made = make()
        hosted = made
        return made
    }

    func endHosting() { hosted = nil }
}
