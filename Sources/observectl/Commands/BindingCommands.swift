// SPDX-License-Identifier: MIT
// The commands for bindings. Independent of how the daemon executes them.

import ObserveCore

extension CommandSpec {
    static let bind = CommandSpec(
        usage: "bind SOURCE TARGET",
        summary: "copy the value at SOURCE to TARGET, now and after every change",
        options: [OptionSpec("--two-way", "copy assignments of TARGET back to SOURCE as well")],
        details: """
            Prints the binding's number. Both paths are followed wherever they lead later. SOURCE may have a
            collection operator, conditions and choices, if the binding is one way.

            Examples:
              observectl bind app.playbackController.player.videoTitle label.text
              observectl bind --two-way app.volume slider.value
            """,
        manual: """
            If both ends change at once, or TARGET comes to lead elsewhere, SOURCE wins. The daemon keeps the
            binding until it ends, or unbind is called.

            If a write can't be made, to a missing model for instance, the binding stays: bindings shows it as
            failing, with the reason, and the daemon tries again when either end changes. If the declared types rule out every
            value, bind is refused.
            """
    ) { (invocation) throws(CommandError) in
        let params: RequestParams = [
            "source": invocation.operand(0), "target": invocation.operand(1),
            "twoWay": invocation.arguments.flag("--two-way"),
        ]
        try invocation.print(invocation.request("bind", params).required("binding").bytes)
    }

    static let unbind = CommandSpec(
        usage: "unbind BINDING",
        summary: "end a binding; both ends keep their values",
        details: """
            BINDING is the number that bind printed, and that bindings shows.

            Example:
              observectl unbind 1
            """
    ) { (invocation) throws(CommandError) in
        let text = invocation.operands[0]
        guard let number = Int64(text)
        else {
            let fault = "BINDING is the number of a binding, not '\(text)'"
            throw invocation.arguments.usage("\(fault); 'observectl bindings' lists them")
        }
        try invocation.request("unbind", ["binding": RawJSON(.int(number))])
    }

    static let bindings = CommandSpec(
        usage: "bindings",
        summary: "print the bindings, in a pipe one JSON object a line",
        details: """
            "failing": true marks one whose last write could not be made; "message" says why.

            Example:
              observectl bindings | jq -r .source
            """
    ) { (invocation) throws(CommandError) in
        let list = try invocation.request("bindings").required("bindings")
        try invocation.show(rows: list.elements, in: .bindings)
    }
}
