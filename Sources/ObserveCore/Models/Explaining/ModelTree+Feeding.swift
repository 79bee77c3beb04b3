// SPDX-License-Identifier: MIT
// Finds the bindings and computed properties that read or write a property. Each visited binding or edge counts 16 steps.

extension ModelTree {
    /// What a change at the path changes: bindings with their other end, then computed properties. Where nothing stands
    /// yet, those that will read it.
    func feeds(of path: ParsedKeyPath) -> [Explanation.Feed] {
        var bindings: [Int32: String] = [:]
        guard let id = property(of: path, at: walk(path)) else {
            for dependent in dependents.bindings.byNumber.values {
                records.effort.count(16)
                guard let binding = dependents.records[dependent].binding else { continue }
                if binding.source.leads(through: path) {
                    bindings[binding.number] = binding.target.escaped
                } else if binding.isTwoWay, binding.target.isSame(as: path) {
                    bindings[binding.number] = binding.source.escaped
                }
            }
            return Explanation.Feed.list(bindings, [])
        }
        var computed: [PropertyID] = []
        for edge in dependents.edges(of: id, in: records) {
            records.effort.count(16)
            let record = dependents.records[dependents.edges[edge].dependent]
            if record.number == 0 {
                if !records.isSelection(record.property) { computed.append(record.property) }
            } else if let binding = record.binding {
                if !dependents.edges[edge].isTarget {
                    bindings[record.number] = binding.target.escaped
                } else if record.isTwoWay, dependents.isEnd(edge, in: records), bindings[record.number] == nil
                {
                    bindings[record.number] = binding.source.escaped
                }
            }
        }
        return Explanation.Feed.list(bindings, Set(computed.compactMap(path(of:))).sorted())
    }

    /// What changes the value at the path: bindings with their other end, or the inputs of a computed property. Where
    /// nothing stands yet, the bindings that will write it: they fail as long as the path leads nowhere.
    func feeders(of path: ParsedKeyPath) -> [Explanation.Feed] {
        let id = property(of: path, at: walk(path))
        let inputs = id.flatMap { dependents.computedDependent(of: $0, in: records) }.map(inputs) ?? []
        let slot = id.map { Slot(model: records.properties[$0].model, name: records.properties[$0].name) }
        var bindings: [Int32: String] = [:]
        for (number, dependent) in dependents.bindings.byNumber {
            records.effort.count(16)
            let record = dependents.records[dependent]
            guard let binding = record.binding else { continue }
            if slot.map({ record.target.slot == $0 }) ?? binding.target.isSame(as: path) {
                bindings[number] = binding.source.escaped
            } else if binding.isTwoWay,
                slot.map({ record.source.slot == $0 }) ?? binding.source.isSame(as: path)
            {
                bindings[number] = binding.target.escaped
            }
        }
        return Explanation.Feed.list(bindings, inputs)
    }

    private func inputs(of dependent: DependentID) -> [String] {
        var inputs: [String] = []
        var edge = dependents.records[dependent].firstEdge
        while edge != .noRecord {
            records.effort.count(16 + inputs.count)
            if let path = path(of: dependents.edges[edge].property), !inputs.contains(path) {
                inputs.append(path)
            }
            edge = dependents.edges[edge].nextOfDependent
        }
        return inputs
    }
}

extension Explanation.Feed {
    fileprivate static func list(_ bindings: [Int32: String], _ computed: [String]) -> [Self] {
        bindings.sorted { $0.key < $1.key }.map { .binding($0, $1) } + computed.map { .computed($0) }
    }
}

extension ParsedKeyPath {
    /// Whether this path's first components are those of a literal path.
    fileprivate func leads(through other: ParsedKeyPath) -> Bool {
        count >= other.count
            && (0..<other.count).allSatisfy { kind($0) == .name && name($0) == other.name($0) }
    }

    fileprivate func isSame(as other: ParsedKeyPath) -> Bool { count == other.count && leads(through: other) }
}
