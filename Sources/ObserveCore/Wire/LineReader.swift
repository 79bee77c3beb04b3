// SPDX-License-Identifier: MIT
// Splits a byte stream into lines. Independent of JSON and sockets.

/// - Bounds: a line has at most `limitBytes` without its line feed. The reader reports a longer line once, and skips it.
/// - Order: that of the input.
/// - Cost: one pass; copies only lines that arrive in several pieces.
struct LineReader {
    enum Step {
        case line(ByteView)
        /// The current line exceeds the reader's limit. The reader skips the rest of it.
        case tooLong
    }

    let limitBytes: Int
    /// Bytes of an incomplete line, or of lines after `body` has asked to stop.
    private var kept: ByteBuffer?
    /// The number of kept bytes that have no line feed.
    private var searched = 0
    private var isSkipping = false

    init(limitBytes: Int) { self.limitBytes = limitBytes }

    var keptBytes: Int { kept?.count ?? 0 }

    /// The memory that the kept bytes take.
    var heldBytes: Int { kept?.heldBytes ?? 0 }

    var isWithinLine: Bool { isSkipping || kept.map { searched == $0.count } ?? false }

    /// Whether it may have complete lines, since `body` has asked to stop.
    var hasLines: Bool { kept.map { searched != $0.count } ?? false }

    /// Calls `body` for each line, as long as it returns true, and keeps the remaining bytes for the next call.
    /// - Parameters:
    ///   - input: New input. The reader does not use this memory after the call.
    ///   - measure: Called with the bytes from the start of each line on, twice at most. Returns the length of the line without
    ///     its line feed if the caller knows it; nil to search for the line feed.
    /// - Returns: false if `body` has asked to stop: the reader may keep complete lines.
    @inline(__always) mutating func read(
        _ input: ByteView,
        measure: (ByteView) -> Int? = { _ in nil },
        _ body: (Step) -> Bool
    ) -> Bool {
        guard let kept else { return cut(input, fromKept: false, measure, body) }
        // Complete the kept line, and read the following lines from the input without a copy.
        let isIncomplete = searched == kept.count
        guard isIncomplete, let feed = input.firstIndex(of: 0x0A, from: 0) else {
            kept.append(input)
            return cut(kept.view, fromKept: true, measure, body)
        }
        kept.append(input.prefix(feed &+ 1))
        // The caller may measure the complete line, too.
        searched = 0
        let rest = input.dropFirst(feed &+ 1)
        guard cut(kept.view, fromKept: true, measure, body) else {
            keep(rest)
            return false
        }
        return cut(rest, fromKept: false, measure, body)
    }

    /// Completes the last line, if it lacks its line feed.
    mutating func endLine() { if isWithinLine, !isSkipping { kept?.append(0x0A) } }

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
            // A line that began in an earlier call was measured there.
            if from == start, !isSkipping, let length = measure(bytes.dropFirst(start)), length <= limitBytes
            {
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
        if fromKept {
            kept?.consume(start)
            if kept?.isEmpty == true { kept = nil }
        } else {
            keep(bytes.dropFirst(start))
        }
        searched = wanted ? keptBytes : 0
        if wanted, keptBytes > limitBytes || isSkipping { wanted = skipRest(body) }
        return wanted
    }

    /// Discards the kept part of a line that is too long, and reports it the first time.
    private mutating func skipRest(_ body: (Step) -> Bool) -> Bool {
        kept = nil
        searched = 0
        guard !isSkipping else { return true }
        isSkipping = true
        return body(.tooLong)
    }

    /// Keeps input for the next call of ``read(_:measure:_:)``.
    mutating func keep(_ rest: ByteView) {
        if let kept { return kept.append(rest) }
        guard !rest.isEmpty else { return }
        let buffer = ByteBuffer(capacity: max(256, rest.count))
        buffer.append(rest)
        kept = buffer
    }
}
