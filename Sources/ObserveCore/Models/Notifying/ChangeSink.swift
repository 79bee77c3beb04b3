// SPDX-License-Identifier: MIT
// What the tree tells of a change, and to whom. Knows nothing of subscriptions, connections or JSON-RPC.

/// Who is told. One call for each observed path that a commit changed, however many observers it has.
protocol ChangeSink: AnyObject {
    /// Called in the middle of a commit: may read the tree, must not write to it or change its observers.
    func pathChanged(_ change: borrowing PathChange, in tree: ModelTree)

    /// A path has come to match a pattern: says which tag the observer made for it gets. May come in the middle of a
    /// commit, before that is told.
    func pathMatched(pattern tag: Int32, _ observer: ObserverID, in tree: ModelTree) -> Int32

    /// A path matches its pattern no more, and has been told so; its observer is about to go.
    func pathForgotten(_ tag: Int32, in tree: ModelTree)

    /// A pattern with that tag matches more than it may (``TreeLimits/maxMatches``): it tells no longer of all that comes.
    /// May come in the middle of a commit.
    func patternOverfull(_ tag: Int32, in tree: ModelTree)

    /// A binding has come to be unable to write, or able again: ``Binding/failure`` says why. Called in the middle of a
    /// commit: must not write to the tree.
    func bindingChanged(_ binding: Binding, in tree: ModelTree)
}

extension ModelTree {
    /// Calls the sink with one change of one observed path.
    @inline(__always)
    func notifySink(_ change: borrowing PathChange) { hooks.sink?.pathChanged(change, in: self) }

    /// Has the sink give a tag to the observer of a path that matches the pattern.
    func tagOfMatch(pattern tag: Int32, _ observer: ObserverID) -> Int32 {
        hooks.sink?.pathMatched(pattern: tag, observer, in: self) ?? -1
    }

    /// Calls the sink before the observer of a path that matches its pattern no longer is removed.
    func notifyForgotten(_ tag: Int32) { hooks.sink?.pathForgotten(tag, in: self) }

    /// Calls the sink where a pattern matches more paths than it may.
    func notifyOverfull(_ tag: Int32) { hooks.sink?.patternOverfull(tag, in: self) }

    /// Calls the sink when a binding has begun to fail, or ceased to.
    func notifySink(of binding: Binding) { hooks.sink?.bindingChanged(binding, in: self) }

    /// The whole value before the commit.
    func oldValue(of change: borrowing PathChange) -> StoredValue {
        guard let edit = change.edit, case .array(let array) = change.new else { return change.old }
        return .array(edit.undone(array, level: edit.path.count))
    }
}
