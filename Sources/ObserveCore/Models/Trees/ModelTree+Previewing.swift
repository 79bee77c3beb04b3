// SPDX-License-Identifier: MIT
// Makes commits that are rolled back, to see what they would change. Independent of who looks at them.

extension ModelTree {
    /// Makes a commit with its consequences, and rolls it back: it notifies no observer, and counts nothing.
    /// - Parameters:
    ///   - error, isLimited: see ``write(refusingAs:isLimited:_:)``.
    ///   - inspect: sees the commit before the rollback.
    /// - Returns: whether anything would change.
    func preview<E: Error>(
        refusingAs error: (TreeError) -> E,
        isLimited: Bool,
        _ body: () throws(E) -> Void,
        inspect: () -> Void
    ) throws(E) -> Bool {
        let (sink, failedWrites) = (exchange(&hooks.sink, with: nil), dependents.bindings.failedWrites)
        let lastInstance = records.lastInstance
        defer {
            hooks.sink = sink
            dependents.bindings.failedWrites = failedWrites
            forgetInstances(after: lastInstance)
        }
        try write(refusingAs: error, isLimited: isLimited, body)
        inspect()
        records.effort.count(dependents.bindings.byNumber.count)
        let changed = pending.hasChanged
        rollBackUpdated()
        return changed
    }
}
