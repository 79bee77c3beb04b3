// SPDX-License-Identifier: MIT
// Validates JSON strings, numbers and literals. Does not decode them.

extension JSONScanner {
    /// Skips the string that begins here. Returns whether it has a backslash, or a character that JSON output escapes although
    /// JSON permits it.
    @inline(__always) mutating func scanStringBody() throws(JSONError) -> Bool {
        let text = text
        let count = text.count
        var hasEscapes = false
        var next = position &+ 1
        while true {
            if next &+ 8 <= count {
                let stops = ByteLanes.stopsInString(text.word(at: next))
                if stops == 0 {
                    next &+= 8
                    if next &- position > JSONScanner.shortText { next = skipUnescaped(from: next) }
                    continue
                }
                next &+= ByteLanes.indexOfFirst(stops)
            } else if next >= count {
                throw JSONError(.unterminatedString, at: count)
            }
            let byte = text[next]
            if byte == 0x22 {
                position = next &+ 1
                return hasEscapes
            }
            if byte >= 0x20 && byte < 0x80 && byte != 0x5C {
                next &+= 1
                continue
            }
            if byte == 0x5C { hasEscapes = true }
            next = try skipUnusual(byte, at: next, &hasEscapes)
        }
    }

    /// After this many bytes of a string, the scanner tests sixty-four at a time.
    private static var shortText: Int { 64 }

    /// Skips blocks of sixty-four bytes without quotes, escapes, controls and characters beyond ASCII.
    @inline(__always) private func skipUnescaped(from start: Int) -> Int {
        var next = start
        while next &+ 64 <= text.count, !ByteLanes.hasStopInString(text.words(at: next)) { next &+= 64 }
        return next
    }

    /// Skips the escape or the run of characters beyond ASCII at `start`. Returns the offset after it.
    @inline(never)
    private func skipUnusual(_ byte: UInt8, at start: Int, _ escapes: inout Bool) throws(JSONError) -> Int {
        if byte == 0x5C { return try skipEscape(at: start) }
        guard byte >= 0x80 else { throw JSONError(.controlCharacter, at: start) }
        var next = start
        repeat {
            let length = text.lengthOfUTF8(at: next)
            guard length > 0 else { throw JSONError(.illFormedUTF8, at: next) }
            if text.lineSeparator(at: next) != nil { escapes = true }
            next &+= length
        } while text.byteOrZero(next) >= 0x80
        return next
    }

    private func skipEscape(at start: Int) throws(JSONError) -> Int {
        switch text.byteOrZero(start &+ 1) {
        case 0x22, 0x5C, 0x2F, 0x62, 0x66, 0x6E, 0x72, 0x74: return start &+ 2
        case 0x75:
            let unit = try unitOfEscape(at: start)
            guard unit & 0xF800 == 0xD800 else { return start &+ 6 }
            // A high surrogate must be followed by a low one.
            let second = start &+ 6
            guard unit < 0xDC00, text.byteOrZero(second) == 0x5C, text.byteOrZero(second &+ 1) == 0x75,
                try unitOfEscape(at: second) & 0xFC00 == 0xDC00
            else { throw JSONError(.loneSurrogate, at: start) }
            return start &+ 12
        case _ where start &+ 1 >= text.count:
            throw JSONError(.unterminatedString, at: text.count)
        default:
            throw JSONError(.unknownEscape, at: start)
        }
    }

    private func unitOfEscape(at start: Int) throws(JSONError) -> UInt32 {
        if let unit = text.hexadecimalUnit(at: start &+ 2) { return unit }
        throw JSONError(.badHexadecimal, at: start)
    }

