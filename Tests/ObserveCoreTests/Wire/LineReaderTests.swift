// SPDX-License-Identifier: MIT
// A stream is split into lines, in pieces of any size.

import Testing

@testable import ObserveCore

@Suite struct LineReaderTests {
    /// The lines of a reader with a limit of eight bytes. `!` marks a line that is too long.
    static let table: [(input: String, steps: [String])] = [
        ("", []),
        ("\n", [""]),
        ("\n\n\n", ["", "", ""]),
        ("a\n", ["a"]),
        ("a", ["a"]),
        ("a\nb", ["a", "b"]),
        ("a\r\nb\r\n", ["a\r", "b\r"]),
        ("12345678\n", ["12345678"]),
        ("12345678", ["12345678"]),
        ("123456789\n", ["!"]),
        ("123456789", ["!"]),
        ("12345678901234567890\nab\n", ["!", "ab"]),
        ("ab\n12345678901234567890\ncd", ["ab", "!", "cd"]),
        ("123456789\n123456789\n123456789\n", ["!", "!", "!"]),
        ("123456789\n\n123456789\n1234567890123", ["!", "", "!", "!"]),
        ("12345678\n123456789\n12345678\n1", ["12345678", "!", "12345678", "1"]),
        ("ü\n€\n", ["ü", "€"]),
    ]

    private func steps(_ pieces: [[UInt8]], limit: Int = 8, atEnd: Bool = true) -> [String] {
        var reader = LineReader(limitBytes: limit)
        var steps: [String] = []
        func note(_ step: LineReader.Step) -> Bool {
            switch step {
            case .line(let line): steps.append(line.string)
            case .tooLong: steps.append("!")
            }
            return true
        }
        for piece in pieces {
            let isDone = ByteView.with(piece) { reader.read($0, note) }
            #expect(isDone)
            #expect(reader.keptBytes <= limit)
        }
        if atEnd { readLast(&reader, note) }
        return steps
    }

    private func readLast(_ reader: inout LineReader, _ note: (LineReader.Step) -> Bool) {
        reader.endLine()
        _ = reader.read(ByteView(""), note)
    }

    /// The lines are the same if the caller measures some or all of them.
    @Test(arguments: table)
    func `measured lines equal searched lines`(input: String, expected: [String]) {
        let bytes = Array(input.utf8)
        for first in 0...bytes.count {
            for measured in ["1", "a", ""] {
                var reader = LineReader(limitBytes: 8)
                var steps: [String] = []
                func note(_ step: LineReader.Step) -> Bool {
                    switch step {
                    case .line(let line): steps.append(line.string)
                    case .tooLong: steps.append("!")
                    }
                    return true
                }
                func measure(_ rest: ByteView) -> Int? {
                    rest.string.hasPrefix(measured) ? rest.firstIndex(of: 0x0A, from: 0) : nil
                }
                for piece in [bytes[..<first], bytes[first...]].map(Array.init) {
                    #expect(ByteView.with(piece) { reader.read($0, measure: measure, note) })
                }
                readLast(&reader, note)
                #expect(steps == expected, "split at \(first)")
            }
        }
    }

    @Test(arguments: table)
    func `lines are complete for any pieces of input`(input: String, expected: [String]) {
        let bytes = Array(input.utf8)
        #expect(steps([bytes]) == expected)
        #expect(steps(bytes.map { [$0] }) == expected)
        for first in 0...bytes.count {
            for second in first...bytes.count {
                let pieces = [bytes[..<first], bytes[first..<second], bytes[second...]].map(Array.init)
                #expect(steps(pieces) == expected, "split at \(first) and \(second)")
            }
        }
    }

    @Test func `a line that is too long is reported before its end`() {
        #expect(steps([Array("123456789".utf8)], atEnd: false) == ["!"])
        #expect(steps([Array("12345678".utf8)], atEnd: false) == [])
        let pieces = [[UInt8]](repeating: Array("123".utf8), count: 1000)
        #expect(steps(pieces, atEnd: false) == ["!"])
        #expect(steps(pieces + [Array("\nab\n".utf8)]) == ["!", "ab"])
    }

