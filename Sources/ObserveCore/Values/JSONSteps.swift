// SPDX-License-Identifier: MIT
// Steps from value to value in validated JSON text. Checks only that it stays within the text.

/// The steps of cursors over validated JSON.
/// - Bounds: offsets, both parameters and results, are never beyond the text's end.
/// - Cost: skips strings and containers eight bytes at a time.
enum JSONSteps {
    @inline(__always) static func skipWhitespace(_ text: ByteView, from start: Int) -> Int {
        var next = start
        while next < text.count, text[next] <= 0x20 { next &+= 1 }
        return next
    }

    /// Skips whitespace, commas and colons.
    @inline(__always) static func skipSeparators(_ text: ByteView, from start: Int) -> Int {
        var next = start
        while next < text.count, text[next] <= 0x20 || text[next] == 0x2C || text[next] == 0x3A { next &+= 1 }
        return next
    }

    /// The value that begins at `start`; an empty null if none does.
    @inline(__always) static func value(in text: ByteView, at start: Int) -> JSONView {
        var hasEscapes = false
        let kind: JSONKind
        var end: Int
        switch text.byteOrZero(start) {
        case 0x22:
            kind = .string
            (end, hasEscapes) = endOfString(text, at: start)
        case 0x7B:
            kind = .object
            end = endOfContainer(text, at: start)
        case 0x5B:
            kind = .array
            end = endOfContainer(text, at: start)
        case let byte: (end, kind) = endOfScalar(text, at: start, byte)
        }
        return JSONView(view: text.slice(start..<end), kind: kind, hasEscapes: hasEscapes)
    }

    /// The offset after the closing quote of the string at `start`, and whether the string has a backslash or a line separator.
    @inline(__always)
    static func endOfString(_ text: ByteView, at start: Int) -> (end: Int, hasEscapes: Bool) {
        var hasEscapes = false
        var next = start &+ 1
        while next < text.count {
            if next &+ 8 <= text.count {
                let word = text.word(at: next)
                let stops = ByteLanes.quoteOrBackslash(word) | ByteLanes.separatorLead(word)
                if stops == 0 {
                    next &+= 8
                    continue
                }
                next &+= ByteLanes.indexOfFirst(stops)
            }
            let byte = text[next]
            if byte >= 0x80, text.lineSeparator(at: next) != nil { hasEscapes = true }
            next &+= 1
            if byte == 0x22 { return (next, hasEscapes) }
            if byte == 0x5C {
                hasEscapes = true
                next &+= 1
            }
        }
        return (text.count, hasEscapes)
    }

    /// The offset after the closing bracket of the container at `start`.
    static func endOfContainer(_ text: ByteView, at start: Int) -> Int {
        var depth = 0
        var next = start
        while next < text.count {
            if next &+ 8 <= text.count {
                let stops = ByteLanes.quoteOrBracket(text.word(at: next))
                if stops == 0 {
                    next &+= 8
                    continue
                }
                next &+= ByteLanes.indexOfFirst(stops)
            }
            switch text[next] {
            case 0x22:
                next = endOfString(text, at: next).end
                continue
            case 0x7B, 0x5B: depth &+= 1
            case 0x7D, 0x5D:
                depth &-= 1
                if depth == 0 { return next &+ 1 }
            default: break
            }
            next &+= 1
        }
        return text.count
    }

    private static func endOfScalar(_ text: ByteView, at start: Int, _ byte: UInt8) -> (Int, JSONKind) {
        var isInteger = true
        var next = start
        scan: while next < text.count {
            switch text[next] {
            case 0...0x20, 0x2C, 0x3A, 0x5D, 0x7D: break scan
            case 0x2E, 0x45, 0x65: isInteger = false
            default: break
            }
            next &+= 1
        }
        switch byte {
        case 0x74: return (next, .true)
        case 0x66: return (next, .false)
        case 0x2D, 0x30...0x39: return (next, isInteger ? .integer : .double)
        default: return (next, .null)
        }
    }
}
