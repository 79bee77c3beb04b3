// SPDX-License-Identifier: MIT
// revert: a new commit with the values from before another one. Independent of how the tree goes back.

extension RequestMethods {
    func revert(_ params: Request) throws(WireError) {
        _ = try params.required(.revision)
        let past = try params.revision(.revision) ?? 0
        let isForced = try params.bool(.force, default: false)
        try requireEverything(
            MethodName.revert.rules.access,
            "only a client that may read and write everything may revert a commit"
        )
        // The commit that made the oldest revision is not in the history.
        try requireKnown(past, oldest: tree.reader.oldestRevision + 1)
        countReplay(after: past - 1)
        let former = tree.formerValues(before: past)
        var outcome = WriteOutcome(changed: false)
        let (_, preview) = try commit(params) { () throws(WireError) in
            do throws(TreeError) { outcome.changed = try tree.revert(former, isForced: isForced) } catch {
                throw WireError(error)
            }
        }
        append(outcome)
        if let preview { append(preview) }
    }
}
