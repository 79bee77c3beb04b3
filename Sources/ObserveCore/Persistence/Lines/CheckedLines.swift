// SPDX-License-Identifier: MIT
// Lines of JSON with a running checksum. Independent of their contents.

/// `{"crc":"0123abcd89ef4567",…}`: the first member of each line has two checksums. The first is that of the line before. The
/// second is the CRC-32C of the bytes after the member and its comma, up to the line feed, continued from the first. So a line is
/// whole or broken by itself, and follows only one other line.
///
/// The first line of a file is a *head*: `{"crc":"0123abcd",…}` has its own checksum alone. All lines of version 1 are heads, so
/// a daemon of any version can read a file's version.
enum CheckedLine {
    static let opening: StaticString = "{\"crc\":\""
    /// How many bytes precede those that the checksum covers, in a head and in other lines.
    static let headPrefix = 18
    static let linkedPrefix = 26

    /// Begins a line: its members follow. ``LineChain/seal(_:from:)`` adds the checksums.
    @inline(__always) static func begin(_ out: ByteBuffer) { out.append("{\"crc\":\"0000000000000000\",") }

    static func beginHead(_ out: ByteBuffer) { out.append("{\"crc\":\"00000000\",") }

    @inline(__always) static func end(_ out: ByteBuffer) { out.append("}\n") }

    /// The members of a whole line, as the checksum covers them.
    static func body(of line: ByteView) -> ByteView {
        line.dropFirst(min(isHead(line) ? headPrefix : linkedPrefix, line.count))
    }

    static func isHead(_ line: ByteView) -> Bool { line.byteOrZero(16) == 0x22 }

    /// The checksum of a line, without its line feed, and that of the line before, which a head lacks; nil if the line is broken.
    static func checksums(of line: ByteView) -> (before: UInt32?, own: UInt32)? {
        guard line.count > headPrefix, line.prefix(8) == opening, let first = hexadecimal(line.slice(8..<16))
        else { return nil }
        if isHead(line) {
            guard line[17] == 0x2C, Checksum.of(line.dropFirst(headPrefix)) == first else { return nil }
            return (nil, first)
        }
        guard line.count > linkedPrefix, line[24] == 0x22, line[25] == 0x2C,
            let own = hexadecimal(line.slice(16..<24)),
            Checksum.of(line.dropFirst(linkedPrefix), after: first) == own
        else { return nil }
        return (first, own)
    }

