// SPDX-License-Identifier: MIT
// `observectl upgrade`: replaces the daemon by the program that is installed now. Independent of how the daemon does it.

import ObserveCore

extension CommandSpec {
    static let upgrade = CommandSpec(
        name: "upgrade",
        operands: "",
        operandCount: 0...0,
        summary: "replace the daemon by the program that is installed now",
        options: [],
        details: [
            """
            The daemon first runs the installed program with a copy of the tree and its own options. If that
            succeeds, it prints the version of that program, which then continues with the tree, its history
            and the socket. Clients connect again and miss no change.
            """,
            """
            Otherwise the daemon continues, the reason is on standard error, and the exit status is 1. Only
            the daemon's own user and root may upgrade it.
            """,
            """
            Example:
              observectl upgrade
            """,
        ],
        run: { (invocation) throws(CommandError) in
            let version = try invocation.request("upgrade").required("version")
            try invocation.print(version.unquoted)
        }
    )
}
