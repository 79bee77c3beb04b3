// SPDX-License-Identifier: MIT
// Checks the invariants of patterns and operators between commits, without changing the tree.

@testable import ObserveCore

extension ModelTree {
    /// The broken invariants of patterns and operators; empty for a correct tree.
    func patternFaults() -> [String] {
        var faults: [String] = []
        var (wildcardCount, operatorCount, deepCount) = (0, 0, 0)
        var grouped: Set<ObserverID> = []
        var matchedModels: [NodeID: ModelID] = [:]
        var pending = [paths.rootNode]
        while let node = pending.popLast() {
            let record = paths.nodes[node]
            var wildcard = record.firstWildcard
            while wildcard != .noRecord {
                wildcardCount += 1
                let place = wildcards.places[wildcard]
                if wildcards.place(of: place.pattern, at: node) != wildcard {
                    faults.append("a wildcard that is not found")
                }
                let components = wildcards.patterns[place.pattern].components
                if place.node != node.number || !components.indices.contains(Int(record.depth)) {
                    faults.append("a wildcard at another node than its own")
                } else if case .anyName = components[Int(record.depth)] {
                } else {
                    faults.append("a wildcard at another depth than its position")
                }
                let before = place.previous
                if before == .noRecord
                    ? record.firstWildcard != wildcard : wildcards.places[before].next != wildcard
                {
                    faults.append("a wildcard with another one before it")
                }
                wildcard = place.next
            }
            if record.firstWildcard != .noRecord, let model = currentValue(of: node).modelID {
                matchedModels[node] = model
            }
            if record[.isOperator] {
                operatorCount += 1
                let before = record.previous
                let isFirst = paths.nodes[record.parent].firstChild == node
                if !isFirst, !paths.nodes[before][.isOperator] {
                    faults.append("an operator behind other children")
                }
            }
            var observer = record.firstObserver
            var deepObservers = 0
            while observer != .noRecord {
                if paths.observers[observer].options.contains(.deep) {
                    deepObservers += 1
                }
                let group = paths.observers[observer].group
                if group != ObserverRecord.noGroup {
                    grouped.insert(observer)
                    if paths.observer(of: group, at: node) != observer {
                        faults.append("a pattern's observer that is not found")
                    }
                }
                observer = paths.observers[observer].next
            }
            deepCount += deepObservers
            if record[.isDeep] != (deepObservers > 0) || paths.deepCounts[node, default: 0] != deepObservers {
                faults.append("a node that is wrong about deep observers")
            }
            if node != paths.rootNode, let fault = uselessness(of: node) { faults.append(fault) }
            var child = record.firstChild
            while child != .noRecord {
                pending.append(child)
                child = paths.nodes[child].next
            }
        }
        let indexed = grouped.count { paths.observers[$0].isIndexed }
        if paths.patternObservers.count != indexed { faults.append("lost observers of patterns") }
        if wildcards.index.count != wildcardCount { faults.append("lost wildcards of the index") }
        if wildcards.places.count != wildcardCount { faults.append("lost wildcards") }
        if operators.byNode.count != operatorCount { faults.append("lost operators") }
        var lookedAt: [NameID: Int] = [:]
        for name in operators.byNode.values.flatMap(\.keyPath) { lookedAt[name, default: 0] += 1 }
        if operators.lookedAt != lookedAt { faults.append("wrong names for operators") }
        if paths.deepObservers != deepCount { faults.append("a wrong count of deep observers") }
        if !grouped.isSuperset(of: wildcards.shared.keys)
            || wildcards.shared.values.contains(where: { $0.total < 2 })
        {
            faults.append("wrong multiplicities")
        }
        var sums: [ObjectIdentifier: (shared: SharedNeeds, needs: PatternSize)] = [:]
        for pattern in PatternID(0)..<PatternID(index: wildcards.patterns.allocatedCount) {
            let record = wildcards.patterns[pattern]
            if let shared = record.sharedNeeds {
                let sum = sums[ObjectIdentifier(shared)]?.needs ?? PatternSize()
                sums[ObjectIdentifier(shared)] = (shared, sum + record.needs)
            }
            allowElements()
            if !record.components.isEmpty, !record.isOverfull, record.needs != needs(of: record.components) {
                faults.append("a pattern that is wrong about its size")
            }
        }
        if sums.values.contains(where: { $0.shared.needs != $0.needs }) {
            faults.append("shared needs that are wrong about its size")
        }
        if wildcards.listed.mapValues(\.model) != matchedModels {
            faults.append("wrong models with wildcards")
        }
        var listed: [ModelID: Set<NodeID>] = [:]
        for (node, model) in matchedModels { listed[model, default: []].insert(node) }
        if wildcards.listed.contains(where: { wildcards.nodes[$0.value.model]?[$0.value.index] != $0.key }) {
            faults.append("a node with wildcards at another place than it is listed")
        }
        if wildcards.nodes.mapValues(Set.init) != listed { faults.append("wrong nodes with wildcards") }
        if !notification.isIdle || !paths.isIdle || !wildcards.isIdle || !operators.isIdle {
            faults.append("a finished notification left something")
        }
        if !self.pending.isIdle || !dependents.isIdle || !stacks.isIdle {
            faults.append("a finished commit left something")
        }
        return faults
    }

    private func uselessness(of node: NodeID) -> String? {
        let record = paths.nodes[node]
        if record.firstObserver == .noRecord, record.firstChild == .noRecord,
            record.firstWildcard == .noRecord
        {
            let isCandidate = record[.isMatched] && paths.nodes[record.parent][.hasCandidates]
            return isPrepared(node) || isCandidate ? nil : "an unused node"
        }
        guard !record[.isOperator], !record[.isSelection] else { return nil }
        let isMatched =
            paths.nodes[record.parent].firstWildcard != .noRecord && !currentValue(of: node).isAbsent
        return isMatched == record[.isMatched] ? nil : "a node that is wrong about whether it matches"
    }

    private func isPrepared(_ node: NodeID) -> Bool {
        wildcards.preparations.values.contains { $0.nodes.contains(node) }
    }

    /// The names that patterns, preparations and operators' key paths hold.
    var patternNames: Set<NameID> {
        var used = Set(operators.byNode.values.flatMap(\.keyPath))
        let observed = (PatternID(0)..<PatternID(index: wildcards.patterns.allocatedCount)).map {
            wildcards.patterns[$0].components
        }
        for component in (observed + wildcards.preparations.values.flatMap(\.patterns)).joined() {
            switch component {
            case .name(let name), .derived(let name): used.insert(name)
            case .anyName(where: let condition) where condition != .noRecord: used.insert(condition)
            case .anyName, .anyDepth: break
            }
        }
        return used
    }

    /// The non-zero record counts, which are all 0 in an empty tree without observers.
    var patternLeftovers: [String: Int] {
        let counts = [
            "nodes": paths.nodes.count - 1, "observers": paths.observers.count,
            "wildcards": wildcards.places.count,
            "patterns": wildcards.patterns.count, "operators": operators.byNode.count,
            "names": records.names.count,
            "wildcardNodes": wildcards.nodes.count, "wildcardModels": wildcards.listed.count,
            "shared": wildcards.shared.count, "deep": paths.deepObservers,
            "deepNodes": paths.deepCounts.count,
            "indistinct": paths.indistinctObservers,
            "longest": operators.longestPath, "models": modelCount, "properties": records.properties.count,
        ]
        return counts.filter { $0.value != 0 }
    }
}
