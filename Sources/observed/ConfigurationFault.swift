// SPDX-License-Identifier: MIT
// A fault of a configuration. Independent of its detection.

internal import ObserveCore

package struct ConfigurationFault: Error, Equatable, Sendable, CustomStringConvertible {
    /// The names and indexes that lead to it; none for the whole file.
    package let place: [String]
    package let message: String

    package init(at place: [String], _ message: String) { (self.place, self.message) = (place, message) }

    /// For example `limits.maxDepth: expected …`.
    package var description: String {
        place.isEmpty ? message : "\(DottedKeyPath.text(of: place)): \(message)"
    }

    init(_ fault: DeclarationFault) { self.init(at: ["types"] + fault.place, fault.message) }

    static func unknownKey(at place: [String], known: [String]) -> ConfigurationFault {
        ConfigurationFault(at: place, "unknown key, expected one of \(known.joined(separator: ", "))")
    }

    /// A text that is not JSON, or has a number outside the supported range.
    static func broken(_ error: JSONError, in text: [UInt8]) -> ConfigurationFault {
        let before = text.prefix(error.offset)
        let line = before.count { $0 == 0x0A } + 1
        // Continuation bytes of UTF-8 do not begin a character.
        let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? before.startIndex
        let column = before[start...].count { $0 & 0xC0 != 0x80 } + 1
        let place = "line \(line), column \(column) (byte \(error.offset))"
        return ConfigurationFault(at: [], "\(place): \(error.message)")
    }
}

extension Value {
    /// A description for the end of a sentence; a number itself.
    var inWords: String {
        switch self {
        case .bool, .int, .double: json
        case .null, .string, .array, .object: kind.phrase
        }
    }
}
