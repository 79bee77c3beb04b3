// SPDX-License-Identifier: MIT
// Reads values from validated JSON text. Does not validate.

/// The kinds of JSON values. Numbers have two kinds, by their written form.
package enum JSONKind: UInt8, Sendable {
    case null
    case `false`
    case `true`
    /// A number without fraction or exponent.
    case integer
    /// A number with a fraction or an exponent.
    case double
    case string
    case array
    case object

    @inline(__always) var isNumber: Bool { self == .integer || self == .double }
    @inline(__always) var isContainer: Bool { rawValue >= JSONKind.array.rawValue }
}

extension JSONKind {
    /// The kind as a word, for `describe`.
    package var name: String {
        switch self {
        case .null: "null"
        case .true, .false: "bool"
        case .integer: "int"
        case .double: "double"
        case .string: "string"
        case .array: "array"
        case .object: "model"
        }
    }

    /// The kind as a phrase in a sentence.
    package var phrase: String {
        switch self {
        case .null: "null"
        case .true, .false: "a boolean"
        case .integer, .double: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

/// A value in validated JSON text, still in its written form.
/// - Bounds: reads nothing outside its text, even if the text is not validated; results are then arbitrary.
/// - Errors: none; an accessor of another kind returns nil or nothing.
/// - Threading: a value type, valid as long as its text.
/// - Cost: creating one is free. A step to the next member or element costs the length of the current one. So a
///   walk through all levels reads each byte once per level; ``JSONWalker`` reads it once.
struct JSONView {
    /// Exactly the value's bytes, a string's quotes included.
    let view: ByteView
    let kind: JSONKind
    /// Whether it is a string with a backslash or a line separator, so that its contents may not be canonical.
    let hasEscapes: Bool

    @inline(__always) init(view: ByteView, kind: JSONKind, hasEscapes: Bool = false) {
        self.view = view
        self.kind = kind
        self.hasEscapes = hasEscapes
    }

    /// The value in `validated`, which may have whitespace around it.
    init(validated: ByteView) {
        let start = JSONSteps.skipWhitespace(validated, from: 0)
        let first = validated.byteOrZero(start)
        guard first == 0x7B || first == 0x5B else {
            self = JSONSteps.value(in: validated, at: start)
            return
        }
        var end = validated.count
        while validated[end &- 1] <= 0x20 { end &-= 1 }
        self.init(view: validated.slice(start..<end), kind: first == 0x7B ? .object : .array)
    }

    /// The contents of a string, still escaped.
    @inline(__always) var contents: ByteView {
        kind == .string && view.count >= 2 ? view.slice(1..<view.count &- 1) : view.slice(0..<0)
    }

    /// Whether this is an empty string, array or object.
    var isEmpty: Bool {
        switch kind {
        case .string: return contents.isEmpty
        case .array, .object:
            let first = view.byteOrZero(JSONSteps.skipWhitespace(view, from: 1))
            return first == 0x5D || first == 0x7D || first == 0
        default: return false
        }
    }

    /// The members of an object, in order, duplicates included; empty for other kinds.
    @inline(__always) var members: JSONMembers { JSONMembers(of: self) }

    /// The first member of that name, written without escapes.
    subscript(name: StaticString) -> JSONView? {
        for (known, value) in members where known.contents == name { return value }
        return nil
    }

    /// The elements of an array, in order; empty for other kinds.
    @inline(__always) var elements: JSONElements { JSONElements(of: self) }

    /// Whether this is an array with more elements than `limit`.
    /// - Cost: one pass; none if the text is too short for so many.
    func hasElements(beyond limit: Int) -> Bool {
        // Each element has a byte at least, and each but the first a comma.
        guard kind == .array, view.count / 2 > limit else { return false }
        for (index, _) in elements.enumerated() where index == limit { return true }
        return false
    }
}

// MARK: - Numbers

extension JSONView {
    /// The integer; nil for other kinds, and beyond 64 bits.
    func int64() -> Int64? {
        guard kind == .integer else { return nil }
        let isNegative = view.byteOrZero(0) == 0x2D
        let digits = isNegative ? view.dropFirst(1) : view
        // Nineteen digits fit 64 bits without a sign, and no number with more of them fits 64 with one.
        guard digits.count <= 19 else { return nil }
        var magnitude: UInt64 = 0
        for index in 0..<digits.count { magnitude = magnitude &* 10 &+ UInt64(digits[index] &- 0x30) }
        guard magnitude <= UInt64(Int64.max) &+ (isNegative ? 1 : 0) else { return nil }
        let value = Int64(truncatingIfNeeded: magnitude)
        return isNegative ? 0 &- value : value
    }

    /// The nearest double, for integers too; nil for other kinds, if it is not finite, and if it is zero and the number is not.
    func double() -> Double? {
        guard kind.isNumber else { return nil }
        if let exact = DecimalNumber(view)?.exactDouble { return exact }
        guard let double = Double(view.string), double.isFinite, double != 0 || isZero else { return nil }
        return double
    }

    /// Why ``double()`` has no value for a number.
    var doubleFault: JSONError.Reason { Double(view.string) == 0 ? .doubleTooSmall : .doubleOutOfRange }

    /// Whether all digits before an exponent are zero.
    private var isZero: Bool {
        for index in 0..<view.count {
            switch view[index] {
            case 0x31...0x39: return false
            case 0x45, 0x65: return true
            default: break
            }
        }
        return true
    }
}

// MARK: - Strings

extension JSONView {
    /// The string with its escapes decoded; empty for other kinds.
    func decodedString() -> String {
        guard hasEscapes else { return contents.string }
        let buffer = ByteBuffer(capacity: contents.count)
        buffer.appendDecoded(canonicalContents: contents)
        return buffer.string
    }

    @inline(__always) func appendDecoded(to buffer: ByteBuffer) {
        if hasEscapes { buffer.appendDecoded(canonicalContents: contents) } else { buffer.append(contents) }
    }

    /// The string without its escapes; valid until the buffer changes.
    func decoded(in buffer: ByteBuffer) -> ByteView {
        guard hasEscapes else { return contents }
        buffer.removeAll()
        appendDecoded(to: buffer)
        return buffer.view
    }
}
