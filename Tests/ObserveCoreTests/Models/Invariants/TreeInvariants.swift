// SPDX-License-Identifier: MIT
// Checks the invariants of a tree between commits, with a walk from the roots. Changes nothing.

@testable import ObserveCore
// Fuzzing reads all sources as one module.
#if canImport(ObserveModels)
    @testable import ObserveModels
#endif

/// A tree's numbers of records.
struct TreeCounts: Equatable {
    var models: Int
    var properties: Int
    var names: Int
    var nodes: Int
    var observers: Int

    init(_ tree: ModelTree) {
        models = tree.modelCount
        properties = tree.records.properties.count
        names = tree.records.names.count
        nodes = tree.paths.nodes.count
        observers = tree.paths.observers.count
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
    var temporaryValues = 0
    var owned = 0

    init(_ tree: ModelTree) {
        var pending = [tree.records.root]
        var seen: Set<ModelID> = [tree.records.root]
        while let model = pending.popLast() {
            var id = tree.records.models[model].first
            var previous = PropertyID.noRecord
            var count: Int32 = 0
            while id != .noRecord {
                present.insert(id)
                names.insert(tree.records.properties[id].name)
                if tree.records.properties[id].model != model {
                    faults.append("a property on another's list")
                }
                if tree.records.properties[id].previous != previous {
                    faults.append("a broken property list")
                }
                if tree.records.properties[id].value.isAbsent {
                    faults.append("an absent property on a list")
                }
                // A request nests a value at a place within an array, to which its path leads.
                if tree.records.properties[id].value.nests(deeperThan: 2 * tree.limits.maxDepth) {
                    faults.append("an array that nests too deep")
                }
                add(
                    tree.records.properties[id].value,
                    id,
                    tree.records.properties[id].isWeak,
                    &pending,
                    &seen
                )
                addShadowed(by: id, in: tree, &pending, &seen)
                previous = id
                count += 1
                id = tree.records.properties[id].next
            }
            if tree.records.models[model].last != previous || tree.records.models[model].count != count {
                faults.append("a property list that ends elsewhere, or a wrong count")
            }
        }
        for id in tree.selectionProperties {
            names.insert(tree.records.properties[id].name)
            add(tree.records.properties[id].value, id, true, &pending, &seen)
            if let fault = tree.selectionFault(id) { faults.append(fault) }
        }
    }

    /// Shadowed values hold their models too.
    private mutating func addShadowed(
        by id: PropertyID,
        in tree: ModelTree,
        _ pending: inout [ModelID],
        _ seen: inout Set<ModelID>
    ) {
        let stack = Array(tree.stack(of: id))
        if tree.records.properties[id].flags.contains(.isStacked) != (stack.count > 1) || stack.count == 1 {
            faults.append("a stack without its flag, or of one value")
        }
        temporaryValues += max(0, stack.count - 1)
        for (index, temporaryValue) in stack.enumerated() {
            if index < stack.count - 1, !temporaryValue.isWeak {
                add(temporaryValue.value, id, false, &pending, &seen)
            }
            switch temporaryValue.term {
            case nil: if index > 0 { faults.append("a temporary value without a term") }
            case .owner(let owner):
                owned += 1
                if tree.stacks.owners[owner]?[id] != temporaryValue.number {
                    faults.append("an owner forgot")
                }
            case .time:
                if tree.stacks.timed[temporaryValue.number] != id {
                    faults.append("a timed value is lost")
                }
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
    /// Compares the dependents' edges with their properties.
    fileprivate func dependentFaults(_ used: inout Set<NameID>, _ read: inout Set<PropertyID>) -> [String] {
        var faults: [String] = []
        var count = 0
        for dependent in DependentID(0)..<DependentID(index: dependents.records.allocatedCount) {
            var edge = dependents.records[dependent].firstEdge
            while edge != .noRecord {
                let id = dependents.edges[edge].property
                count += 1
                read.insert(id)
                used.insert(records.properties[id].name)
                if dependents.edges[edge].dependent != dependent {
                    faults.append("an edge on another's list")
                }
                if !records.properties[id].flags.contains(.read) {
                    faults.append("a property that is read without its flag")
                }
                if records.models[records.properties[id].model].instance == 0,
                    records.properties[id].model != records.root
                {
                    faults.append("a released model is read")
                }
                edge = dependents.edges[edge].nextOfDependent
            }
            used.formUnion(
                dependents.records[dependent].binding.map { $0.sourcePath.allNames + $0.targetPath.allNames }
                    ?? []
            )
            if let path = dependents.records[dependent].computation?.single?.path {
                used.formUnion(path.allNames)
            }
            if dependents.records[dependent].state != .fresh || dependents.records[dependent].isQueued
                || dependents.records[dependent].isActive
            {
                faults.append("a stale dependent between commits")
            }
        }
        for computation in computations {
            for path in computation.paths { used.formUnion(path.allNames) }
        }
        if dependents.edges.count != count || dependents.edgeIndex.count != read.count {
            faults.append("lost edges")
        }
        if dependents.dependentIndex.count + dependents.bindings.byNumber.count != dependents.records.count {
            faults.append("lost dependents")
        }
        if dependents.staleCount != 0 || !dependents.staleComputed.isEmpty
            || !dependents.staleBindings.isEmpty || !dependents.unlocated.isEmpty
            || !dependents.updates.pendingWriters.isEmpty || dependents.pendingBindings != 0
            || !dependents.updates.waitingBindings.isEmpty
            || !dependents.refreshed.isEmpty || dependents.bindings.writing != .noRecord
        {
            faults.append("a finished update left something")
        }
        return faults
    }
}

extension ModelTree {
    /// The broken invariants; empty for a correct tree.
    func faults() -> [String] {
        let census = Census(self)
        var faults = census.faults
        if modelCount != census.strong.count {
            faults.append("\(modelCount) models, \(census.strong.count) reached")
        }
        let (further, weak) = (records.furtherHolders.census, records.weakReferrers.census)
        for (model, count) in census.strong {
            if records.models[model].strongReferences != count { faults.append("a wrong strong count") }
            if records.models[model].isReleased { faults.append("a released model between commits") }
            var known = further[model] ?? [:]
            known[records.models[model].holder, default: 0] += 1
            if count > 1 { known[records.models[model].otherHolder, default: 0] += 1 }
            if count < 2, records.models[model].otherHolder != .noRecord {
                faults.append("a holder too many")
            }
            if known != census.holders[model] { faults.append("wrong holders") }
        }
        if Set(further.keys).subtracting(census.strong.keys).count > 0 {
            faults.append("holders of an unreferenced model")
        }
        let listed = stacks.owners.values.reduce(0) { $0 + $1.count }
        if listed != census.owned || listed + stacks.timed.count != census.temporaryValues {
            faults.append("missing temporary values are listed")
        }
        if !stacks.saved.isEmpty || pending.cause != .writer {
            faults.append("a commit left its saved stacks")
        }
        if weak.mapValues({ Set($0.keys) }) != census.weak { faults.append("wrong weak referrers") }
        faults += recordFaults(census.present, census.names.union(declaredNames))
        faults += typeFaults(census.present)
        faults += knownPathFaults()
        faults += textFaults()
        faults += memoryFaults(census.present)
        return faults
    }

    /// Each pooled text belongs to one property, one old value in the history, or one observed path.
    private func textFaults() -> [String] {
        var owned = 0
        for id in PropertyID(0)..<PropertyID(index: records.properties.allocatedCount) {
            if case .text = records.properties[id].slot { owned += 1 }
        }
        for index in history.touches.first..<history.touches.end {
            if case .text = history.touches[index].old { owned += 1 }
        }
        for node in NodeID(0)..<NodeID(index: paths.nodes.allocatedCount) where !paths.nodes[node].path.isNone
        { owned += 1 }
        return records.texts.count == owned
            ? [] : ["\(records.texts.count) texts, of which \(owned) have an owner"]
    }

    private func knownPathFaults() -> [String] {
        let path = ParsedKeyPath(maxDepth: limits.maxDepth)
        return paths.known.all.compactMap { known in
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
        var pending = [paths.rootNode]
        var nodeCount = 0
        let prepared = Set(wildcards.preparations.values.flatMap(\.nodes))
        var indexed = 0
        while let node = pending.popLast() {
            nodeCount += 1
            if !paths.nodes[node].path.isNone { indexed += 1 }
            let isObserved = paths.nodes[node].firstObserver != .noRecord
            if isObserved == paths.nodes[node].path.isNone, isObserved || !prepared.contains(node) {
                faults.append("a node that is wrong about its path")
            }
            if node != paths.rootNode {
                used.insert(paths.nodes[node].name)
                if !paths.nodes[node][.isOperator], let fault = bindingFault(node) { faults.append(fault) }
                if paths.nodes[node].property != .noRecord { bound.insert(paths.nodes[node].property) }
            }
            var child = paths.nodes[node].firstChild
            while child != .noRecord {
                pending.append(child)
                child = paths.nodes[child].next
            }
        }
        used.formUnion(patternNames)
        var read: Set<PropertyID> = []
        faults += dependentFaults(&used, &read)
        let remembered = remembered.union(stagedProperties)
        used.formUnion(remembered.map { records.properties[$0].name })
        if paths.nodes.count != nodeCount || paths.nodeIndex.count != nodeCount - 1 {
            faults.append("lost path nodes")
        }
        if paths.pathIndex.count != indexed { faults.append("a wrong index of observed paths") }
        let needed = present.union(bound).union(read).union(remembered).count
        if records.properties.count != needed || records.propertyIndex.count != needed {
            faults.append("\(records.properties.count) properties, \(needed) needed")
        }
        if records.names.count != used.count {
            faults.append("\(records.names.count) names, \(used.count) used")
        }
        if !self.pending.touches.isEmpty || !self.pending.orderChanges.isEmpty
            || !self.records.unreferenced.isEmpty || !self.pending.releasedModels.isEmpty
        {
            faults.append("a commit that is over left something")
        }
        return faults
    }

    /// The properties that only the history holds.
    private var remembered: Set<PropertyID> {
        var found: Set<PropertyID> = []
        for number in history.touches.first..<history.touches.end {
            let id = history.touches[number].property
            if records.properties[id].value.isAbsent { found.insert(id) }
        }
        let released =
            (history.released.first..<history.released.end).map { history.released[$0] }
            + history.unfreed.models.indices.map { history.unfreed.models[$0] }
        for model in released {
            var id = records.models[model].first
            while id != .noRecord {
                found.insert(id)
                id = records.properties[id].next
            }
        }
        return found
    }

    /// Whether the node is bound to the right property of its parent's value.
    private func bindingFault(_ node: NodeID) -> String? {
        let parent = paths.nodes[node].parent
        guard case .model(let model) = value(reachedBy: parent) else {
            if paths.nodes[node][.isSelection], case .array = value(reachedBy: parent) {
                return records.isSelection(paths.nodes[node].property)
                    ? nil : "a selection without its property"
            }
            return paths.nodes[node].property == .noRecord
                ? nil : "a path bound though its parent is not a model"
        }
        guard let expected = records.property(model, paths.nodes[node].name) else {
            return "a path without its property"
        }
        guard paths.nodes[node].property == expected else { return "a path bound to another property" }
        var listed = records.properties[expected].bound
        while listed != .noRecord, listed != node { listed = paths.nodes[listed].nextBound }
        return listed == node ? nil : "a path missing from its property's list"
    }

    /// The value of the node's path, by a walk from the roots without the node's own binding.
    private func value(reachedBy node: NodeID) -> StoredValue {
        guard node != paths.rootNode else { return .model(records.root) }
        switch value(reachedBy: paths.nodes[node].parent) {
        case .model(let model):
            return records.property(model, paths.nodes[node].name).map { records.properties[$0].value }
                ?? .absent
        case .array where paths.nodes[node][.isSelection]: return currentValue(of: node)
        case .array(let array):
            return array.element(records.names.text(paths.nodes[node].name).arrayIndex ?? -1)
        default: return .absent
        }
    }
}
