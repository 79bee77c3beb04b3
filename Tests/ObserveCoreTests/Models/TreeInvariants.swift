// SPDX-License-Identifier: MIT
// What holds in every tree between commits, counted anew from the roots. Changes nothing.

@testable import ObserveCore

/// The live counts of a tree.
struct TreeCounts: Equatable {
    var models: Int
    var properties: Int
    var names: Int
    var nodes: Int
    var observers: Int

    init(_ tree: ModelTree) {
        models = tree.modelCount
        properties = tree.properties.count
        names = tree.names.count
        nodes = tree.nodes.count
        observers = tree.observers.count
    }
}

/// References and records counted by a walk through all models.
private struct Census {
    var strong: [ModelID: Int] = [:]
    var holders: [ModelID: [PropertyID: Int]] = [:]
    var weak: [ModelID: Set<PropertyID>] = [:]
    var present: Set<PropertyID> = []
    var names: Set<NameID> = []
    var faults: [String] = []
    var overlays = 0
    var owned = 0

    init(_ tree: ModelTree) {
        var pending = [tree.rootModel]
        var seen: Set<ModelID> = [tree.rootModel]
        while let model = pending.popLast() {
            var id = tree.models[model].first
            var previous = noRecord
            var count: Int32 = 0
            while id != noRecord {
                present.insert(id)
                names.insert(tree.properties[id].name)
                if tree.properties[id].model != model { faults.append("a property on another's list") }
                if tree.properties[id].previous != previous { faults.append("a broken property list") }
                if tree.properties[id].value.isAbsent { faults.append("an absent property on a list") }
                add(tree.properties[id].value, id, tree.properties[id].isWeak, &pending, &seen)
                addShadowed(by: id, in: tree, &pending, &seen)
                previous = id
                count += 1
                id = tree.properties[id].next
            }
            if tree.models[model].last != previous || tree.models[model].count != count {
                faults.append("a property list that ends elsewhere, or a wrong count")
            }
        }
    }

    /// What lies below a value that ends is held as well.
    private mutating func addShadowed(
        by id: PropertyID,
        in tree: ModelTree,
        _ pending: inout [ModelID],
        _ seen: inout Set<ModelID>
    ) {
        let stack = tree.overlays[id] ?? []
        if tree.properties[id].flags.contains(.overlaid) != (stack.count > 1) || stack.count == 1 {
            faults.append("a stack without its flag, or of one value")
        }
        overlays += max(0, stack.count - 1)
        for (index, overlay) in stack.enumerated() {
            if index < stack.count - 1, !overlay.isWeak { add(overlay.value, id, false, &pending, &seen) }
            switch overlay.term {
            case nil: if index > 0 { faults.append("an overlay that does not end") }
            case .owner(let owner):
                owned += 1
                if tree.overlayOwners[owner]?.contains(id) != true { faults.append("an owner forgot") }
            case .time:
                if tree.timedOverlays[overlay.number] != id { faults.append("a timed overlay is lost") }
            }
        }
    }

    private mutating func add(
        _ value: StoredValue,
        _ id: PropertyID,
        _ isWeak: Bool,
        _ pending: inout [ModelID],
        _ seen: inout Set<ModelID>
    ) {
        switch value {
        case .model(let model) where isWeak: weak[model, default: []].insert(id)
        case .model(let model):
            strong[model, default: 0] += 1
            holders[model, default: [:]][id, default: 0] += 1
            if seen.insert(model).inserted { pending.append(model) }
        case .array(let array):
            for element in array.elements { add(element, id, isWeak, &pending, &seen) }
        default: break
        }
    }
}

extension ModelTree {
    /// What the readers' edges say, held against the properties that they lead to.
    fileprivate func readerFaults(_ used: inout Set<NameID>, _ read: inout Set<PropertyID>) -> [String] {
        var faults: [String] = []
        var count = 0
        for reader in 0..<Int32(readers.allocatedCount) {
            var edge = readers[reader].firstEdge
            while edge != noRecord {
                let id = edges[edge].property
                count += 1
                read.insert(id)
                used.insert(properties[id].name)
                if edges[edge].reader != reader { faults.append("an edge on another's list") }
                if !properties[id].flags.contains(.read) {
                    faults.append("a property that is read without its flag")
                }
                if models[properties[id].model].instance == 0, properties[id].model != rootModel {
                    faults.append("a dead model is read")
                }
                edge = edges[edge].nextOfReader
            }
            used.formUnion(
                readers[reader].binding.map { $0.sourcePath.allNames + $0.targetPath.allNames } ?? []
            )
            if readers[reader].state != .fresh || readers[reader].isQueued || readers[reader].isActive {
                faults.append("a reader that is behind between commits")
            }
        }
        for computation in computations {
            for case .path(let path) in computation.parts { used.formUnion(path.allNames) }
        }
        if edges.count != count || edgeIndex.count != read.count { faults.append("lost edges") }
        if readerIndex.count + bindings.count != readers.count { faults.append("lost readers") }
        if staleCount != 0 || !staleComputed.isEmpty || !staleBindings.isEmpty || !unlocated.isEmpty
            || !pendingWriters.isEmpty || pendingBindings != 0 || !waitingBindings.isEmpty
            || !refreshed.isEmpty || writingReader != noRecord
        {
            faults.append("readers that are over left something")
        }
        return faults
    }
}

extension ReadPath {
    fileprivate var allNames: [NameID] { names + (derivation?.keyPath ?? []) }
}

