// SPDX-License-Identifier: MIT
// Validates a JSON text in slices. Decodes nothing.

/// The state of a validation that stops between two values of a text.
///
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

    /// Validates about so many more bytes of the text.
    ///
    /// - Returns: the text's value; nil if a part of it is left.
    mutating func advance(_ text: ByteView, bytes: Int) throws(JSONError) -> JSONToken? {
        var scanner = JSONScanner(text, maxDepth: maxDepth)
        if start == nil {
            scanner.skipWhitespace()
            start = scanner.position
            let first = scanner.peek()
            guard first == 0x7B || first == 0x5B else {
                return try JSONScanner.validate(text, maxDepth: maxDepth)
            }
        } else {
            scanner.position = position
        }
        let isWhole = try scanner.scanContainer(&open, pausingAt: scanner.position + bytes)
        position = scanner.position
        guard isWhole, let start else { return nil }
        try scanner.expectEnd()
        return JSONToken(
            view: text.slice(start..<position),
            kind: text[start] == 0x7B ? .object : .array
        )
    }
}
