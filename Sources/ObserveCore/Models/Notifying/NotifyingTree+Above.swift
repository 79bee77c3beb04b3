// SPDX-License-Identifier: MIT
// Finds and notifies the observers above one scalar, for the fast path of commits. The general path would
// notify the same observers.

extension NotifyingTree {
    /// Whether a change can concern observers above its path: the tree has deep observers or operators.
    var isObservedAbove: Bool {
        @inline(__always) get { paths.deepObservers > 0 || !operators.byNode.isEmpty }
    }

    /// Whether a change of the property concerns deep observers, or operators over its model's properties.
    ///
    /// - Returns: `unknown` if climbing from holder to holder does not suffice. A model on the way may be an
    ///   array's element or have several references, or an operator may look into elements.
    func reach(above id: PropertyID) -> DeepReach {
        if operators.longestPath > 0, operators.lookedAt[records.properties[id].name] != nil {
            return .unknown
        }
        var reach = DeepReach.nowhere
        var model = records.properties[id].model
        var depth = 1
        while model != records.root, depth <= limits.maxDepth {
            let holder = records.models[model].holder
            guard records.models[model].strongReferences == 1, !records.weakReferrers.contains(model),
                holder != .noRecord,
                !records.properties[holder].isWeak, records.properties[holder].slot.isModel
            else { return .unknown }
            var node = records.properties[holder].bound
            while node != .noRecord {
                if paths.nodes[node].isDeep || depth == 1 && paths.isOperatedUpon(node) { reach = .somewhere }
                node = paths.nodes[node].nextBound
            }
            model = records.properties[holder].model
            depth &+= 1
        }
        return reach
    }

    /// Notifies the observers that ``reach(above:)`` found, in the order of the general path: operators first,
    /// then deep observers from the nearest on.
    @inline(never)
    func notifyAbove(_ id: PropertyID, _ change: inout PathChange, _ sink: some ChangeSink) {
        if !operators.byNode.isEmpty, records.properties[id].model != records.root {
            var node = records.properties[records.models[records.properties[id].model].holder].bound
            while node != .noRecord {
                if paths.isOperatedUpon(node) { notifyOperators(below: node, changed: id) }
                node = paths.nodes[node].nextBound
            }
        }
        if paths.deepObservers == 0 { return }
        var (below, model) = (id, records.properties[id].model)
        while model != records.root, notification.deep.way.count < limits.maxDepth {
            notification.deep.way.append(.name(records.properties[below].name))
            below = records.models[model].holder
            model = records.properties[below].model
            var node = records.properties[below].bound
            while node != .noRecord {
                if paths.nodes[node].isDeep {
                    spellWay()
                    change.node = node
                    change.suffix = notification.deep.suffix
                    sink.pathChanged(change)
                }
                node = paths.nodes[node].nextBound
            }
        }
        notification.deep.way.removeAll()
    }
}

extension StoredValue {
    /// Whether the value is itself a model, not an array of models.
    @inline(__always)
    fileprivate var isModel: Bool {
        if case .model = self { true } else { false }
    }
}
