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
        let range: Range<Int>
        let hole: Hole
    }

    /// What a shape may keep; longer lines are made of more than a template.
    private static let maxBytes = 512

    private let bytes = ByteBuffer(capacity: 128)
    @safe @exclusivity(unchecked) private var stretches = Scratch<Stretch>(capacity: 8)
    @safe @exclusivity(unchecked) private var methodRange = 0..<0

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
                hole = values[index].param.map(Hole.param) ?? .id
                position = end + values[index].value.count
            }
            stretches.append(Stretch(range: start..<bytes.count, hole: hole))
        }
    }

    var method: ByteView { bytes.view.slice(methodRange) }

    /// Whether the line has this shape; `body` is called with each value. When the answer is false, it may have been
    /// called for some.
    @inline(__always)
    func match(_ line: ByteView, maxDepth: Int, _ body: (Hole, JSONToken) -> Void) -> Bool {
        var scanner = JSONScanner(line, maxDepth: maxDepth)
        let template = bytes.view
        for index in stretches.indices {
            let stretch = stretches[index]
            let end = scanner.position &+ stretch.range.count
            guard end <= line.count,
                line.slice(scanner.position..<end) == template.slice(stretch.range)
            else { return false }
            scanner.position = end
            if case .end = stretch.hole { return scanner.atEnd }
            guard let value = try? scanner.scanValue() else { return false }
            body(stretch.hole, value)
        }
        return false
    }
}