extension ModelTree {
    /// Sentences about what is not as it should be; none in a sound tree.
    func faults() -> [String] {
        let census = Census(self)
        var faults = census.faults
        if modelCount != census.strong.count {
            faults.append("\(modelCount) models, \(census.strong.count) reached")
        }
        let (further, weak) = (furtherHolders.census, weakReferrers.census)
        for (model, count) in census.strong {
            if models[model].strongReferences != count { faults.append("a wrong strong count") }
            if models[model].isDying { faults.append("a dying model between commits") }
            var known = further[model] ?? [:]
            known[models[model].holder, default: 0] += 1
            if count > 1 { known[models[model].otherHolder, default: 0] += 1 }
            if count < 2, models[model].otherHolder != noRecord { faults.append("a holder too many") }
            if known != census.holders[model] { faults.append("wrong holders") }
        }
        if Set(further.keys).subtracting(census.strong.keys).count > 0 {
            faults.append("holders of nobody")
        }
        let listed = overlayOwners.values.reduce(0) { $0 + $1.count }
        if listed != census.owned || listed + timedOverlays.count != census.overlays {
            faults.append("overlays listed that there are not")
        }
        if !savedOverlays.isEmpty || cause != .writer { faults.append("a commit left its overlays") }
        if weak.mapValues({ Set($0.keys) }) != census.weak { faults.append("wrong weak referrers") }
        faults += recordFaults(census.present, census.names.union(declaredNames))
        faults += typeFaults(census.present)
        faults += knownPathFaults()
        faults += textFaults()
        return faults
    }

    /// Each pooled text belongs to one property, one assignment of the past, or one observed path.
    private func textFaults() -> [String] {
        var owned = 0
        for id in 0..<Int32(properties.allocatedCount) {
            if case .text = properties[id].slot { owned += 1 }
        }
        for index in history.touches.first..<history.touches.end {
            if case .text = history.touches[index].old { owned += 1 }
        }
        for node in 0..<Int32(nodes.allocatedCount) where !nodes[node].path.isNone { owned += 1 }
        return texts.count == owned ? [] : ["\(texts.count) texts, of which \(owned) belong to somebody"]
    }

    private func knownPathFaults() -> [String] {
        let path = ParsedKeyPath(maxDepth: limits.maxDepth)
        return knownPaths.all.compactMap { known in
            let text = String(decoding: known.path, as: UTF8.self)
            guard (try? path.parse(dotted: text)) != nil, case .property(known.property) = walk(path) else {
                return "\(text) leads elsewhere than is known"
            }
            return nil
        }
    }

    private func recordFaults(_ present: Set<PropertyID>, _ presentNames: Set<NameID>) -> [String] {
        var faults: [String] = []
        var bound: Set<PropertyID> = []
        var used = presentNames
        var pending = [rootNode]
        var nodeCount = 0
        var withObservers = 0
        while let node = pending.popLast() {
            nodeCount += 1
            if nodes[node].firstObserver != noRecord { withObservers += 1 }
            if node != rootNode {
                used.insert(nodes[node].name)
                if !nodes[node].isDerived, let fault = bindingFault(node) { faults.append(fault) }
                if nodes[node].property != noRecord { bound.insert(nodes[node].property) }
            }
            var child = nodes[node].firstChild
            while child != noRecord {
                pending.append(child)
                child = nodes[child].next
            }
        }
        used.formUnion(patternNames)
        var read: Set<PropertyID> = []
        faults += readerFaults(&used, &read)
        let remembered = remembered
        used.formUnion(remembered.map { properties[$0].name })
        if nodes.count != nodeCount || nodeIndex.count != nodeCount - 1 { faults.append("lost path nodes") }
        if pathIndex.count != withObservers { faults.append("a wrong index of observed paths") }
        let needed = present.union(bound).union(read).union(remembered).count
        if properties.count != needed || propertyIndex.count != needed {
            faults.append("\(properties.count) properties, \(needed) needed")
        }
        if names.count != used.count { faults.append("\(names.count) names, \(used.count) used") }
        if !touches.isEmpty || !orderChanges.isEmpty || !unreferenced.isEmpty || !dying.isEmpty {
            faults.append("a commit that is over left something")
        }
        return faults
    }

    /// The properties that are there for the history alone.
    private var remembered: Set<PropertyID> {
        var found: Set<PropertyID> = []
        for number in history.touches.first..<history.touches.end {
            let id = history.touches[number].property
            if properties[id].value.isAbsent { found.insert(id) }
        }
        for number in history.dead.first..<history.dead.end {
            var id = models[history.dead[number]].first
            while id != noRecord {
                found.insert(id)
                id = properties[id].next
            }
        }
        return found
    }

    /// Whether the node leads where its parent's value says.
    private func bindingFault(_ node: NodeID) -> String? {
        let parent = nodes[node].parent
        guard case .model(let model) = value(reachedBy: parent) else {
            return nodes[node].property == noRecord ? nil : "a path bound though its parent is no model"
        }
        guard let expected = property(model, nodes[node].name) else { return "a path without its property" }
        guard nodes[node].property == expected else { return "a path bound to another property" }
        var listed = properties[expected].bound
        while listed != noRecord, listed != node { listed = nodes[listed].nextBound }
        return listed == node ? nil : "a path that its property does not know"
    }

    /// What the node's path reads as, by a walk from the roots that uses no binding.
    private func value(reachedBy node: NodeID) -> StoredValue {
        guard node != rootNode else { return .model(rootModel) }
        switch value(reachedBy: nodes[node].parent) {
        case .model(let model):
            return property(model, nodes[node].name).map { properties[$0].value } ?? .absent
        case .array(let array): return array.element(names.text(nodes[node].name).arrayIndex ?? -1)
        default: return .absent
        }
    }
}
