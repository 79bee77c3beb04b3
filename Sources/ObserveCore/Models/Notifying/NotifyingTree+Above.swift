// SPDX-License-Identifier: MIT
// Finds and notifies the observers above one scalar, for the fast path of commits: those that the general path would notify.

extension NotifyingTree {
    /// Whether a change can concern observers above its path: the tree has deep observers or operators.
    @inline(__always) var isObservedAbove: Bool { paths.deepObservers > 0 || !operators.byNode.isEmpty }

    /// Whether a change of the property concerns deep observers, or operators over its model's properties. `unknown` if climbing
    /// from holder to holder does not suffice: a model on the way is an element or has several references, or an operator may
    /// look into elements.
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
                !records.properties[holder].isWeak, records.properties[holder].slot.modelID != nil
            else { return .unknown }
            forEachNode(boundTo: holder) {
                if paths.nodes[$0][.isDeep] || depth == 1 && paths.isOperatedUpon($0) { reach = .somewhere }
            }
            model = records.properties[holder].model
            depth &+= 1
        }
        return reach
    }

    /// Notifies the observers that ``reach(above:)`` found: operators first, then deep observers from the nearest on.
    @inline(never) func notifyAbove(_ id: PropertyID, _ change: inout PathChange, _ sink: some ChangeSink) {
        if !operators.byNode.isEmpty, records.properties[id].model != records.root {
            forEachNode(boundTo: records.models[records.properties[id].model].holder) {
                if paths.isOperatedUpon($0) { notifyOperators(below: $0, changed: id) }
            }
        }
        if paths.deepObservers == 0 { return }
        var (below, model) = (id, records.properties[id].model)
        while model != records.root, notification.deep.stepsUp.count < limits.maxDepth {
            notification.deep.stepsUp.append(.name(records.properties[below].name))
            below = records.models[model].holder
            model = records.properties[below].model
            forEachNode(boundTo: below) { node in
                guard paths.nodes[node][.isDeep] else { return }
                writeSuffix()
                change.node = node
                change.suffix = notification.deep.suffix
                sink.pathChanged(change)
            }
        }
        notification.deep.stepsUp.removeAll()
    }
}
