// SPDX-License-Identifier: MIT
// Validates JSON, at once or in slices, and finds where its values begin and end. Decodes nothing.

/// A pass over a JSON text, value by value (strictly RFC 8259).
/// - Bounds: arrays and objects nest at most `maxDepth` levels; reads nothing outside the text.
/// - Errors: throws a ``JSONError`` for the first fault; the position is then undefined.
/// - Threading: a value type, valid as long as the text.
/// - Cost: one pass, inside strings eight bytes at a time. It allocates memory only for levels beyond the 64th, and never
///   recurses.
struct JSONScanner {
    let text: ByteView
    let maxDepth: Int
    /// The offset of the next byte.
    var position = 0

    @inline(__always) init(_ text: ByteView, maxDepth: Int) {
        self.text = text
        self.maxDepth = maxDepth
    }

    @inline(__always) var atEnd: Bool { position >= text.count }

    @inline(__always) func peek() -> UInt8? { position < text.count ? text[position] : nil }

    @inline(__always) mutating func skipWhitespace() {
        while position < text.count {
            let byte = text[position]
            guard byte <= 0x20, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
            position &+= 1
        }
    }

    /// Skips whitespace, then `byte` if it is next.
    @inline(__always) mutating func consume(_ byte: UInt8) -> Bool {
        skipWhitespace()
        guard position < text.count, text[position] == byte else { return false }
        position &+= 1
        return true
    }

    /// Skips whitespace and `byte`, a colon or a bracket.
    @inline(__always) mutating func expect(_ byte: UInt8) throws(JSONError) {
        guard consume(byte) else { throw failure(byte == 0x3A ? .missingColon : .missingBracket) }
    }

    /// Skips whitespace up to the end of the text.
    @inline(__always) mutating func expectEnd() throws(JSONError) {
        skipWhitespace()
        guard atEnd else { throw JSONError(.trailingBytes, at: position) }
    }

    /// Skips whitespace and one value of any kind.
    @inline(__always) mutating func scanValue() throws(JSONError) -> JSONView {
        skipWhitespace()
        let start = position
        switch text.byteOrZero(start) {
        case 0x22:
            let hasEscapes = try scanStringBody()
            return token(from: start, .string, hasEscapes: hasEscapes)
        case 0x7B:
            try scanContainer()
            return token(from: start, .object)
        case 0x5B:
            try scanContainer()
            return token(from: start, .array)
        default:
            let kind = try scanScalar()
            return token(from: start, kind)
        }
    }

    @inline(__always) mutating func scanString() throws(JSONError) -> JSONView {
        skipWhitespace()
        let start = position
        guard text.byteOrZero(start) == 0x22 else { throw failure(.missingString) }
        let hasEscapes = try scanStringBody()
        return token(from: start, .string, hasEscapes: hasEscapes)
    }

    /// The single value in `text`, which may have whitespace around it.
    static func validate(_ text: ByteView, maxDepth: Int) throws(JSONError) -> JSONView {
        var scanner = JSONScanner(text, maxDepth: maxDepth)
        let token = try scanner.scanValue()
        try scanner.expectEnd()
        return token
    }

    @inline(__always)
    private func token(from start: Int, _ kind: JSONKind, hasEscapes: Bool = false) -> JSONView {
        JSONView(view: text.slice(start..<position), kind: kind, hasEscapes: hasEscapes)
    }

    /// The fault `reason` at this position, or an early end of the text.
    @inline(never) func failure(_ reason: JSONError.Reason) -> JSONError {
        JSONError(atEnd ? .endOfText : reason, at: position)
    }
}

// MARK: - Arrays and objects

extension JSONScanner {
    /// Containers that a scan has entered and not left.
    struct OpenContainers {
        /// The innermost one has the lowest bit; 1 means an object.
        fileprivate var kinds: UInt64 = 0
        fileprivate var depth = 0
    }

    private mutating func scanContainer() throws(JSONError) {
        var open = OpenContainers()
        _ = try scanContainer(&open, upTo: nil)
    }

    /// Skips a part of the outermost array or object: it begins here, or an earlier call has stopped within it.
    ///
    /// Handles 64 levels, one bit for each, and leaves deeper ones to ``scanDeepContainer()``.
    ///
    /// - Parameters:
    ///   - open: the containers at this position; at first, none.
    ///   - end: where to stop, after the first value that reaches it.
    /// - Returns: whether its end is reached.
    @inline(__always)
    mutating func scanContainer(_ open: inout OpenContainers, upTo end: Int?) throws(JSONError) -> Bool {
        var (kinds, depth) = (open.kinds, open.depth)
        repeat {
            switch text.byteOrZero(position) {
            case 0x22: _ = try scanStringBody()
            case 0x7B where depth < 64, 0x5B where depth < 64:
                guard depth < maxDepth else { throw JSONError(.tooDeep, at: position) }
                if try enter(&kinds, &depth) { continue }
            case 0x7B, 0x5B:
                try scanDeepContainer()
            default:
                _ = try scanScalar()
            }
            try leave(&kinds, &depth)
            if let end, position >= end, depth > 0 {
                (open.kinds, open.depth) = (kinds, depth)
                return false
            }
        } while depth > 0
        return true
    }

