// SPDX-License-Identifier: MIT
// Reads a VALUE of a command line: see "Values" in docs/protocol.md. Independent of commands.

import ObserveCore

/// VALUE is JSON. Text that is not JSON is a string, so that `set light.state on` works. Text that begins like an
/// object, an array or a string and is not JSON is refused. Numbers are sent as they are written: the daemon checks them.
enum ValueArgument {
    /// - Parameters:
    ///   - name: What the error calls it.
    ///   - isWord: Whether it is a word of a shell.
    ///   - hint: Whether the error mentions the option for verbatim text.
    static func read(
        _ text: [UInt8],
        of arguments: ParsedArguments,
        as name: String = "the value",
        isWord: Bool = true,
        hint: Bool = true
    ) throws(CommandError) -> RawJSON {
        do throws(JSONError) {
            // The daemon refuses values that nest too deep, with its own message.
            return try RawJSON(validating: text, maxDepth: .max)
        } catch {
            if let start = first(of: text), [0x7B, 0x5B, 0x22].contains(start) {
                let fault = JSONFault.phrase(error, in: text, isWord: isWord)
                let hint = hint ? " (--string accepts any text)" : ""
                throw arguments.usage("\(name) begins like JSON and is not: \(fault)\(hint)")
            }
            return try string(text, of: arguments)
        }
    }

    /// The first byte behind white space, and behind a byte order mark and comments, which JSON does not have.
    private static func first(of text: [UInt8]) -> UInt8? {
        var rest = text[...]
        if rest.starts(with: "\u{FEFF}".utf8) { rest = rest.dropFirst(3) }
        while true {
            rest = rest.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
            if rest.starts(with: "//".utf8) {
                rest = rest.drop { $0 != 0x0A }
            } else if rest.starts(with: "/*".utf8) {
                let end = rest.indices.dropFirst(3).first { rest[$0] == 0x2F && rest[$0 - 1] == 0x2A }
                rest = end.map { rest[($0 + 1)...] } ?? []
            } else {
                return rest.first
            }
        }
    }

    /// The verbatim text as a string.
    static func string(_ text: [UInt8], of arguments: ParsedArguments) throws(CommandError) -> RawJSON {
        guard let string = String(validating: text, as: UTF8.self)
        else { throw arguments.usage("the value is not UTF-8 text") }
        return RawJSON(.string(string))
    }
}
