// SPDX-License-Identifier: MIT
// The words of a line as places in its bytes. Independent of the protocol.

/// The places of a line's words. Takes no memory of its own, since it reads every message.
///
/// - Bounds: places of the first twelve words; ``count`` counts all of them.
struct ByteWords {
    private static let mostPlaces = 12

    private var places = InlineArray<12, Range<Int>>(repeating: 0..<0)
    private(set) var count = 0

    /// The words between spaces and tabs. None is empty.
    init(separatedByBlanks line: ArraySlice<UInt8>) {
        var start = line.startIndex
        for index in line.indices where line[index] == 0x20 || line[index] == 0x09 {
            if start < index { append(start..<index) }
            start = index + 1
        }
        if start < line.endIndex { append(start..<line.endIndex) }
    }

    /// The words between dots, empty ones too.
    init(separatedByDots subject: ArraySlice<UInt8>) {
        var start = subject.startIndex
        for index in subject.indices where subject[index] == 0x2E {
            append(start..<index)
            start = index + 1
        }
        append(start..<subject.endIndex)
    }

    private mutating func append(_ place: Range<Int>) {
        if count < ByteWords.mostPlaces { places[count] = place }
        count += 1
    }

    /// The place of a word: an empty one beyond the last that is kept.
    subscript(index: Int) -> Range<Int> { index < ByteWords.mostPlaces ? places[index] : 0..<0 }
}
