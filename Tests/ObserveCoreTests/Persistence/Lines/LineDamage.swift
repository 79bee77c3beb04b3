// SPDX-License-Identifier: MIT
// Files of the state with one line removed, doubled, or swapped with the next one.

@testable import ObserveCore

enum LineDamage: CaseIterable {
    case removed, doubled, swapped

    /// The lines of a file, and the bytes behind the last one.
    static func lines(of bytes: [UInt8]) -> (lines: [[UInt8]], rest: ArraySlice<UInt8>) {
        var lines: [[UInt8]] = []
        var start = 0
        while let end = bytes.firstLineFeed(from: start) {
            lines.append(Array(bytes[start...end]))
            start = end + 1
        }
        return (lines, bytes[start...])
    }

    /// The same file with a damaged line, and the first place that differs; nil if it is the same.
    func applied(to bytes: [UInt8], line index: Int) -> (bytes: [UInt8], place: Place)? {
        let (lines, rest) = LineDamage.lines(of: bytes)
        var changed = lines
        switch self {
        case .removed: changed.remove(at: index)
        case .doubled: changed.insert(lines[index], at: index)
        case .swapped:
            guard index + 1 < lines.count, lines[index] != lines[index + 1] else { return nil }
            changed.swapAt(index, index + 1)
        }
        let first = zip(lines, changed).prefix { $0 == $1 }.count
        let place = Place(
            line: first,
            offset: lines[..<first].reduce(0) { $0 + $1.count },
            isLastRemoved: changed.count < lines.count && first == lines.count - 1,
            safeLength: LineDamage.safeLength(of: lines)
        )
        return (Array(changed.joined()) + rest, place)
    }

    struct Place {
        /// How many lines and bytes precede it.
        let line: Int
        let offset: Int
        let isLastRemoved: Bool
        fileprivate let safeLength: Int

        /// Whether a crash can have left the last journal so: it lacks lines at its end.
        func isTail(_ durability: Durability, isPowerLost: Bool) -> Bool {
            isLastRemoved || isPowerLost && durability == .commit && offset >= safeLength
        }
    }

    /// Up to where the last batch says that the journal was on the disk.
    private static func safeLength(of lines: [[UInt8]]) -> Int {
        for line in lines.reversed() {
            let text = String(decoding: line, as: UTF8.self)
            // A power loss may have broken a line of the last batch.
            guard ByteView.with(Array(line.dropLast()), { CheckedLine.checksums(of: $0) }) != nil,
                let name = text.range(of: #""safe":"#)
            else { continue }
            return Int(text[name.upperBound...].drop { $0 == " " }.dropLast(2)) ?? 0
        }
        return 0
    }
}
