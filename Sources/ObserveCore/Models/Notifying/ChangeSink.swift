// SPDX-License-Identifier: MIT
// The interface between the tree and its observers. Independent of subscriptions, connections and JSON-RPC.

/// The receiver of changes. The tree calls it once for each observed path that a commit changed, for all
/// observers together.
protocol ChangeSink: AnyObject {
    /// Called during a commit: may read the tree, but must not write to it or change its observers.
    func pathChanged(_ change: borrowing PathChange, in tree: ModelTree)

    /// A path has begun to match a pattern. Returns the tag of the observer made for it. May be called during
    /// a commit, before the notification of that path.
    func pathMatched(pattern tag: Int32, _ observer: ObserverID, in tree: ModelTree) -> Int32

    /// A path no longer matches its pattern. Called after the notification, before the tree removes the
    /// observer.
    func pathForgotten(_ tag: Int32, in tree: ModelTree)

    /// A pattern with that tag matches too many paths (``TreeLimits/maxMatches``), so it omits new ones from
    /// now on. May be called during a commit.
    func patternOverfull(_ tag: Int32, in tree: ModelTree)

    /// A binding has begun or ceased to fail: ``Binding/failure`` says why. Called during a commit: must not
    /// write to the tree.
    func bindingChanged(_ binding: Binding, in tree: ModelTree)
}

extension ModelTree {
    /// Calls the sink with one change of one observed path.
    @inline(__always)
    func notifySink(_ change: borrowing PathChange) { hooks.sink?.pathChanged(change, in: self) }

    /// Asks the sink for the tag of the observer of a path that matches the pattern.
    func tagOfMatch(pattern tag: Int32, _ observer: ObserverID) -> Int32 {
        hooks.sink?.pathMatched(pattern: tag, observer, in: self) ?? -1
    }

    /// Calls the sink before the tree removes the observer of a path that no longer matches.
    func notifyForgotten(_ tag: Int32) { hooks.sink?.pathForgotten(tag, in: self) }

    /// Calls the sink if a pattern matches too many paths.
    func notifyOverfull(_ tag: Int32) { hooks.sink?.patternOverfull(tag, in: self) }

    /// Calls the sink when a binding has begun or ceased to fail.
    func notifySink(of binding: Binding) { hooks.sink?.bindingChanged(binding, in: self) }

    /// The whole value before the commit.
    func oldValue(of change: borrowing PathChange) -> StoredValue {
        guard let edit = change.edit, case .array(let array) = change.new else { return change.old }
        return .array(edit.undone(array, level: edit.path.count))
    }
}
