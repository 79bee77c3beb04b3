// SPDX-License-Identifier: MIT
// The running checksum that joins the lines of a file. Independent of their contents.

/// A place in a file of checked lines, between two lines: what the next line must follow.
struct LineChain: Equatable {
    /// The checksum of the line before.
    private(set) var sum: UInt32 = 0
    private(set) var count = 0
    /// Whether lines name the line before. False before a head, and in files of version 1.
    var isLinked = false

    /// Fills in the checksums of the lines from `start` on, which follow this place, and moves behind them.
    mutating func seal(_ out: ByteBuffer, from start: Int = 0) {
        var start = start
        while start < out.count {
            let rest = out.view.dropFirst(start)
            guard let length = unsafe LineSearch.lineFeed(in: rest.base, count: rest.count)
            else { preconditionFailure("a line is sealed before it ends") }
            let line = rest.prefix(length)
            if CheckedLine.isHead(line) {
                sum = Checksum.of(line.dropFirst(CheckedLine.headPrefix))
                isLinked = true
            } else {
                assert(isLinked, "a head precedes all other lines")
                out.overwrite(at: start + 8, hexadecimal: sum)
                sum = Checksum.of(line.dropFirst(CheckedLine.linkedPrefix), after: sum)
            }
            out.overwrite(at: start + (CheckedLine.isHead(line) ? 8 : 16), hexadecimal: sum)
            count += 1
            start += length + 1
        }
    }

    /// Moves behind a line, without its line feed. Returns false, with nothing done, if the line is broken or does not follow the
    /// one before.
    mutating func follow(_ line: ByteView) -> Bool {
        guard let sums = CheckedLine.checksums(of: line), sums.before == (isLinked ? sum : nil)
        else { return false }
        sum = sums.own
        count += 1
        return true
    }
}
