// SPDX-License-Identifier: MIT
// The commands that change something. Print nothing when it is done.

import ObserveCore

extension CommandSpec {
    static let set = CommandSpec(
        name: "set",
        operands: "PATH VALUE",
        operandCount: 2...2,
        summary: "assign a value",
        options: [
            OptionSpec("--string", nil, "take VALUE as a string, as it is"),
            OptionSpec("--parents", nil, "make the models on the way that are missing"),
            OptionSpec("--if-revision", "N", "only while the value is unchanged since revision N"),
            OptionSpec("--if-value", "VALUE", "only while the value is this one; null stands for none"),
        ],
        operandsEndOptions: true,
        details: [
            """
            Options stand before PATH. Nothing after PATH is an option, so that VALUE may begin with a dash.
            """,
            """
            VALUE is JSON. Text that is not JSON is taken as a string; but text that begins with {, [ or "
            and is not JSON is refused. '-' reads VALUE from standard input, with --string too, and leaves
            out the line feed that ends it. (The string "-" itself is written '"-"'.)
            """,
            """
            A JSON object makes a new model. To change one property of the model that is there, set that
            property by its own path.
            """,
        ],
        run: { (invocation) throws(CommandError) in
            let arguments = invocation.arguments
            var params = [("path", invocation.operand(0)), ("value", try invocation.value())]
            if arguments.has("--parents") { params.append(("parents", RawJSON(true))) }
            if let revision = try arguments.count("--if-revision") {
                params.append(("ifRevision", RawJSON(.int(revision))))
            }
            if let text = arguments.options["--if-value"] {
                params.append(("ifValue", try ValueArgument.read(Array(text.utf8), of: arguments)))
            }
            try invocation.request("set", params)
        }
    )

    static let remove = CommandSpec(
        name: "remove",
        operands: "PATH",
        operandCount: 1...1,
        summary: "remove a property, an element or a root",
        options: [],
        details: ["Removing what is not there is no error."],
        run: { (invocation) throws(CommandError) in
            try invocation.request("remove", [("path", invocation.operand(0))])
        }
    )

    static let link = CommandSpec(
        name: "link",
        operands: "PATH TARGET",
        operandCount: 2...2,
        summary: "make PATH refer to the very model that TARGET refers to now",
        options: [OptionSpec("--weak", nil, "by a weak reference, which does not keep the model alive")],
        details: [
            """
            From then on it is one model under several paths. Assigning TARGET anew later does not move the
            link.
            """,
            "Options may stand before, between and after the operands; '--' ends them.",
        ],
        run: { (invocation) throws(CommandError) in
            var params = [("path", invocation.operand(0)), ("target", invocation.operand(1))]
            if invocation.arguments.has("--weak") { params.append(("weak", RawJSON(true))) }
            try invocation.request("link", params)
        }
    )
}

private extension Invocation {
    private static var inputLimitBytes: Int { 64 << 20 }

    /// VALUE of a command line whose second operand it is.
    func value() throws(CommandError) -> RawJSON {
        var text = Array(operands[1].utf8)
        if operands[1] == "-" {
            text = try input()
            // Like the shell with `$(…)`: the line feed ends the line and is no part of it.
            if text.last == 0x0A { text.removeLast() }
        }
        return arguments.has("--string")
            ? try ValueArgument.string(text, of: arguments)
            : try ValueArgument.read(text, of: arguments)
    }

    private func input() throws(CommandError) -> [UInt8] {
        let bytes: [UInt8]?
        do throws(SocketError) {
            bytes = try streams.readInput(limitBytes: Self.inputLimitBytes, until: deadline)
        } catch {
            throw .input(error)
        }
        guard let bytes else { throw .client(.timedOut) }
        return bytes
    }
}
