// SPDX-License-Identifier: MIT
// Reads values out of JSON text that was validated before. Does not validate, and does not know what values are for.

/// A value in validated JSON text, still in its written form.
///
/// - Bounds: reads nothing outside its text, not even if that was never validated; what it answers is then arbitrary.
/// - Errors: none; a question that does not suit the kind is answered with nil or with nothing.
/// - Threading: a plain value, valid as long as the text it lies in.
/// - Cost: making one is free. To step to the next member or element costs the length of the one left, so a walk that
///   descends through all levels looks at each byte once a level; ``JSONWalker`` looks once.
struct JSONView {
    /// Exactly the value's bytes, a string's quotes included.
    let view: ByteView
    let kind: JSONKind
    /// Whether a backslash occurs in the string; false for all other kinds.
    let hasEscapes: Bool

    @inline(__always)
    init(_ token: JSONToken) {
        view = token.view
        kind = token.kind
        hasEscapes = token.hasEscapes
    }

    @inline(__always)
    init(view: ByteView, kind: JSONKind, hasEscapes: Bool) {
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
        self.init(
            view: validated.slice(start..<end),
            kind: first == 0x7B ? .object : .array,
            hasEscapes: false
        )
    }

    /// What stands between the quotes of a string, still escaped.
    @inline(__always)
    var contents: ByteView {
        kind == .string && view.count >= 2 ? view.slice(1..<view.count &- 1) : view.slice(0..<0)
    }

    /// Whether this is a string, an array or an object with nothing in it.
    var isEmpty: Bool {
        switch kind {
        case .string: return contents.isEmpty
        case .array, .object:
            let first = view.byteOrZero(JSONSteps.skipWhitespace(view, from: 1))
            return first == 0x5D || first == 0x7D || first == 0
        default: return false
        }
    }

    /// The members of an object, in order, duplicates included; none for other kinds.
    @inline(__always) var members: JSONMembers { JSONMembers(of: self) }

    /// The elements of an array, in order; none for other kinds.
    @inline(__always) var elements: JSONElements { JSONElements(of: self) }

    @inline(__always)
    func forEachMember<E: Error>(_ body: (_ name: JSONView, _ value: JSONView) throws(E) -> Void) throws(E) {
        var members = members
        while let (name, value) = members.next() { try body(name, value) }
    }

    @inline(__always)
    func forEachElement<E: Error>(_ body: (JSONView) throws(E) -> Void) throws(E) {
        var elements = elements
        while let element = elements.next() { try body(element) }
    }
}

// MARK: - Numbers

extension JSONView {
    /// The integer; nil if this is none, or one that 64 bits can't hold.
    func int64() -> Int64? {
        guard kind == .integer else { return nil }
        let isNegative = view.byteOrZero(0) == 0x2D
        var magnitude: UInt64 = 0
        for index in (isNegative ? 1 : 0)..<max(view.count, 1) {
            let digit = UInt64(view.byteOrZero(index) &- 0x30)
            let (tenfold, overflow) = magnitude.multipliedReportingOverflow(by: 10)
            let (sum, carry) = tenfold.addingReportingOverflow(digit)
            if overflow || carry { return nil }
            magnitude = sum
        }
        let limit = UInt64(Int64.max)
        if isNegative { return magnitude <= limit + 1 ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil }
        return magnitude <= limit ? Int64(truncatingIfNeeded: magnitude) : nil
    }

    /// The double nearest to the number, integers included; nil if this is no number or the double is not finite.
    func double() -> Double? {
        guard kind.isNumber else { return nil }
        if let exact = DecimalNumber(view)?.exactDouble { return exact }
        guard let double = Double(view.string), double.isFinite else { return nil }
        return double
    }
}

// MARK: - Strings

extension JSONView {
    /// The string without its escapes; empty for other kinds.
    func decodedString() -> String {
        guard hasEscapes else { return contents.string }
        let buffer = ByteBuffer(capacity: contents.count)
        buffer.appendDecoded(canonicalContents: contents)
        return buffer.string
    }

    /// Appends the UTF-8 of the string without its escapes.
    @inline(__always)
    func appendDecoded(to buffer: ByteBuffer) {
        if hasEscapes {
            buffer.appendDecoded(canonicalContents: contents)
        } else {
            buffer.append(contents)
        }
    }
}
