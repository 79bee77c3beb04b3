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
        let revert = { [self] () throws(WireError) in
            do throws(TreeError) { outcome.changed = try tree.revert(former, isForced: isForced) } catch {
                throw WireError(error)
            }
        }
        if try params.bool(.dryRun, default: false) {
            let preview = try preview(isLimited: true, revert)
            append(outcome)
            return append(preview)
        }
        try tree.commit(refusingAs: { WireError(tooLarge($0)) }, revert)
        append(outcome)
    }
}
