// SPDX-License-Identifier: MIT
// Finds the bindings and computed properties that read or write a property. Changes nothing.

extension ModelTree {
    /// What a change of the property changes: bindings with their other end, then computed properties.
    func feeds(of id: PropertyID) -> [Explanation.Feed] {
        var bindings: [Int32: String] = [:]
        var computed: [PropertyID] = []
        var edge = firstEdge(of: id) ?? .noRecord
        while edge != .noRecord {
            let record = dependents.records[dependents.edges[edge].dependent]
            if record.number == 0 {
                computed.append(record.property)
            } else if let binding = record.binding {
                if !dependents.edges[edge].isTarget {
                    bindings[record.number] = binding.target.escaped
                } else if record.isTwoWay, isEnd(edge), bindings[record.number] == nil {
                    bindings[record.number] = binding.source.escaped
                }
            }
            edge = dependents.edges[edge].next
        }
        return list(bindings, Set(computed.compactMap(path)).sorted())
    }

    /// What changes the property: bindings with their other end, or the inputs of a computed property.
    func feeders(of id: PropertyID) -> [Explanation.Feed] {
        var inputs: [String] = []
        if let dependent = computedDependent(of: id) {
            var edge = dependents.records[dependent].firstEdge
            while edge != .noRecord {
                if let path = path(of: dependents.edges[edge].property), !inputs.contains(path) {
                    inputs.append(path)
                }
                edge = dependents.edges[edge].nextOfDependent
            }
        }
        let slot = Slot(model: records.properties[id].model, name: records.properties[id].name)
        var bindings: [Int32: String] = [:]
        for (number, dependent) in dependents.bindings.byNumber {
            guard let binding = dependents.records[dependent].binding else { continue }
            if dependents.records[dependent].target == slot {
                bindings[number] = binding.source.escaped
            } else if binding.isTwoWay, dependents.records[dependent].source == slot {
                bindings[number] = binding.target.escaped
            }
        }
        return list(bindings, inputs)
    }

    private func list(_ bindings: [Int32: String], _ computed: [String]) -> [Explanation.Feed] {
        bindings.sorted { $0.key < $1.key }.map { Explanation.Feed.binding($0.key, $0.value) }
            + computed.map(Explanation.Feed.computed)
    }
}
