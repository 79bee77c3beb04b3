// SPDX-License-Identifier: MIT
// Writes strings and doubles as JSON, and decodes string escapes.

/// The canonical form of a string: `\"`, `\\`, `\n`, `\r`, `\t`, `\b`, `\f`, other controls as `\u00xx`, the line separators
/// U+0085, U+2028 and U+2029 as `\uxxxx`, and all other characters unescaped. Equal strings have the same canonical bytes.
extension ByteBuffer {
    func appendJSONString(decoded text: ByteView) {
        append(0x22)
        appendJSONContents(decoded: text)
        append(0x22)
    }

    package func appendJSONString(utf8 text: String) { ByteView.with(text) { appendJSONString(decoded: $0) } }

    /// Appends the contents of `string` in canonical form, without quotes.
    @inline(__always) func appendCanonicalContents(of string: JSONView) {
        guard string.hasEscapes else { return append(string.contents) }
        forEachPiece(ofEscaped: string.contents, unescaped: appendJSONContents) { character in
            appendEscaped(character)
        }
    }

    /// Appends a string's contents with their escapes decoded. Accepts all valid escapes, not only canonical ones.
    func appendDecoded(canonicalContents contents: ByteView) {
        forEachPiece(ofEscaped: contents, unescaped: append) { character in append(scalar: character) }
    }

    /// Appends the shortest form that parses to the same double, always with `.` or `e`; null if `double` is not finite.
    package func append(double: Double) {
        guard double.isFinite else { return append("null") }
        // Whole numbers below 2^53 have the form of integers, except minus zero, which would lose its sign.
        if double.magnitude < 0x1p53, double != 0, let whole = Numbers.exactInt64(double) {
            append(decimal: whole)
            return append(".0")
        }
        append(utf8: double.description)
    }

    /// Appends the head of a member, its value as a JSON string, and what follows.
    func append(_ head: StaticString, _ text: String, _ tail: StaticString = "") {
        append(head)
        appendJSONString(utf8: text)
        append(tail)
    }

    /// Appends the head of a member, and an array whose elements `body` appends.
    func append<Elements: Sequence, Failure: Error>(
        _ head: StaticString = "",
        arrayOf elements: Elements,
        _ body: (Elements.Element) throws(Failure) -> Void
    ) throws(Failure) {
        append(head)
        try append(0x5B, elements, 0x5D, body)
    }

    /// Appends a bracket, the elements with commas between them, and a bracket.
    @inline(__always) func append<Elements: Sequence, Failure: Error>(
        _ opening: UInt8,
        _ elements: Elements,
        _ closing: UInt8,
        _ body: (Elements.Element) throws(Failure) -> Void
    ) throws(Failure) {
        append(opening)
        var isFirst = true
        for element in elements {
            if !isFirst { append(0x2C) }
            isFirst = false
            try body(element)
        }
        append(closing)
    }

    /// Appends the UTF-8 of a scalar, which must not be a surrogate.
    func append(scalar: UInt32) {
        if scalar < 0x80 { return append(UInt8(scalar)) }
        for byte in (Unicode.Scalar(scalar) ?? "\u{FFFD}").utf8 { append(byte) }
    }
}

// MARK: - Escaping

private let hexadecimalDigits: StaticString = "0123456789abcdef"

extension ByteBuffer {
    /// Appends `text` with escapes, without quotes.
    func appendJSONContents(decoded text: ByteView) {
        var copied = 0
        var next = 0
        while next < text.count {
            if next &+ 8 <= text.count {
                let found = ByteLanes.needsEscape(text.word(at: next))
                if found == 0 {
                    next &+= 8
                    continue
                }
                next &+= ByteLanes.indexOfFirst(found)
            }
            let byte = text[next]
            if byte < 0x20 || byte == 0x22 || byte == 0x5C {
                append(text.slice(copied..<next))
                appendEscaped(UInt32(byte))
                copied = next &+ 1
            } else if byte >= 0x80, let (scalar, length) = text.lineSeparator(at: next) {
                append(text.slice(copied..<next))
                appendEscaped(scalar)
                copied = next &+ length
            }
            next &+= 1
        }
        append(text.dropFirst(copied))
    }

    /// Appends JSON in its written form, with line separators escaped: they occur in strings alone.
    func appendEscapingSeparators(_ json: ByteView) {
        var copied = 0
        for index in 0..<json.count where json[index] >= 0x80 {
            guard let (scalar, length) = json.lineSeparator(at: index) else { continue }
            append(json.slice(copied..<index))
            appendEscaped(scalar)
            copied = index &+ length
        }
        append(json.dropFirst(copied))
    }

    private func appendEscaped(_ scalar: UInt32) {
        switch scalar {
        case 0x22: append("\\\"")
        case 0x5C: append("\\\\")
        case 0x0A: append("\\n")
        case 0x0D: append("\\r")
        case 0x09: append("\\t")
        case 0x08: append("\\b")
        case 0x0C: append("\\f")
        case 0..<0x20, 0x85, 0x2028, 0x2029:
            let digits = ByteView(hexadecimalDigits)
            append("\\u")
            for shift: UInt32 in [12, 8, 4, 0] { append(digits[Int(scalar &>> shift & 0xF)]) }
        default: append(scalar: scalar)
        }
    }

    /// Calls `unescaped` with each run without a backslash, and `escaped` with the scalar of each escape, in order.
    @inline(__always) private func forEachPiece(
        ofEscaped text: ByteView,
        unescaped: (ByteView) -> Void,
        escaped: (UInt32) -> Void
    ) {
        var next = 0
        while next < text.count {
            let start = next
            next = text.firstIndex(of: 0x5C, from: start) ?? text.count
            if next > start { unescaped(text.slice(start..<next)) }
            guard next < text.count else { return }
            let (scalar, length) = text.escape(at: next)
            escaped(scalar)
            next = min(next &+ length, text.count)
        }
    }
}

extension ByteView {
    /// The scalar and the length of the escape at `start`; U+FFFD if the escape is not valid.
    fileprivate func escape(at start: Int) -> (scalar: UInt32, length: Int) {
        switch byteOrZero(start &+ 1) {
        case 0x6E: return (0x0A, 2)
        case 0x72: return (0x0D, 2)
        case 0x74: return (0x09, 2)
        case 0x62: return (0x08, 2)
        case 0x66: return (0x0C, 2)
        case 0x75:
            guard let unit = hexadecimalUnit(at: start &+ 2) else { return (0xFFFD, 2) }
            guard unit & 0xF800 == 0xD800 else { return (unit, 6) }
            guard unit < 0xDC00, byteOrZero(start &+ 6) == 0x5C, byteOrZero(start &+ 7) == 0x75,
                let low = hexadecimalUnit(at: start &+ 8), low & 0xFC00 == 0xDC00
            else { return (0xFFFD, 6) }
            return (0x1_0000 &+ (unit & 0x3FF) &<< 10 &+ (low & 0x3FF), 12)
        case let byte where byte < 0x80: return (UInt32(byte), 2)
        default: return (0xFFFD, 1)
        }
    }
}
