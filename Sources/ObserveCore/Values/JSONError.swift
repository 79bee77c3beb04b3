// SPDX-License-Identifier: MIT
// The first fault of a JSON text and its place.

/// The first fault of a JSON text.
/// - Threading: a value type.
/// - Cost: two words; only ``description`` builds a text.
public struct JSONError: Error, Equatable, CustomStringConvertible {
    package let reason: Reason
    /// The offset of the faulty token, escape or character; the length of the text if it ends too early.
    public let offset: Int

    @inline(__always) init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    /// The fault as a noun phrase.
    public var message: String { reason.rawValue }

    /// The fault and its offset.
    public var description: String { "\(message) at byte \(offset)" }
}

extension JSONError {
    /// Each with its text, a noun phrase.
    package enum Reason: String {
        case endOfText = "an early end of the text"
        case unterminatedString = "a string without its closing quote"
        case byteOrderMark = "a byte order mark"
        case noValue = "something that is not a value"
        case unknownWord = "an unknown word"
        case leadingZero = "a leading zero"
        case missingDigit = "a missing digit"
        case controlCharacter = "a control character in a string"
        case illFormedUTF8 = "ill-formed UTF-8"
        case unknownEscape = "an unknown escape"
        case badHexadecimal = "an escape without its four hexadecimal digits"
        case loneSurrogate = "a lone surrogate"
        case missingName = "a member without a name"
        case missingColon = "a missing colon"
        case missingComma = "a missing comma"
        case missingBracket = "a missing bracket"
        case missingString = "a missing string"
        case commaBeforeBracket = "a comma before the closing bracket"
        case wrongBracket = "a closing bracket of the wrong kind"
        case trailingBytes = "more text after the value"
        case tooDeep = "nesting that is too deep"
        case integerOutOfRange = "an integer beyond 64 bits"
        case doubleOutOfRange = "a number too large for a double"
        case doubleTooSmall = "a number that is not zero and too small for a double"
    }
}
