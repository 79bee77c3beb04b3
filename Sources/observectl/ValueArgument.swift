// SPDX-License-Identifier: MIT
// Reads a VALUE of a command line (contract §7). Does not know what it is set to.

import ObserveCore

/// VALUE is JSON. Text that is not JSON is a string, so that `set light.state on` works; but text that begins like an
/// object, an array or a string and is none is a mistake rather than a string.
///
/// Numbers are passed on as they are written. Whether they fit is the daemon's to say.
enum ValueArgument {
    /// Nesting beyond what any daemon takes, which then says so in its own words.
    private static let maxDepth = 100_000

    /// - Parameter hint: whether a mistake is told that the command has an option for text as it is.
    static func read(
        _ text: [UInt8],
        of arguments: ParsedArguments,
        hint: Bool = true
    ) throws(CommandError) -> RawJSON {
        do throws(JSONError) {
            return try RawJSON(validating: text, maxDepth: maxDepth)
        } catch {
            let first = text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
            if let first, [0x7B, 0x5B, 0x22].contains(first) {
                let hint = hint ? " (--string takes any text as it is)" : ""
                throw arguments.usage("the value begins like JSON and is not: \(error)\(hint)")
            }
            return try string(text, of: arguments)
        }
    }

    /// The text as it is, as a string.
    static func string(_ text: [UInt8], of arguments: ParsedArguments) throws(CommandError) -> RawJSON {
        guard let string = String(validating: text, as: UTF8.self) else {
            throw arguments.usage("the value is not UTF-8 text")
        }
        return RawJSON(.string(string))
    }
}
