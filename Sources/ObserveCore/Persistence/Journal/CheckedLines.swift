// SPDX-License-Identifier: MIT
// Lines of JSON with a checksum. Independent of their contents.

/// `{"crc":"0123abcd",…}`: each line is an object. Its first member is the CRC-32C of the bytes after that member
/// and its comma, up to the line feed.
enum CheckedLine {
    static let opening: StaticString = "{\"crc\":\""
    /// How many bytes precede those that the checksum covers.
    static let headCount = 18

    /// Begins a line: its members follow.
    @inline(__always)
    static func begin(_ out: ByteBuffer) { out.append(blankHead) }

    static var blankHead: StaticString {
        @inline(__always) get { "{\"crc\":\"00000000\"," }
    }

    /// Closes the line that began at `start`.
    @inline(__always)
    static func end(_ out: ByteBuffer, from start: Int) {
        out.append(0x7D)
        let body = out.view.dropFirst(start + headCount)
        out.overwrite(at: start + 8, hexadecimal: Checksum.of(body))
        out.append(0x0A)
    }

    /// Whether a line, without its line feed, is whole.
    static func isWhole(_ line: ByteView) -> Bool {
        guard line.count > headCount, line.prefix(8) == opening, line[16] == 0x22, line[17] == 0x2C,
            let sum = hexadecimal(line.slice(8..<16))
        else { return false }
        return Checksum.of(line.dropFirst(headCount)) == sum
    }

    // MARK: Safe lines

    /// Appends a safe line, which says how much of its file is on the disk. ``seal(_:at:safe:)`` fills that in.
    ///
    /// - Returns: where the line begins.
    static func appendSafe(to out: ByteBuffer) -> Int {
        let start = out.count
        begin(out)
        out.append("\"safe\":                   0")
        end(out, from: start)
        return start
    }

    static func seal(_ out: ByteBuffer, at start: Int, safe: Int) {
        let digits = ByteBuffer()
        digits.append(decimal: Int64(safe))
        let end = start + headCount + 7 + 20
        for index in 0..<digits.count { out.overwrite(at: end - digits.count + index, digits.view[index]) }
        out.overwrite(
            at: start + 8,
            hexadecimal: Checksum.of(out.view.slice(start + headCount..<end + 1))
        )
    }

    /// Whether the line proves that its file was on the disk beyond `place` when the line was written.
    fileprivate static func shows(_ line: ByteView, safeBeyond place: Int) -> Bool {
        for (name, value) in JSONView(view: line, kind: .object, hasEscapes: false).members {
            if name.contents == "safe" { return (value.int64() ?? 0) > place }
            if name.contents == "start" || name.contents == "stop" { return true }
        }
        return false
    }

    private static func hexadecimal(_ digits: ByteView) -> UInt32? {
        var value: UInt32 = 0
        for index in 0..<digits.count {
            switch digits[index] {
            case let digit where digit >= 0x30 && digit <= 0x39: value = value << 4 | UInt32(digit - 0x30)
            case let digit where digit >= 0x61 && digit <= 0x66: value = value << 4 | UInt32(digit - 0x57)
            default: return nil
            }
        }
        return value
    }
}

/// The result of one step through a file of checked lines.
enum CheckedStep {
    /// A whole line, without its line feed.
    case line(JSONView)
    /// No whole line follows: the last write was cut off here.
    case torn(offset: Int)
    /// The line is broken, and whole lines follow it.
    case broken(offset: Int)
    case end
}

/// Reads a file's lines.
struct CheckedLines {
    let text: ByteView
    /// Lines may be missing though whole ones follow, unless a later line says that they were safe: see
    /// ``OpenBatch``.
    var areSafeOnly = false
    /// Where the next line begins, and how many precede it.
    private(set) var offset = 0
    private(set) var count = 0

    init(_ text: ByteView) { self.text = text }

    mutating func next() -> CheckedStep {
        guard offset < text.count, !isZeros(from: offset) else { return .end }
        if let end = text.firstIndex(of: 0x0A, from: offset) {
            let line = text.slice(offset..<end)
            if CheckedLine.isWhole(line) {
                offset = end + 1
                count += 1
                return .line(JSONView(view: line, kind: .object, hasEscapes: false))
            }
        }
        return hasWholeLine(after: offset) ? .broken(offset: offset) : .torn(offset: offset)
    }

    /// Whether only zeros follow: see ``JournalFile``.
    private func isZeros(from start: Int) -> Bool {
        guard text[start] == 0 else { return false }
        for index in start..<text.count where text[index] != 0 { return false }
        return true
    }

    /// Whether a later line proves that everything up to `start` was whole once. Line feeds may be damaged, so this
    /// tries each place where a line could begin. JSON strings do not contain such a place.
    private func hasWholeLine(after start: Int) -> Bool {
        var place = start + 1
        while let brace = text.firstIndex(of: 0x7B, from: place) {
            place = brace + 1
            guard brace + CheckedLine.headCount < text.count,
                text.slice(brace..<brace + 8) == CheckedLine.opening,
                let end = text.firstIndex(of: 0x0A, from: brace)
            else { continue }
            let line = text.slice(brace..<end)
            if CheckedLine.isWhole(line), !areSafeOnly || CheckedLine.shows(line, safeBeyond: start) {
                return true
            }
        }
        return false
    }
}
