// SPDX-License-Identifier: MIT
// `observectl diff`: a merge patch from a past value to the present one. Independent of how the past is read.

import ObserveCore

extension CommandSpec {
    static let diff = CommandSpec(
        name: "diff",
        operands: "PATH",
        summary: "print what has changed since a past moment, as a JSON Merge Patch (RFC 7396)",
        options: [OptionSpec("--since", "MOMENT", "the past: a revision, or a time like 5m; required")],
        details: """
            The patch makes the present value of the one at that MOMENT: members that were removed are null in it, and
            arrays are whole. Without a change it is {}, and of other values than models, it is the present value.

            Example: revision 4, and what has changed since.
              observectl set app.volume 20
              observectl diff --since 4 app
            """,
        manual: momentDetails,
        run: { (invocation) throws(CommandError) in
            guard let moment = try invocation.moment("--since") else {
                throw invocation.arguments.usage("something is missing: diff takes --since MOMENT")
            }
            let path = invocation.operand(0)
            let past = try invocation.value(["path": path, "at": moment])
            let present = try invocation.value(["path": path])
            try invocation.show(RawJSON(past.mergePatch(to: present)))
        }
    )
}

extension Invocation {
    fileprivate func value(_ params: RequestParams) throws(CommandError) -> Value {
        let value = try request("get", params).required("value")
        return try attempt(value.checkedValue(of: "an answer"))
    }
}
