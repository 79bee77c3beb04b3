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
    ///   - tag: What ``ObservableModel/beginHosting(by:tag:)`` was given.
    ///   - index: The property's place in the ``PropertyTable`` of the model's class.
    func hosted(_ tag: Int, didAssign index: Int)
    /// The commit in which hosted models changed has settled: bindings have run, nobody is told yet. What is assigned
    /// here belongs to the commit.
    func commitDidSettle()
}

extension ObservableModel {
    /// Tells `host` of all assignments from now on.
    /// - Parameter host: Held weakly.
    package func beginHosting(by host: any ModelHost, tag: Int) {
        let store = observationStore.core
        if unsafe store.record.pointee.hosting == nil {
            unsafe store.record.pointee.hosting = Hosting(of: self)
            store.count(1, early: 0)
        }
        unsafe store.record.pointee.hosting?.add(host, tag)
    }

    /// Tells that host no more.
    package func endHosting(by host: any ModelHost) {
        let store = observationStore.core
        guard let hosting = unsafe store.record.pointee.hosting else { return }
        guard hosting.remove(host) else { return }
        unsafe store.record.pointee.hosting = nil
        store.count(-1, early: 0)
    }

    /// The published properties of the model's class.
    package var propertyTable: PropertyTable { PropertyTable.of(type(of: self)) }

    /// The value of the property at that place in the table.
    package func value(ofProperty index: Int) -> Any { propertyTable.value(ofProperty: index, of: self) }

    /// Assigns the property at that place in the table; observers and hosts are told as of any assignment.
    /// - Throws: ``PropertyError`` if the value is not of the property's type. Then nothing has changed.
    package func setValue(_ value: Any, ofProperty index: Int) throws(PropertyError) {
        try propertyTable.setValue(value, ofProperty: index, of: self)
    }
}

/// Runs `body`, and tells the observers of what it assigns only when it has returned.
package func tellingAfterwards(_ body: () -> Void) { ObservationContext.withCurrent { $0.telling(body) } }

/// What a store keeps of its model's hosts.
final class Hosting {
    private struct Host {
        weak var host: (any ModelHost)?
        let tag: Int
    }

    private unowned let model: any ObservableModel
    private let table: PropertyTable
    private var hosts: [Host] = []
    /// For each weak property that leads to a model: who waits for the end of that.
    private var watchers: [Int: Observer] = [:]

    init(of model: any ObservableModel) {
        self.model = model
        table = model.propertyTable
        for index in table.properties.indices { watch(index) }
    }

    deinit {
        for watcher in watchers.values { watcher.cancel() }
    }

    func add(_ host: any ModelHost, _ tag: Int) { hosts.append(Host(host: host, tag: tag)) }

    /// Whether it was the last one.
    func remove(_ host: any ModelHost) -> Bool {
        hosts.removeAll { $0.host == nil || $0.host === host }
        return hosts.isEmpty
    }

    func didAssign(_ key: PropertyKey) {
        guard let index = table.index(of: key) else { return }
        watch(index)
        tell(index)
    }

    private func tell(_ index: Int) {
        for entry in hosts {
            guard let host = entry.host else { continue }
            ObservationContext.withCurrent { $0.concerns(host) }
            host.hosted(entry.tag, didAssign: index)
        }
    }

    /// Where a weak property leads to a model now, waits for its end.
    private func watch(_ index: Int) {
        let property = table.properties[index]
        guard property.isWeak else { return }
        watchers.removeValue(forKey: index)?.cancel()
        guard let target = property.storage.weakTarget(in: model, at: property.key) else { return }
        let watcher = Observer(role: .binding, options: [], needsCause: false) { [unowned self] _, step in
            if case .sourceDeleted = step { tell(index) }
            return false
        }
        watcher.begin(on: target)
        watchers[index] = watcher
    }
}
