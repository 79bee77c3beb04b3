// SPDX-License-Identifier: MIT
// `observectl explain`: why a value is what it is. Independent of the drawing.

import ObserveCore

extension CommandSpec {
    static let explain = CommandSpec(
        name: "explain",
        operands: "PATH",
        operandCount: 1...1,
        summary: "explain a value: its last change, references, bindings and lifetimes",
        options: [asciiOption],
        details: [
            """
            A graph has the models on the way with their other references ('also'), then what feeds the value,
            and what it feeds. In a pipe it is one JSON object in one line. --pretty prints that on a terminal.
            """,
            """
            Example:
              observectl explain app.volume
            """,
        ],
        run: { (invocation) throws(CommandError) in
            let answer = try invocation.request("explain", ["path": invocation.operand(0)])
            guard invocation.presentation.hasTables else { return try invocation.show(answer) }
            let explained: Value
            do throws(JSONError) { explained = try answer.value() } catch {
                throw .client(.malformed("an answer with \(error)"))
            }
            let names = ProcessNames(PastChanges(invocation).names())
            let view = ExplainLines(
                explained: explained,
                glyphs: invocation.glyphs,
                now: Platform.timeOfDay,
                zone: invocation.presentation.zone,
                name: names.name
            )
            try invocation.draw(view.lines(columns: invocation.lineColumns))
        }
    )
}
