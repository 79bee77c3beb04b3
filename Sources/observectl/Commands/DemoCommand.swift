// SPDX-License-Identifier: MIT
import ObserveCore
extension CommandSpec {
    static let demo = CommandSpec(
        name: "demo",
        operands: "",
        operandCount: 0...0,
        summary: "show, on a daemon inside this process, how a path is followed",
        options: [],
        asksDaemon: false,
        details: [],
        run: { (invocation) throws(CommandError) in throw .failed("not yet") }
    )
}
