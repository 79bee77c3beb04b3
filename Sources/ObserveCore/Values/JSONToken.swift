// SPDX-License-Identifier: MIT
// The kinds of JSON values, and a validated value in a text.

/// The kinds of JSON values. Numbers have two kinds, by their written form.
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
/// - Threading: a value type, valid as long as its text.
struct JSONToken {
    let view: ByteView
    let kind: JSONKind
    /// Whether the string has a backslash or a line separator, so that its contents may not be canonical; false for all
    /// other kinds.
    let hasEscapes: Bool

    @inline(__always)
    init(view: ByteView, kind: JSONKind, hasEscapes: Bool = false) {
        self.view = view
        self.kind = kind
        self.hasEscapes = hasEscapes
    }

    /// A value in validated text.
    @inline(__always)
    init(_ value: JSONView) {
        self.init(view: value.view, kind: value.kind, hasEscapes: value.hasEscapes)
    }
}
