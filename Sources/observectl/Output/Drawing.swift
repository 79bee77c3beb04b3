// SPDX-License-Identifier: MIT
// What commands that draw share: the characters, the width, the output. Independent of the drawings.

import ObserveCore

extension Invocation {
    /// The characters to draw with: those of the locale, or ASCII with `--ascii`.
    var glyphs: Glyphs { arguments.has("--ascii") ? .ascii : .fitting(process.environment) }

    /// The columns of a line. Without a terminal, no line is cut.
    var lineColumns: Int { presentation.isTerminal ? presentation.columns : Int(Int16.max) }

    /// The rows of the terminal; nil if standard output is none.
    var screenRows: Int? {
        presentation.isTerminal ? Terminal.size(streams.output)?.rows ?? 24 : nil
    }

    /// Prints lines of cells at once.
    func draw(_ lines: [CellLine]) throws(CommandError) {
        let outcome = streams.write(lines.output(isColoured: presentation.isColoured), until: deadline)
        guard outcome == .done else { throw .output(outcome) }
    }

    /// Says how to begin, for people and programs that expect something. JSON stays without words.
    func reportEmptyDaemon() {
        guard !arguments.has("--json") else { return }
        process.report("there is nothing yet; begin with: observectl set app '{\"volume\": 50}'")
    }

    /// Replaces a file by that text.
    func replace(_ file: String, _ text: String) throws(CommandError) {
        do throws(SocketError) { try Platform.replaceFile(file, Array(text.utf8)) } catch {
            throw .input(error)
        }
    }

    /// The names of the path that is the first operand; empty without one.
    func literalNames() throws(CommandError) -> [String] {
        guard let path = operands.first, !path.isEmpty else { return [] }
        return try PathArgument.names(path, arguments)
    }
}
