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
