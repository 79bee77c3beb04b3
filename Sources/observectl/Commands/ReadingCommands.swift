// SPDX-License-Identifier: MIT
// The commands that send one request and print the answer. Independent of the answers' meaning.

import ObserveCore

extension CommandSpec {
    static let get = CommandSpec(
        name: "get",
        operands: "PATH...",
        operandCount: 1...Int.max,
        summary: "print the values at key paths, as JSON",
        options: [OptionSpec("--raw", nil, "print a string without its quotes")],
        details: [
            "A path that leads nowhere, through null for instance, reads as null.",
            "Several values are printed one a line, and are all of one revision.",
            "Options may be before, between and after the paths; '--' ends them.",
        ],
        run: { (invocation) throws(CommandError) in
            let values: [RawJSON]
            if invocation.operands.count == 1 {
                values = [try invocation.request("get", ["path": invocation.operand(0)]).required("value")]
            } else {
                let paths = RawJSON(.array(invocation.operands.map(Value.string)))
                var found: [RawJSON] = []
                for entry in try invocation.request("get", ["paths": paths]).required("values").elements {
                    found.append(try entry.required("value"))
                }
                values = found
            }
            for value in values {
                try invocation.print(invocation.arguments.has("--raw") ? value.unquoted : value.bytes)
            }
        }
    )

    static let describe = CommandSpec(
        name: "describe",
        operands: "[PATH]",
        operandCount: 0...1,
        summary: "describe a value and its properties; without PATH, the roots",
        options: [],
        details: ["It is printed as one JSON object in one line."],
        run: { (invocation) throws(CommandError) in
            let path = invocation.operands.isEmpty ? RawJSON("") : invocation.operand(0)
            try invocation.print(invocation.request("describe", ["path": path]).bytes)
        }
    )

    static let explain = CommandSpec(
        name: "explain",
        operands: "PATH",
        operandCount: 1...1,
        summary: "explain a value: its last change, references, bindings and lifetimes",
        options: [],
        details: ["It is printed as one JSON object in one line."],
        run: { (invocation) throws(CommandError) in
            try invocation.print(invocation.request("explain", ["path": invocation.operand(0)]).bytes)
        }
    )

    static let status = CommandSpec(
        name: "status",
        operands: "",
        operandCount: 0...0,
        summary: "print the daemon's status: its version, revision, connections and more",
        options: [],
        details: ["It is printed as one JSON object in one line."],
        run: { (invocation) throws(CommandError) in
            try invocation.print(invocation.request("status").bytes)
        }
    )

    static let ping = CommandSpec(
        name: "ping",
        operands: "",
        operandCount: 0...0,
        summary: "ask whether the daemon answers",
        options: [],
        details: ["It prints nothing: the status is 0 if it answers, 69 without a daemon."],
        run: { (invocation) throws(CommandError) in try invocation.request("ping") }
    )
}
