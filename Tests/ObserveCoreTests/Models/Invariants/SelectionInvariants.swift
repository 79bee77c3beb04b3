// SPDX-License-Identifier: MIT
// Checks the properties that stand for conditions and choices. Changes nothing.

@testable import ObserveCore

extension ReadPath {
    /// All names that the path retains, with those of its conditions.
    var allNames: [NameID] {
        names.filter { $0 != .noRecord } + (call?.keyPath ?? []) + selections.values.flatMap(\.allNames)
    }
}

extension Selection {
    fileprivate var allNames: [NameID] {
        var all: [NameID] = []
        switch kind {
        case .name(let name, _): all.append(name)
        case .choice: break
        case .elements(_, let path): all += path.allNames
        }
        guard let condition else { return all }
        all.append(condition.text)
        for case .path(let path) in condition.expression.operands { all += path.allNames }
        return all
    }
}

extension ModelTree {
    var selectionProperties: [PropertyID] {
        (PropertyID(0)..<PropertyID(index: records.properties.allocatedCount)).filter {
            records.properties[$0].model != .noRecord && records.isSelection($0)
        }
    }

    /// Whether the property lacks a node, or has another value than a reader would get.
    func selectionFault(_ id: PropertyID) -> String? {
        if records.properties[id].bound == .noRecord { return "a selection without a node" }
        guard let dependent = dependents.computedDependent(of: id, in: records) else {
            return "a selection without a dependent"
        }
        var cursor = EdgeCursor.none
        allowElements()
        let value = compute(dependent, &cursor)
        let kept = records.properties[id].slot
        return kept.equals(value) || kept.isExcess
            ? nil : "\(records.names.text(records.properties[id].name).dropFirst(1).string) is out of date"
    }
}