    /// The fast path of ``scanValue()`` for ASCII strings without escapes, and for positive integers. Returns nil, without a
    /// change, for all other values, and for a value within the last bytes of the text.
    @inline(__always) mutating func scanSimpleValue() -> JSONView? {
        let text = text
        let start = position
        let first = text.byteOrZero(start)
        var next = start &+ 1
        if first == 0x22 {
            var bound = Swift.min(text.count, start &+ JSONScanner.shortText)
            while true {
                while next &+ 8 <= bound {
                    let stops = ByteLanes.stopsInString(text.word(at: next))
                    if stops == 0 {
                        next &+= 8
                        continue
                    }
                    next &+= ByteLanes.indexOfFirst(stops)
                    guard text[next] == 0x22 else { return nil }
                    position = next &+ 1
                    return JSONView(view: text.slice(from: start, count: position &- start), kind: .string)
                }
                if bound == text.count { return nil }
                next = skipUnescaped(from: next)
                bound = text.count
            }
        } else if first &- 0x31 < 9 {
            while next &+ 8 <= text.count {
                let others = ByteLanes.nonDigit(text.word(at: next))
                if others == 0 {
                    next &+= 8
                    continue
                }
                next &+= ByteLanes.indexOfFirst(others)
                guard text[next] != 0x2E, text[next] | 0x20 != 0x65 else { return nil }
                position = next
                return JSONView(view: text.slice(from: start, count: next &- start), kind: .integer)
            }
        }
        return nil
    }

    /// Skips the number, `null`, `true` or `false` that begins here.
    @inline(__always) mutating func scanScalar() throws(JSONError) -> JSONKind {
        let byte = text.byteOrZero(position)
        if byte == 0x2D || byte &- 0x30 < 10 { return try scanNumber() }
        return try scanWord(byte)
    }

    @inline(never) private mutating func scanWord(_ byte: UInt8) throws(JSONError) -> JSONKind {
        switch byte {
        case 0x6E where startsHere("null"):
            position &+= 4
            return .null
        case 0x74 where startsHere("true"):
            position &+= 4
            return .true
        case 0x66 where startsHere("false"):
            position &+= 5
            return .false
        case 0xEF where startsHere("\u{FEFF}"):
            throw JSONError(.byteOrderMark, at: position)
        case 0x41...0x5A, 0x61...0x7A:
            throw JSONError(.unknownWord, at: position)
        default:
            throw failure(.noValue)
        }
    }

    @inline(__always) private func startsHere(_ word: StaticString) -> Bool {
        let word = ByteView(word)
        guard text.count &- position >= word.count else { return false }
        return text.slice(position..<position &+ word.count) == word
    }

    @inline(__always) private mutating func scanNumber() throws(JSONError) -> JSONKind {
        if text[position] == 0x2D { position &+= 1 }
        if text.byteOrZero(position) == 0x30 {
            position &+= 1
            guard !isDigit(position) else { throw JSONError(.leadingZero, at: position &- 1) }
        } else {
            try scanDigits()
        }
        let next = text.byteOrZero(position)
        guard next == 0x2E || next | 0x20 == 0x65 else { return .integer }
        try scanFractionAndExponent()
        return .double
    }

    @inline(never) private mutating func scanFractionAndExponent() throws(JSONError) {
        if text[position] == 0x2E {
            position &+= 1
            try scanDigits()
        }
        guard text.byteOrZero(position) | 0x20 == 0x65 else { return }
        position &+= 1
        let sign = text.byteOrZero(position)
        if sign == 0x2B || sign == 0x2D { position &+= 1 }
        try scanDigits()
    }

    @inline(__always) private mutating func scanDigits() throws(JSONError) {
        guard isDigit(position) else { throw JSONError(.missingDigit, at: position) }
        while position &+ 8 <= text.count {
            let others = ByteLanes.nonDigit(text.word(at: position))
            guard others == 0 else {
                position &+= ByteLanes.indexOfFirst(others)
                return
            }
            position &+= 8
        }
        while isDigit(position) { position &+= 1 }
    }

    @inline(__always) private func isDigit(_ index: Int) -> Bool { text.byteOrZero(index) &- 0x30 < 10 }
}
