// SPDX-License-Identifier: MIT
// A text that is not JSON: its fault, and what to write instead. Independent of the text's source.

import ObserveCore

enum JSONFault {
    private static let quotes = "names need double quotes"
    private static let textQuotes = "text needs double quotes"
    private static let numbers = "numbers are like 5, -0.5 and 1e3"

    /// The fault, its place, and the remedy if there is one. A shell may have removed the quotes of a word.
    /// - Parameters:
    ///   - isWord: whether it is a word of a command line.
    ///   - isLine: whether further lines follow, which may be the rest of the same text.
    static func phrase(_ error: JSONError, in text: [UInt8], isWord: Bool = false, isLine: Bool = false)
        -> String
    {
        if text.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) { return "it is empty" }
        guard let remedy = remedy(error, text) else { return error.description }
        // A shell leaves no quote of a JSON text without apostrophes around it.
        let isStripped = isWord && (remedy == quotes || remedy == textQuotes) && !text.contains(0x22)
        let shell = isStripped ? "; put the JSON in apostrophes, or the shell removes its quotes" : ""
        let isCut = isLine && error.reason == .endOfText
        let line = isCut ? "; each line is a whole text, as 'jq -c' prints it" : ""
        return "\(error.description): \(remedy)\(shell)\(line)"
    }

    private static func remedy(_ error: JSONError, _ text: [UInt8]) -> String? {
        let rest = text[min(error.offset, text.count)...]
        let (first, second) = (rest.first, rest.dropFirst().first)
        if first == UInt8(ascii: "'") || first == UInt8(ascii: "`") {
            let found = first == UInt8(ascii: "'") ? "apostrophes" : "backticks"
            return "strings and names have double quotes, not \(found)"
        }
        if first == UInt8(ascii: "#") || first == UInt8(ascii: "/") && [0x2F, 0x2A].contains(second) {
            return "JSON has no comments"
        }
        if rest.starts(with: "\u{201C}".utf8) || rest.starts(with: "\u{201D}".utf8) {
            return "quotes are straight ones, \""
        }
        let isBehindDigit = error.offset > 0 && error.offset <= text.count && text[error.offset - 1].isDigit
        let isInNumber = isBehindDigit && first.map { $0 > 0x20 && !"{}[]\",:;".utf8.contains($0) } ?? false
        switch error.reason {
        case .missingComma where isInNumber, .trailingBytes where isInNumber: return numbers
        case .noValue
        where first == UInt8(ascii: "+") || first == UInt8(ascii: ".") && second?.isDigit == true:
            return numbers
        case .missingName: return first == UInt8(ascii: ",") ? "a comma is too much" : quotes
        case .unknownWord, .noValue: return remedy(forWord: rest)
        case .commaBeforeBracket: return "no comma follows the last one"
        case .missingColon: return "a colon is between a name and its value"
        case .missingComma: return "a comma is between two members or elements"
        case .missingBracket, .endOfText: return "a bracket is not closed"
        case .unterminatedString: return "a quote is not closed"
        case .controlCharacter: return "a line feed in a string is \\n, a tab \\t"
        case .unknownEscape: return "a backslash in a string is \\\\"
        case .leadingZero, .missingDigit: return numbers
        case .trailingBytes: return "a value is one object, one array or one text"
        default: return nil
        }
    }

    private static func remedy(forWord rest: ArraySlice<UInt8>) -> String? {
        let bytes = rest.prefix { $0.isWord || $0 >= 0x80 }
        switch String(decoding: bytes, as: UTF8.self).lowercased() {
        case "true", "false", "null": return "true, false and null are lower-case"
        case "none", "nil", "undefined": return "no value is null"
        case "nan", "inf", "infinity": return "JSON has only finite numbers"
        case "" where rest.first == UInt8(ascii: ","): return "a value is missing before the comma"
        case "" where rest.first == UInt8(ascii: "}") || rest.first == UInt8(ascii: "]"):
            return "a value is missing before the bracket"
        case "": return nil
        case let word where word.utf8.first?.isDigit == true: return nil
        default: return textQuotes
        }
    }
}