    static func hexadecimal(_ digits: ByteView) -> UInt32? {
        guard digits.count == 8 else { return nil }
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

    // MARK: Kinds

    /// Whether a line has a commit: such a line begins with the member `r`.
    static func isCommit(_ line: ByteView) -> Bool { body(of: line).byteOrZero(1) == UInt8(ascii: "r") }

    /// The identity of the process that began to write with this line; nil if the line is broken or another.
    static func start(in line: ByteView) -> JSONView? {
        guard !isCommit(line), checksums(of: line) != nil else { return nil }
        let members = JSONView(view: line, kind: .object)
        return members["start"] ?? members["linked"]
    }

    // MARK: Safe lines

    /// Appends a line that is to say how much of its file is on the disk: see ``setSafe(_:at:in:)``. Returns where it begins.
    static func appendSafe(to out: ByteBuffer) -> Int {
        let start = out.count
        begin(out)
        out.append("\"safe\":                   0")
        end(out)
        return start
    }

    static func setSafe(_ safe: Int, at start: Int, in out: ByteBuffer) {
        let digits = ByteBuffer()
        digits.append(decimal: Int64(safe))
        let end = start + linkedPrefix + 7 + 20
        for index in 0..<digits.count { out.overwrite(at: end - digits.count + index, digits.view[index]) }
    }

    /// Whether a line that follows `chain` can begin so, and lacks at least its last brace.
    fileprivate static func isBeginning(_ text: ByteView, after chain: LineChain) -> Bool {
        let opening = ByteView(opening)
        guard text.prefix(min(8, text.count)) == opening.prefix(min(8, text.count)) else { return false }
        if chain.isLinked, text.count >= 16, hexadecimal(text.slice(8..<16)) != chain.sum { return false }
        var (depth, isInString, isEscaped) = (0, false, false)
        for index in 0..<text.count {
            let byte = text[index]
            switch byte {
            case _ where byte < 0x20: return false
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\"): isEscaped = isInString
            case UInt8(ascii: "\""): isInString.toggle()
            case _ where isInString: break
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            if depth == 0 { return false }
        }
        return true
    }

    /// Whether the line proves that its file was on the disk beyond `place` when the line was written.
    fileprivate static func shows(_ line: ByteView, safeBeyond place: Int, _ proof: LineProof) -> Bool {
        if proof == .wholeLine { return true }
        for (name, value) in JSONView(view: line, kind: .object).members {
            if name.contents == "safe" { return (value.int64() ?? 0) > place }
            guard proof == .syncedLine else { continue }
            if name.contents == "start" || name.contents == "linked" || name.contents == "stop" {
                return true
            }
        }
        return false
    }
}

/// What proves that all lines before were whole once. Pages reach the disk in any order, so a power loss can take lines
/// before whole ones.
enum LineProof {
    /// The line feed of any line, or something else than a line's beginning: the system still has all that was written,
    /// in its order.
    case lineFeed
    case wholeLine
    /// A safe line, or one that the process wrote when all before it was on the disk: under durability `commit`.
    case syncedLine
    /// A safe line alone, or a whole line in the wrong place.
    case safeLine
}

enum CheckedStep {
    /// A whole line, without its line feed.
    case line(JSONView)
    /// No whole line follows: the last write was cut off here.
    /// - isBeginning: whether only the beginning of a line follows. If not, a whole line may have been damaged.
    case torn(offset: Int, isBeginning: Bool)
    /// The line is broken and whole lines follow it, or it does not follow the line before.
    case broken(offset: Int)
    case end
}

struct CheckedLines {
    let text: ByteView
    var proof = LineProof.wholeLine
    private(set) var offset = 0
    var chain = LineChain()

    init(_ text: ByteView) { self.text = text }

    var count: Int { chain.count }

    mutating func next() -> CheckedStep {
        guard offset < text.count, !isZeros(from: offset) else { return .end }
        if let end = text.firstIndex(of: 0x0A, from: offset) {
            let line = text.slice(offset..<end)
            if chain.follow(line) {
                offset = end + 1
                return .line(JSONView(view: line, kind: .object))
            }
            // A line that the power took is not whole.
            if proof == .safeLine, CheckedLine.checksums(of: line) != nil { return .broken(offset: offset) }
            if proof == .lineFeed || hasWholeLine(from: offset) { return .broken(offset: offset) }
            return .torn(offset: offset, isBeginning: false)
        }
        var end = text.count
        while text[end - 1] == 0 { end -= 1 }
        let rest = text.slice(offset..<end)
        let isBeginning = CheckedLine.isBeginning(rest, after: chain)
        // A whole line may lack its line feed because the write was cut off, or because of damage.
        var last = chain
        if proof == .lineFeed, !isBeginning, !last.follow(rest) { return .broken(offset: offset) }
        return .torn(offset: offset, isBeginning: isBeginning)
    }

    /// Whether only zeros follow: the room of a journal.
    private func isZeros(from start: Int) -> Bool {
        guard text[start] == 0 else { return false }
        for index in start..<text.count where text[index] != 0 { return false }
        return true
    }

    /// Whether a line from `start` on proves that everything up to `start` was whole once.
    private func hasWholeLine(from start: Int) -> Bool {
        hasLine(from: start) {
            CheckedLine.checksums(of: $0) != nil && CheckedLine.shows($0, safeBeyond: start, proof)
        }
    }

    func hasStart(ofBoot boot: String) -> Bool {
        hasLine(from: 0) { CheckedLine.start(in: $0)?["boot"]?.decodedString() == boot }
    }

    /// Whether a line from `start` on is such. Line feeds may be damaged, so this tries each place where one could begin. JSON
    /// strings contain no such place.
    private func hasLine(from start: Int, where isSuch: (ByteView) -> Bool) -> Bool {
        var place = start
        while let brace = text.firstIndex(of: 0x7B, from: place) {
            place = brace + 1
            guard brace + CheckedLine.headPrefix < text.count,
                text.slice(brace..<brace + 8) == CheckedLine.opening,
                let end = text.firstIndex(of: 0x0A, from: brace)
            else { continue }
            if isSuch(text.slice(brace..<end)) { return true }
        }
        return false
    }
}
