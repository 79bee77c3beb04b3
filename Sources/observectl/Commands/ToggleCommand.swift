// SPDX-License-Identifier: MIT
// `observectl toggle`: the other one of true and false. Independent of writers at the same time.

import ObserveCore

extension CommandSpec {
    static let toggle = CommandSpec(
        name: "toggle",
        operands: "PATH",
        summary: "make true of false, and false of true, and print the new value",
        details: """
            Null, or no property at all, counts as false. If another client writes at the same time, the
            command tries again, so no toggle is lost.

            Example:
              observectl toggle app.muted
            """,
        run: { (invocation) throws(CommandError) in
            let path = invocation.operands[0]
            while true {
                let value = try invocation.request("get", ["path": invocation.operand(0)]).required("value")
                guard let new = value.toggled else {
                    throw .failed(
                        "\(path) is \(value.text.cut(atBytes: 100)): only true and false can be toggled"
                    )
                }
                do throws(CommandError) {
                    let write = WriteOperation(.set, path, ["value": new, "ifValue": value])
                    try invocation.request(write.method.rawValue, write.params)
                } catch .client(.refused(let refusal)) where refusal.code == .conflict {
                    continue
                }
                return try invocation.print(new.bytes)
            }
        }
    )
}

private extension RawJSON {
    /// The other boolean; nil if this is not one.
    var toggled: RawJSON? {
        switch text {
        case "false", "null": RawJSON(true)
        case "true": RawJSON(false)
        default: nil
        }
    }
}
