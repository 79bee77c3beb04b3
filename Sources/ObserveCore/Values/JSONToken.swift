// SPDX-License-Identifier: MIT
// What kinds of value JSON has, and one value found in a text. Does not know how it was found.

/// The kinds of JSON value; numbers are told apart by how they are written.
enum JSONKind: UInt8, Sendable {
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

/// One validated JSON value: exactly its bytes, a string's quotes included.
///
/// - Threading: a plain value, valid as long as the text it was found in.
struct JSONToken {
    let view: ByteView
    let kind: JSONKind
    /// Whether a backslash occurs in the string; false for all other kinds.
    let hasEscapes: Bool

    @inline(__always)
    init(view: ByteView, kind: JSONKind, hasEscapes: Bool = false) {
        self.view = view
        self.kind = kind
        self.hasEscapes = hasEscapes
    }

    /// A value that was found in validated text.
    @inline(__always)
    init(_ value: JSONView) {
        self.init(view: value.view, kind: value.kind, hasEscapes: value.hasEscapes)
    }
}
