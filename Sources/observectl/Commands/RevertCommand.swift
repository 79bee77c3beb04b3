// SPDX-License-Identifier: MIT
// `observectl revert`: a new commit with the values from before another one. Independent of how the daemon does it.

import ObserveCore

extension CommandSpec {
    static let revert = CommandSpec(
        name: "revert",
        operands: "REVISION",
        summary: "give what a commit changed its former values again, as a new commit",
        options: [
            OptionSpec("--force", nil, "although some of it has changed again: these changes are lost"),
            .dryRun,
        ],
        details: """
            The commit is the one that made REVISION; 'observectl log --json' has the revisions. All that it set, removed,
            linked or inserted becomes what it was before: the same models and links, also those that were removed.
            Computed values and bindings follow. A revert can be reverted.

            Example: the first change after the start, and back.
              observectl set app.volume 20
              observectl revert 5
            """,
        run: { (invocation) throws(CommandError) in
            let arguments = invocation.arguments
            guard let revision = Int64(invocation.operands[0]), revision > 0 else {
                throw arguments.usage(
                    "REVISION is a number above 0, like 41, not '\(invocation.operands[0])'"
                )
            }
            var params: RequestParams = ["revision": RawJSON(.int(revision))]
            if arguments.has("--force") { params.append("force", RawJSON(true)) }
            try invocation.requestOrPreview("revert", params)
        }
    )
}
