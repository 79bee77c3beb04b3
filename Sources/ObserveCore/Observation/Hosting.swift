// SPDX-License-Identifier: MIT
// Notifies the hosts of a model of its assignments. Independent of trees.

extension ObservableModel {
    /// Notifies `host`, which is held weakly, of all assignments from now on.
    package func beginHosting(by host: any ModelHost, tag: Int) {
        let store = observationStore.core
        let attachments = store.attachments
        if attachments.hosting == nil {
            attachments.hosting = Hosting(of: self)
            store.count(1, early: 0)
        }
        attachments.hosting?.add(host, tag)
    }

    package func endHosting(by host: any ModelHost) {
        let store = observationStore.core
        guard let hosting = store.hosting, hosting.remove(host) else { return }
        store.attachments.hosting = nil
        store.count(-1, early: 0)
    }

    package var propertyTable: PropertyTable { PropertyTable.of(type(of: self)) }
}

/// The hosts of one model, and the observers of its weak properties' targets.
private final class Hosting: HostList {
    private struct Host {
        weak var host: (any ModelHost)?
        let tag: Int
    }

    private unowned let model: any ObservableModel
    private let table: PropertyTable
    private var hosts: [Host] = []
    /// For each weak property with a target: the observer of the target's end.
    private var watchers: [Int: Observer] = [:]

    init(of model: any ObservableModel) {
        self.model = model
        table = model.propertyTable
        for index in table.properties.indices { watch(index) }
    }

    deinit { for watcher in watchers.values { watcher.cancel() } }

    func add(_ host: any ModelHost, _ tag: Int) { hosts.append(Host(host: host, tag: tag)) }

    func remove(_ host: any ModelHost) -> Bool {
        hosts.removeAll { $0.host == nil || $0.host === host }
        return hosts.isEmpty
    }

    func didAssign(_ key: PropertyKey) {
        guard let index = table.index(of: key) else { return }
        watch(index)
        notify(index)
    }

    private func notify(_ index: Int) {
        for entry in hosts {
            guard let host = entry.host else { continue }
            ObservationContext.withCurrent { $0.concerns(host) }
            host.hosted(entry.tag, didAssign: index)
        }
    }

    /// Observes the end of a weak property's current target.
    private func watch(_ index: Int) {
        let property = table.properties[index]
        guard property.isWeak else { return }
        watchers.removeValue(forKey: index)?.cancel()
        guard let target = property.storage.weakTarget(in: model, at: property.key) else { return }
        watchers[index] = Observer.watching(target) { [unowned self] in notify(index) }
    }
}
