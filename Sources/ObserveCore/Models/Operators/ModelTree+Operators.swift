// SPDX-License-Identifier: MIT
// Collection operators as functions of a container (contract §2; KVC's names). Observes nothing.

extension ModelTree {
    /// What a path without wildcards reads as, with the number of the component that breaks it, if an earlier one does.
    func read(_ path: ParsedKeyPath) -> (value: StoredValue, broken: Int?) {
        if path.operatorIndex != nil { return evaluate(path) }
        let place = walk(path)
        if case .broken(let component, _) = place { return (.absent, component) }
        return (value(at: place), nil)
    }
}

extension ModelTree {
    /// What an operator path reads as; where it is null because of what stands before the operator, the number of the
    /// component that breaks it.
    func evaluate(_ path: ParsedKeyPath) -> (value: StoredValue, broken: Int?) {
        guard let function = path.collectionOperator, let index = path.operatorIndex else {
            return (.null, nil)
        }
        let prefix = ParsedKeyPath(maxDepth: limits.maxDepth)
        prefix.copy(path, first: index)
        let place = walk(prefix)
        if case .broken(let component, _) = place { return (.null, component) }
        let container = value(at: place)
        guard container.isContainer else { return (.null, index - 1) }
        let observedOperator = ObservedOperator(
            function,
            (index + 1..<path.count).map { records.names.intern(path.name($0)) }
        )
        defer { for name in observedOperator.keyPath { records.names.release(name) } }
        return (evaluate(observedOperator, over: container), nil)
    }
}
