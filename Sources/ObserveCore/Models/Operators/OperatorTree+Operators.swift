// SPDX-License-Identifier: MIT
// Reads paths once, with collection operators too: "Collection operators" in docs/protocol.md. Observes nothing.

extension OperatorTree {
    /// The value of a path without wildcards, and the number of the component that breaks the path, if one before the last does.
    func read(_ path: ParsedKeyPath) -> (value: StoredValue, broken: Int?) {
        if path.hasSelection {
            let place = peek(path)
            return (place.isExcessive ? excess : place.value, place.broken)
        }
        if path.operatorIndex != nil { return evaluate(path) }
        let place = walk(path)
        if case .broken(let component, _) = place { return (.absent, component) }
        return (value(at: place), nil)
    }

    /// Throws if the path's operator has more elements now than it may look at.
    func requireFewElements(_ path: ParsedKeyPath) throws(TreeError) {
        if path.hasSelection {
            if peek(path).isExcessive { throw tooManyElements(path) }
            return
        }
        guard let index = path.operatorIndex else { return }
        let container = value(at: walk(path.prefix(index)))
        // The number of elements of an array is known.
        if path.collectionOperator == .count, case .array = container { return }
        if records.elementCount(of: container) > limits.maxElements { throw tooManyElements(path) }
    }

    /// The same for an operator path: null if a component before the operator breaks it.
    private func evaluate(_ path: ParsedKeyPath) -> (value: StoredValue, broken: Int?) {
        guard let function = path.collectionOperator, let index = path.operatorIndex
        else { return (.null, nil) }
        let (container, broken) = read(path.prefix(index))
        guard container.isContainer else { return (.null, broken ?? index - 1) }
        let keyPath = (index + 1..<path.count).map { records.names.intern(path.name($0)) }
        let call = OperatorCall(function: function, keyPath: keyPath)
        defer { for name in keyPath { records.names.release(name) } }
        return (records.evaluate(call, over: container) ?? excess, nil)
    }

    /// The current value of the node's path; text is borrowed.
    func currentValue(of node: NodeID) -> StoredValue {
        let property = paths.nodes[node].property
        if property != .noRecord { return records.properties[property].slot }
        if paths.nodes[node][.isOperator] { return operators.byNode[node]?.value ?? .null }
        guard node != paths.rootNode else { return .model(records.root) }
        guard case .array(let array) = currentValue(of: paths.nodes[node].parent) else { return .absent }
        return array.element(Int(paths.nodes[node].index))
    }
}