    /// Skips the array or object that begins here, in 64 others.
    @inline(never) private mutating func scanDeepContainer() throws(JSONError) {
        // Sixty-four levels in each.
        var outer: [UInt64] = []
        var (kinds, depth) = (0 as UInt64, 0)
        repeat {
            switch text.byteOrZero(position) {
            case 0x22: _ = try scanStringBody()
            case 0x7B, 0x5B:
                if 64 &* (outer.count &+ 1) &+ depth >= maxDepth { throw JSONError(.tooDeep, at: position) }
                if depth == 64 {
                    outer.append(kinds)
                    depth = 0
                }
                if try enter(&kinds, &depth) { continue }
            default: _ = try scanScalar()
            }
            try leave(&kinds, &depth)
            while depth == 0, let last = outer.popLast() {
                (kinds, depth) = (last, 64)
                try leave(&kinds, &depth)
            }
        } while depth > 0
    }

    /// Skips an opening bracket, up to the first value, or an empty array or object. Returns whether it has a value.
    @inline(__always)
    private mutating func enter(_ kinds: inout UInt64, _ depth: inout Int) throws(JSONError) -> Bool {
        let isObject = text[position] == 0x7B
        position &+= 1
        skipWhitespace()
        if text.byteOrZero(position) == (isObject ? 0x7D : 0x5D) {
            position &+= 1
            return false
        }
        kinds = kinds &<< 1 | (isObject ? 1 : 0)
        depth &+= 1
        if isObject { try scanName() }
        return true
    }

    /// Skips closing brackets after a value, up to the next value or the end of the outermost container.
    @inline(__always)
    private mutating func leave(_ kinds: inout UInt64, _ depth: inout Int) throws(JSONError) {
        while depth > 0 {
            skipWhitespace()
            let isObject = kinds & 1 == 1
            let byte = text.byteOrZero(position)
            if byte == 0x2C {
                position &+= 1
                skipWhitespace()
                if isObject { return try scanName() }
                if text.byteOrZero(position) == 0x5D { throw JSONError(.commaBeforeBracket, at: position) }
                return
            }
            guard byte == (isObject ? 0x7D : 0x5D)
            else { throw failure(byte == 0x7D || byte == 0x5D ? .wrongBracket : .missingComma) }
            position &+= 1
            kinds &>>= 1
            depth &-= 1
        }
    }

    /// Skips a member's name, its colon and the whitespace around it.
    @inline(__always) private mutating func scanName() throws(JSONError) {
        let byte = text.byteOrZero(position)
        // Empty objects are handled before, so a bracket follows a comma.
        guard byte == 0x22 else { throw failure(byte == 0x7D ? .commaBeforeBracket : .missingName) }
        _ = try scanStringBody()
        skipWhitespace()
        guard text.byteOrZero(position) == 0x3A else { throw failure(.missingColon) }
        position &+= 1
        skipWhitespace()
    }
}

/// The state of a validation that stops between two values of a text.
/// - Errors: those of ``JSONScanner/validate(_:maxDepth:)``.
/// - Threading: a value type; the text stays the same between the calls.
/// - Cost: as one pass over the text. A slice ends after the value that reaches its end, however long that is. An array or
///   object in 64 others is one value.
struct JSONSlicedScan {
    private let maxDepth: Int
    private var open = JSONScanner.OpenContainers()
    /// Where the text's value begins; nil before the first slice.
    private var start: Int?
    private var position = 0

    init(maxDepth: Int) { self.maxDepth = maxDepth }

    /// Validates about so many more bytes of the text. Returns the text's value; nil if a part of it is left.
    mutating func advance(_ text: ByteView, bytes: Int) throws(JSONError) -> JSONView? {
        var scanner = JSONScanner(text, maxDepth: maxDepth)
        if start == nil {
            scanner.skipWhitespace()
            start = scanner.position
            let first = scanner.peek()
            if first != 0x7B, first != 0x5B { return try JSONScanner.validate(text, maxDepth: maxDepth) }
        } else {
            scanner.position = position
        }
        let isWhole = try scanner.scanContainer(&open, upTo: scanner.position + bytes)
        position = scanner.position
        guard isWhole, let start else { return nil }
        try scanner.expectEnd()
        return JSONView(view: text.slice(start..<position), kind: text[start] == 0x7B ? .object : .array)
    }
}
