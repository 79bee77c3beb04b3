// SPDX-License-Identifier: MIT
// The interface between the tree and its observers. Independent of subscriptions, connections and JSON-RPC.

/// The receiver of changes: called once for each observed path that a commit changed, for all observers together.
protocol ChangeSink: AnyObject {
    /// Called during a commit: may read the tree, but must not write to it or change its observers.
    func pathChanged(_ change: borrowing PathChange)

    /// All changes of the commit have been reported.
    func changesEnded()

    /// A path has begun to match a pattern, and perhaps meets the conditions of its wildcards. Returns the tag for the path's new
    /// observer. May be called during a commit, before the notification of that path.
    func pathMatched(pattern tag: Int32, _ observer: ObserverID, isMet: Bool) -> Int32

    /// A path no longer matches its pattern. Called after the notification, before the observer is removed.
    func pathForgotten(_ tag: Int32)

    /// A pattern matches ``TreeLimits/maxMatches`` paths, and ignores new ones from now on. May be called during a commit.
    func patternOverfull(_ tag: Int32)

    /// A binding has begun or ceased to fail: ``Binding/failure`` says why. Called during a commit: must not write to the tree.
    func bindingChanged(_ binding: Binding)
}

extension AssigningTree {
    @inline(__always) func notifySink(_ change: borrowing PathChange) { hooks.sink?.pathChanged(change) }

    func notifySinkOfEnd() { hooks.sink?.changesEnded() }

    /// Asks the sink for the tag of the new observer; -1 without a sink.
    func tagOfMatch(pattern tag: Int32, _ observer: ObserverID, isMet: Bool) -> Int32 {
        hooks.sink?.pathMatched(pattern: tag, observer, isMet: isMet) ?? -1
    }

    func notifyForgotten(_ tag: Int32) { hooks.sink?.pathForgotten(tag) }

    func notifyOverfull(_ tag: Int32) { hooks.sink?.patternOverfull(tag) }

    func notifySink(of binding: Binding) { hooks.sink?.bindingChanged(binding) }

    /// The whole value before the commit.
    func oldValue(of change: borrowing PathChange) -> StoredValue {
        guard let edit = change.edit, case .array(let array) = change.new else { return change.old }
        return edit.reverted(array, level: edit.path.count)
    }
}
