// SPDX-License-Identifier: MIT
// Recognizes lines that differ from an earlier one only in their values.

/// The bytes of a request without the values of its id and params.
///
/// A program makes its lines from a few templates, so most lines equal an earlier one except for those values. The shape compares
/// names, punctuation and the method eight bytes at a time, and scans the values between them as JSON. So a matching line is as
/// valid as the line that defined the shape.
final class RequestShape {
    /// The value that follows a stretch of equal bytes.
    enum Hole {
        case id
        case param(ParamName)
        /// The line ends.
        case end
    }

    /// A value that differs between lines of one shape.
    struct Value {
        let view: ByteView
        let hole: Hole
    }

    private struct Stretch {
        let count: Int
        let hole: Hole
    }

    enum Extent {
        /// A single line.
        case line
        /// A line, its line feed and any further input.
        case input
    }

    /// Longer lines get no shape.
    private static let maxBytes = 512

    private let bytes = ByteBuffer(capacity: 128)
    private let stretches: Scratch<Stretch>
    private var methodRange = 0..<0
    private(set) var given = ParamNames()

    /// - Parameters:
    ///   - method: The method's name, a slice of the line.
    ///   - values: The values of the id and the params, in the line's order.
    init?(of line: ByteView, method: ByteView, values: borrowing Scratch<Value>) {
        let methodStart = line.offset(of: method)
        guard methodStart >= 0, methodStart + method.count <= line.count else { return nil }
        var position = 0
        var stretches = Scratch<Stretch>(capacity: 8)
        for index in 0...values.count {
            let isLast = index == values.count
            let end = isLast ? line.count : line.offset(of: values[index].view)
            let start = bytes.count
            guard start + end - position <= RequestShape.maxBytes else { return nil }
            let kept = bytes.count - position
            bytes.append(line.slice(position..<end))
            if methodStart >= position, methodStart < end {
                methodRange = methodStart + kept..<methodStart + kept + method.count
            }
            let hole = isLast ? .end : values[index].hole
            if case .param(let param) = hole { given.insert(param) }
            if !isLast { position = end + values[index].view.count }
            stretches.append(Stretch(count: bytes.count - start, hole: hole))
        }
        self.stretches = stretches
    }

    var method: ByteView { bytes.view.slice(methodRange) }

    /// Compares the first line of `text` with this shape.
    ///
    /// Arrays and objects may contain line feeds, so they match only if `text` is a single line.
    ///
    /// - Parameter body: returns whether a value is allowed; also called for values of lines that do not match.
    /// - Returns: The length of the line; nil if it does not match.
    @inline(__always)
    func match(_ text: ByteView, _ extent: Extent, maxDepth: Int, _ body: (Hole, JSONView) -> Bool) -> Int? {
        var scanner = JSONScanner(text, maxDepth: maxDepth)
        let template = bytes.view
        var start = 0
        for index in stretches.indices {
            let stretch = stretches[index]
            let end = scanner.position &+ stretch.count
            guard end <= text.count,
                text.slice(from: scanner.position, count: stretch.count)
                    == template.slice(from: start, count: stretch.count)
            else { return nil }
            start &+= stretch.count
            scanner.position = end
            if case .end = stretch.hole {
                let isOver = extent == .line ? scanner.atEnd : text.byteOrZero(end) == 0x0A
                return isOver ? end : nil
            }
            guard let value = scanner.scanSimpleValue() ?? RequestShape.scan(&scanner, extent),
                body(stretch.hole, value)
            else { return nil }
        }
        return nil
    }

    @inline(never) private static func scan(_ scanner: inout JSONScanner, _ extent: Extent) -> JSONView? {
        if extent == .input {
            let first = scanner.text.byteOrZero(scanner.position)
            guard first > 0x20, first | 0x20 != 0x7B else { return nil }
        }
        return try? scanner.scanValue()
    }
}
