// SPDX-License-Identifier: MIT
// The lines of bytes that come in pieces. Independent of their source.

struct TextLines {
    /// The line that has begun.
    private(set) var rest: [UInt8] = []

    /// The lines that the piece completes.
    mutating func consume(_ piece: [UInt8]) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        for (index, part) in piece.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            if index > 0 {
                lines.append(rest)
                rest = []
            }
            rest += part
        }
        return lines
    }
}
