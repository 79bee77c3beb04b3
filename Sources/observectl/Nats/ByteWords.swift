// SPDX-License-Identifier: MIT
// The words of a line as places in its bytes. Independent of the protocol.

/// Takes no memory of its own, since it reads every message: it has the places of twelve words, and ``count`` counts all.
struct ByteWords {
    private var places = InlineArray<12, Range<Int>>(repeating: 0..<0)
    private(set) var count = 0

    /// The words between spaces and tabs. None is empty.
    init(separatedByBlanks line: ArraySlice<UInt8>) {
        read(line, keepsEmpty: false) { $0 == 0x20 || $0 == 0x09 }
    }

    /// The words between dots, empty ones too.
    init(separatedByDots subject: ArraySlice<UInt8>) { read(subject, keepsEmpty: true) { $0 == 0x2E } }

    @inline(__always) private mutating func read(
        _ line: ArraySlice<UInt8>,
        keepsEmpty: Bool,
        isSeparator: (UInt8) -> Bool
    ) {
        var start = line.startIndex
        for index in line.startIndex...line.endIndex where index == line.endIndex || isSeparator(line[index])
        {
            if keepsEmpty || start < index {
                if count < places.count { places[count] = start..<index }
                count += 1
            }
            start = index + 1
        }
    }

    /// The place of a word: an empty one beyond the last that is kept.
    subscript(index: Int) -> Range<Int> { index < places.count ? places[index] : 0..<0 }
}
