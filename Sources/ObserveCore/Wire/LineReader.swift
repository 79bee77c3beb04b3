// SPDX-License-Identifier: MIT
// Cuts a byte stream into lines. Knows nothing of JSON or of sockets.

/// The lines of one connection, cut from whatever pieces the socket delivers.
///
/// - Bounds: a line holds at most `limitBytes`, its line feed not counted; a longer one is announced once and skipped.
/// - Threading: none of its own; the connection that owns it is its only user.
/// - Order: lines come out in the order their last byte came in.
/// - Cost: each byte is looked at once, and copied only if its line did not come in one piece.
struct LineReader {
    enum Step {
        case line(ByteView)
        /// The line under way exceeds the limit; it will be skipped to its end.
        case tooLong
    }

    let limitBytes: Int
    /// Bytes of lines that are not complete, or not yet wanted.
    private var kept: ByteBuffer?
    /// How many of the kept bytes are known to hold no line feed.
    private var searched = 0
    private var isSkipping = false

    init(limitBytes: Int) {
        self.limitBytes = limitBytes
    }

    /// Bytes that wait for the rest of their line, or for ``read(_:_:)`` to be wanted again.
    var keptBytes: Int { kept?.count ?? 0 }

    /// Calls `body` for each line, as long as it returns true; what is left over is kept for the next call.
    ///
    /// - Parameters:
    ///   - input: what came in; the caller's own memory, which is not needed after the call.
    ///   - measure: asked before each line, with all that came: how long the line is, its line feed not counted, if the
    ///     caller has found that out anyway; nil to have the line feed searched for.
    /// - Returns: false if `body` asked to stop: complete lines may be left.
    @inline(__always)
    mutating func read(
        _ input: ByteView,
        measure: (ByteView) -> Int? = { _ in nil },
        _ body: (Step) -> Bool
    ) -> Bool {
        guard let kept else { return cut(input, fromKept: false, measure, body) }
        // What follows the line under way stays where it is.
        let isUnderWay = searched == kept.count
        guard isUnderWay, let feed = input.firstIndex(of: 0x0A, from: 0), feed &+ 1 < input.count else {
            kept.append(input)
            return cut(kept.view, fromKept: true, measure, body)
        }
        kept.append(input.prefix(feed &+ 1))
        let rest = input.dropFirst(feed &+ 1)
        guard cut(kept.view, fromKept: true, measure, body) else {
            keep(rest)
            return false
        }
        return cut(rest, fromKept: false, measure, body)
    }

    /// The unterminated last line at the end of input, which counts as a line.
    mutating func readLast(_ body: (Step) -> Bool) {
        guard let last = kept, !isSkipping else { return }
        kept = nil
        if !last.isEmpty { _ = body(.line(last.view)) }
    }

    private mutating func cut(
        _ bytes: ByteView,
        fromKept: Bool,
        _ measure: (ByteView) -> Int?,
        _ body: (Step) -> Bool
    ) -> Bool {
        var start = 0
        var wanted = true
        var from = fromKept ? searched : 0
        while wanted {
            if !isSkipping, let length = measure(bytes.dropFirst(start)), length <= limitBytes {
                wanted = body(.line(bytes.slice(start..<start &+ length)))
                start = start &+ length &+ 1
                from = start
                continue
            }
            guard let feed = bytes.firstIndex(of: 0x0A, from: from) else { break }
            if isSkipping {
                isSkipping = false
            } else if feed - start > limitBytes {
                wanted = body(.tooLong)
            } else {
                wanted = body(.line(bytes.slice(start..<feed)))
            }
            start = feed + 1
            from = start
        }
        keep(bytes, from: start, fromKept: fromKept)
        searched = wanted ? keptBytes : 0
        if wanted, keptBytes > limitBytes || isSkipping { wanted = skipRest(body) }
        return wanted
    }

    /// Drops what is kept of a line that is too long already, and says so the first time.
    private mutating func skipRest(_ body: (Step) -> Bool) -> Bool {
        kept = nil
        searched = 0
        guard !isSkipping else { return true }
        isSkipping = true
        return body(.tooLong)
    }

    private mutating func keep(_ bytes: ByteView, from start: Int, fromKept: Bool) {
        if fromKept {
            kept?.consume(start)
            if kept?.isEmpty == true { kept = nil }
        } else if start < bytes.count {
            keep(bytes.dropFirst(start))
        }
    }

    private mutating func keep(_ rest: ByteView) {
        let buffer = ByteBuffer(capacity: max(256, rest.count))
        buffer.append(rest)
        kept = buffer
    }
}
