// SPDX-License-Identifier: MIT
// `observectl explain` and `why`: the origin of a value, and of its last change. Independent of the drawing.

import ObserveCore

extension CommandSpec {
    static let explain = CommandSpec(
        usage: "explain PATH",
        summary: "explain a value: its last change, references, bindings and lifetimes",
        options: [asciiOption],
        details: """
            A graph has the models on the way with their other references ('also'), then what feeds the value,
            and what it feeds. In a pipe it is one JSON object in one line. --pretty prints that on a terminal.

            Example:
              observectl explain app.volume
            """
    ) { (invocation) throws(CommandError) in
        _ = try invocation.literalNames()
        let answer = try invocation.request("explain", ["path": invocation.operand(0)])
        guard invocation.presentation.hasTables else { return try invocation.show(answer) }
        let explained = try attempt(answer.checkedValue(of: "an answer"))
        let names = invocation.processNames()
        let (glyphs, zone, now) = (invocation.glyphs, invocation.presentation.zone, Platform.timeOfDay)
        let view = ExplainLines(explained: explained, glyphs: glyphs, now: now, zone: zone) { names[$0] }
        try invocation.draw(view.lines(columns: invocation.lineColumns))
    }

    static let why = CommandSpec(
        usage: "why PATH",
        summary: "print why a value changed last: what fed it, back to who wrote that",
        details: """
            The first line is the property on the PATH that changed last, and each next one is what the same commit
            changed before: the source of a binding, or an input of a computed property. The last line has the origin. In
            a pipe, each line is a JSON object. The status is 1 if the history lacks the change.

            Example:
              observectl why library.headline
            """
    ) { (invocation) throws(CommandError) in
        _ = try invocation.literalNames()
        let answer = try invocation.request("explain", ["path": invocation.operand(0)])
        guard let because = answer.member("because"), let steps = because.member("steps")?.elements else {
            invocation.process.report("the history has no change of \(invocation.operands[0])")
            throw .quiet(.status(.refused))
        }
        let names = invocation.presentation.hasTables ? invocation.processNames() : [:]
        try invocation.show(rows: steps, in: .reasons(names))
        if let count = because.int("hidden") {
            invocation.process.report("and \(count) steps without a path that you may read")
        }
    }
}
