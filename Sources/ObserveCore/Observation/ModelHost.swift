// SPDX-License-Identifier: MIT
// The one door for whoever shows models to others. Knows nothing of trees.

/// Whoever hosts models: told of each assignment, and able to read and assign by name.
///
/// - Threading: as the models'.
/// - Order: every assignment in the order in which they are made, then the end of the commit; only then are observers
///   told.
package protocol ModelHost: AnyObject {
    /// A property of a hosted model was assigned, by whomever; it has the new value already. Equal values are told
    /// too. Must not assign anything.
    /// - Parameters:
    ///   - index: The property's place in the ``PropertyTable`` of the model's class.
    ///   - tag: What ``ObservableModel/beginHosting(by:tag:)`` was given.
    ///   - prior: The value before.
    func hosted(_ tag: Int, didAssign index: Int, prior: Any)
    /// The commit in which hosted models changed has settled: bindings have run, nobody is told yet.
    func commitDidSettle()
    /// A hosted model is gone.
    func hostedDidEnd(_ tag: Int)
}

extension ObservableModel {
    /// Tells `host` of all assignments from now on. A model has at most one host; the latest counts.
    /// - Parameter host: Held weakly.
    package func beginHosting(by host: any ModelHost, tag: Int) {
        endHosting()
        let hosting = Hosting(of: self, by: host, tag: tag)
        let store = observationStore.core
        unsafe store.record.pointee.hosting = hosting
        store.count(1, early: 1)
        hosting.watchWeakTargets()
    }

    /// Tells no host any more.
    package func endHosting() {
        let store = observationStore.core
        guard store.isHosted else { return }
        unsafe store.record.pointee.hosting = nil
        store.count(-1, early: -1)
    }

    /// The published properties of the model's class.
    package var propertyTable: PropertyTable { PropertyTable.of(type(of: self)) }

    /// The value of the property at that place in the table.
    package func value(ofProperty index: Int) -> Any {
        let property = propertyTable.properties[index]
        return property.storage.value(in: self, at: property.key)
    }

    /// Assigns the property at that place in the table; observers and host are told as of any assignment.
    /// - Throws: ``PropertyError`` if the value is not of the property's type. Then nothing has changed.
    package func setValue(_ value: Any, ofProperty index: Int) throws(PropertyError) {
        let property = propertyTable.properties[index]
        try property.storage.assign(value, in: self, at: property.key)
    }
}

/// What a store keeps of its model's host.
@usableFromInline
final class Hosting {
    private unowned let model: any ObservableModel
    private weak var host: (any ModelHost)?
    private let tag: Int
    private let table: PropertyTable
    /// For each weak property that leads to a model: who waits for the end of that.
    private var watchers: [Int: Observer] = [:]

    init(of model: any ObservableModel, by host: any ModelHost, tag: Int) {
        self.model = model
        self.host = host
        self.tag = tag
        table = model.propertyTable
    }

    deinit {
        for watcher in watchers.values { watcher.cancel() }
    }

    func didAssign(_ key: PropertyKey, prior: Any) {
        guard let index = table.index(of: key), let host else { return }
        watch(index)
        ObservationContext.withCurrent { $0.concerns(host) }
        host.hosted(tag, didAssign: index, prior: prior)
    }

    func modelDidEnd() {
        guard let host else { return }
        ObservationContext.withCurrent { $0.concerns(host) }
        host.hostedDidEnd(tag)
    }

    func watchWeakTargets() {
        for index in table.properties.indices { watch(index) }
    }

    /// Where a weak property leads to a model now, waits for its end.
    private func watch(_ index: Int) {
        let property = table.properties[index]
        watchers.removeValue(forKey: index)?.cancel()
        guard let target = property.storage.weakTarget(in: model, at: property.key) else { return }
        let watcher = Observer(role: .binding, options: [], needsCause: false) { [unowned self] _, step in
            if case .sourceDeleted = step { didLose(index) }
            return false
        }
        watcher.begin(on: target)
        watchers[index] = watcher
    }

    private func didLose(_ index: Int) {
        guard let host else { return }
        ObservationContext.withCurrent { $0.concerns(host) }
        let none: AnyObject? = nil
        host.hosted(tag, didAssign: index, prior: none as Any)
    }
}
