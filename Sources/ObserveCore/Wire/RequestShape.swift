// SPDX-License-Identifier: MIT
// Lines that differ from an earlier one in their values alone. Knows nothing of what the values mean.

/// What two requests have in common when one program made both: all bytes but the values of the id and of the params.
///
/// A program makes its lines from a few templates, so most lines equal one that was parsed before, except for those
/// values. Then names, punctuation and the method need not be read again: they are compared, eight bytes at a time. What
/// stands between two equal stretches is scanned as a JSON value like any other, so the line is as valid as the one that
/// the shape was learned from.
///
/// - Threading: none of its own; its owner is its only user.
final class RequestShape {
    /// The value that follows a stretch of equal bytes.
    enum Hole {
        case id
        case param(ParamName)
        /// Nothing: the line is over.
        case end
    }

    private struct Stretch {
        let count: Int
        let hole: Hole
    }

    /// Where the text that a shape is compared with ends.
    enum Extent {
        /// Where the line does.
        case line
        /// Anywhere behind the line feed.
        case input
    }

    /// What a shape may keep; longer lines are made of more than a template.
    private static let maxBytes = 512

    private let bytes = ByteBuffer(capacity: 128)
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    @safe private var stretches = Scratch<Stretch>(capacity: 8)
    private var methodRange = 0..<0
    /// Which params a line of this shape gives.
    private(set) var given = ParamNames()

    /// - Parameters:
    ///   - method: the method's name, a part of the line.
    ///   - values: the values of the id and the params as they stand in the line.
    init?(of line: ByteView, method: ByteView, values: borrowing Scratch<Request.Hole>) {
        let methodStart = line.offset(of: method)
        guard methodStart >= 0, methodStart + method.count <= line.count else { return nil }
        var position = 0
        for index in 0...values.count {
            let isLast = index == values.count
            let end = isLast ? line.count : line.offset(of: values[index].value)
            let start = bytes.count
            guard start + end - position <= RequestShape.maxBytes else { return nil }
            let kept = bytes.count - position
            bytes.append(line.slice(position..<end))
            if methodStart >= position, methodStart < end {
                methodRange = methodStart + kept..<methodStart + kept + method.count
            }
            var hole = Hole.end
            if !isLast {
                if let param = values[index].param {
                    hole = .param(param)
                    given.insert(param)
                } else {
                    hole = .id
                }
                position = end + values[index].value.count
            }
            stretches.append(Stretch(count: bytes.count - start, hole: hole))
        }
    }

    var method: ByteView { bytes.view.slice(methodRange) }

    /// Whether `text` begins with a line of this shape; `body` is called with each value and says whether it may stand
    /// there. When the answer is nil, it may have been called for some.
    ///
    /// A value that may hold line feeds itself, an array or an object, is only looked for in a text that is one line.
    ///
    /// - Returns: how long the line is.
    @inline(__always)
    func match(
        _ text: ByteView,
        _ extent: Extent,
        maxDepth: Int,
        _ body: (Hole, JSONToken) -> Bool
    ) -> Int? {
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

    @inline(never)
    private static func scan(_ scanner: inout JSONScanner, _ extent: Extent) -> JSONToken? {
        if extent == .input {
            let first = scanner.text.byteOrZero(scanner.position)
            guard first > 0x20, first | 0x20 != 0x7B else { return nil }
        }
        return try? scanner.scanValue()
    }
}