    /// Before, the caller looked at the whole line again for each piece of it.
    @Test func `a line is measured twice at most, however many pieces it has`() {
        var reader = LineReader(limitBytes: 1000)
        let input = Array((String(repeating: "x", count: 900) + "\nab\ncd\n").utf8)
        var (lines, measured) = (0, 0)
        for byte in input {
            ByteView.with([byte]) { piece in
                _ = reader.read(
                    piece,
                    measure: { rest in
                        measured += rest.count
                        return nil
                    }
                ) { _ in
                    lines += 1
                    return true
                }
            }
        }
        #expect(lines == 3 && measured <= 2 * input.count)
    }

    @Test func `no bytes of a skipped line are kept`() {
        var reader = LineReader(limitBytes: 1000)
        let piece = [UInt8](repeating: 0x61, count: 600)
        var announced = 0
        for _ in 0..<1000 {
            ByteView.with(piece) { view in
                _ = reader.read(view) { _ in
                    announced += 1
                    return true
                }
            }
            #expect(reader.keptBytes <= 1000)
        }
        #expect(announced == 1)
    }

    /// Reads with a body that stops after every `count` steps, and continues without input until no bytes are left.
    private func stepsWithPauses(_ pieces: [[UInt8]], every count: Int, limit: Int = 8) -> [String] {
        var reader = LineReader(limitBytes: limit)
        var steps: [String] = []
        var left = count
        func note(_ step: LineReader.Step) -> Bool {
            switch step {
            case .line(let line): steps.append(line.string)
            case .tooLong: steps.append("!")
            }
            left -= 1
            return left > 0
        }
        for piece in pieces {
            left = count
            var isDone = ByteView.with(piece) { reader.read($0, note) }
            while !isDone {
                left = count
                isDone = reader.read(ByteView(""), note)
            }
        }
        readLast(&reader, note)
        return steps
    }

    @Test(arguments: table)
    func `a pause loses no line`(input: String, expected: [String]) {
        let bytes = Array(input.utf8)
        for pause in 1...3 {
            #expect(stepsWithPauses([bytes], every: pause) == expected)
            #expect(stepsWithPauses(bytes.map { [$0] }, every: pause) == expected)
            for first in 0...bytes.count {
                let pieces = [Array(bytes[..<first]), Array(bytes[first...])]
                #expect(stepsWithPauses(pieces, every: pause) == expected, "split at \(first)")
            }
        }
    }

    @Test func `a pause keeps complete lines before further input`() {
        var reader = LineReader(limitBytes: 8)
        var steps: [String] = []
        var wanted = 1
        func note(_ step: LineReader.Step) -> Bool {
            if case .line(let line) = step { steps.append(line.string) }
            wanted -= 1
            return wanted > 0
        }
        let more = reader.read(ByteView("one\ntwo\nthree\nfo"), note)
        #expect(!more)
        #expect(steps == ["one"])
        #expect(reader.keptBytes == 12)
        wanted = 1
        let evenMore = reader.read(ByteView("ur\nfive"), note)
        #expect(!evenMore)
        #expect(steps == ["one", "two"])
        wanted = 100
        let isDone = reader.read(ByteView(""), note)
        #expect(isDone)
        #expect(steps == ["one", "two", "three", "four"])
        readLast(&reader, note)
        #expect(steps == ["one", "two", "three", "four", "five"])
    }

    @Test func `empty input has no effect`() {
        #expect(steps([[], Array("a".utf8), [], Array("b\n".utf8), []]) == ["ab"])
    }

    @Test func `the last line is read once`() {
        var reader = LineReader(limitBytes: 8)
        var lines = 0
        func note(_ step: LineReader.Step) -> Bool {
            lines += 1
            return true
        }
        _ = reader.read(ByteView("abc"), note)
        readLast(&reader, note)
        readLast(&reader, note)
        #expect(lines == 1)
        #expect(reader.keptBytes == 0)
    }
}
