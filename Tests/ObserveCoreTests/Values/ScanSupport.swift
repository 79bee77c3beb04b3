// SPDX-License-Identifier: MIT
// Helpers for tests of the scanner, and an independent naive parser.

@testable import ObserveCore

/// The scanner's result, with a copy of the value's text.
struct Found: Equatable {
    var text: [UInt8]
    var kind: JSONKind
    var hasEscapes: Bool
}

func validate(_ bytes: [UInt8], maxDepth: Int = 512) -> Result<Found, JSONError> {
    ByteView.with(bytes) { view in
        do throws(JSONError) {
            let token = try JSONScanner.validate(view, maxDepth: maxDepth)
            return .success(Found(text: token.view.array, kind: token.kind, hasEscapes: token.hasEscapes))
        } catch {
            return .failure(error)
        }
    }
}

func validate(_ text: String, maxDepth: Int = 512) -> Result<Found, JSONError> {
    validate(Array(text.utf8), maxDepth: maxDepth)
}

extension Result where Failure == JSONError {
    var isValid: Bool { if case .success = self { true } else { false } }
    var error: JSONError? { if case .failure(let error) = self { error } else { nil } }
}

/// Runs `body` with a view of validated text.
func withView<R>(_ text: String, _ body: (JSONView) throws -> R) rethrows -> R {
    try withView(Array(text.utf8), body)
}

func withView<R>(_ bytes: [UInt8], _ body: (JSONView) throws -> R) rethrows -> R {
    try ByteView.with(bytes) { try body(JSONView(validated: $0)) }
}

/// The text that `body` appends.
func written(_ body: (ByteBuffer) -> Void) -> String {
    let buffer = ByteBuffer(capacity: 16)
    body(buffer)
    return buffer.string
}

/// A JSON parser with one function for each production of RFC 8259.
struct NaiveJSON {
    private var rest: ArraySlice<UInt8>

    static func accepts(_ bytes: [UInt8]) -> Bool {
        guard String(validating: bytes, as: UTF8.self) != nil else { return false }
        var parser = NaiveJSON(rest: bytes[...])
        return parser.value() && parser.rest.isEmpty
    }

    private mutating func value() -> Bool {
        whitespace()
        defer { whitespace() }
        switch rest.first {
        case UInt8(ascii: "{"): return list("}") { $0.member() }
        case UInt8(ascii: "["): return list("]") { $0.value() }
        case UInt8(ascii: "\""): return string()
        case UInt8(ascii: "t"): return word("true")
        case UInt8(ascii: "f"): return word("false")
        case UInt8(ascii: "n"): return word("null")
        default: return number()
        }
    }

    private mutating func list(_ end: Unicode.Scalar, _ item: (inout NaiveJSON) -> Bool) -> Bool {
        rest.removeFirst()
        whitespace()
        if consume(end) { return true }
        repeat {
            guard item(&self) else { return false }
        } while consume(",")
        return consume(end)
    }

    private mutating func member() -> Bool {
        whitespace()
        guard rest.first == UInt8(ascii: "\""), string() else { return false }
        whitespace()
        return consume(":") && value()
    }

    private mutating func string() -> Bool {
        rest.removeFirst()
        var high = false
        while let byte = rest.popFirst() {
            var unit: UInt16?
            switch byte {
            case UInt8(ascii: "\""): return !high
            case 0..<0x20: return false
            case UInt8(ascii: "\\"):
                guard let escape = rest.popFirst() else { return false }
                if escape == UInt8(ascii: "u") {
                    let digits = String(decoding: rest.prefix(4), as: UTF8.self)
                    guard digits.utf8.count == 4, digits.allSatisfy(\.isHexDigit) else { return false }
                    unit = UInt16(digits, radix: 16)
                    rest = rest.dropFirst(4)
                } else if !"\"\\/bfnrt".utf8.contains(escape) {
                    return false
                }
            default: break
            }
            let isLow = unit.map { 0xDC00...0xDFFF ~= $0 } ?? false
            guard isLow == high else { return false }
            high = unit.map { 0xD800...0xDBFF ~= $0 } ?? false
        }
        return false
    }

    private mutating func number() -> Bool {
        _ = consume("-")
        if !consume("0") { guard digits() else { return false } }
        if consume(".") { guard digits() else { return false } }
        if consume("e") || consume("E") {
            if !consume("+") { _ = consume("-") }
            return digits()
        }
        return true
    }

    private mutating func digits() -> Bool {
        let count = rest.prefix { (0x30...0x39).contains($0) }.count
        rest = rest.dropFirst(count)
        return count > 0
    }

    private mutating func word(_ word: String) -> Bool {
        guard rest.starts(with: word.utf8) else { return false }
        rest = rest.dropFirst(word.utf8.count)
        return true
    }

    private mutating func consume(_ scalar: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: scalar) else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func whitespace() {
        rest = rest.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    }
}
