// SPDX-License-Identifier: MIT
// Reads a VALUE of a command line: see "Values" in docs/protocol.md. Independent of commands.

import ObserveCore

/// VALUE is JSON. Text that is not JSON is a string, so that `set light.state on` works. Text that begins like an
/// object, an array or a string and is not JSON is refused.
///
/// Numbers are sent as they are written. The daemon checks whether they fit.
enum ValueArgument {
    /// - Parameter hint: Whether the error mentions the option for verbatim text.
    static func read(
        _ text: [UInt8],
        of arguments: ParsedArguments,
        hint: Bool = true
    ) throws(CommandError) -> RawJSON {
        do throws(JSONError) {
            // The daemon refuses values that nest too deep, with its own message.
            return try RawJSON(validating: text, maxDepth: .max)
        } catch {
            let first = text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
            if let first, [0x7B, 0x5B, 0x22].contains(first) {
                let fault = JSONFault.phrase(error, in: text, isWord: true)
                let hint = hint ? " (--string accepts any text)" : ""
                throw arguments.usage("the value begins like JSON and is not: \(fault)\(hint)")
            }
            return try string(text, of: arguments)
        }
    }

    /// The verbatim text as a string.
    static func string(_ text: [UInt8], of arguments: ParsedArguments) throws(CommandError) -> RawJSON {
        guard let string = String(validating: text, as: UTF8.self) else {
            throw arguments.usage("the value is not UTF-8 text")
        }
        return RawJSON(.string(string))
    }
}
