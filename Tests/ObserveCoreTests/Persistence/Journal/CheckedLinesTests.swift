// SPDX-License-Identifier: MIT
// Checksums, and lines with them.

import Testing

@testable import ObserveCore

@Suite struct CheckedLinesTests {
    @Test func `the checksum is CRC-32C, with the processor's instruction and without`() {
        ByteView.with("123456789") { #expect(Checksum.of($0) == 0xE306_9283) }
        var random = SeededGenerator(seed: 1)
        for count in 0...100 {
            let bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            ByteView.with(bytes) {
                #expect(Checksum.of($0) == Checksum.of($0, usesProcessor: false), "\(count) bytes")
            }
        }
    }

    @Test func `a checksum has eight hexadecimal digits`() {
        let out = ByteBuffer()
        for value: UInt32 in [0, 1, 0x0123_4ABC, 0x9A0F_A0F9, 0xDEAD_BEEF, .max] {
            out.append("........")
            out.overwrite(at: out.count - 8, hexadecimal: value)
        }
        #expect(out.string == "000000000000000101234abc9a0fa0f9deadbeefffffffff")
    }

    @Test(arguments: [0, 7, 123_456, Int.max])
    func `a line with the safe length gets its checksum later`(safe: Int) {
        let out = ByteBuffer()
        out.append("before")
        let start = CheckedLine.appendSafe(to: out)
        CheckedLine.seal(out, at: start, safe: safe)
        let line = out.view.dropFirst(start).prefix(out.count - start - 1)
        #expect(CheckedLine.isWhole(line))
        var found: Int64?
        for (name, value) in JSONView(view: line, kind: .object, hasEscapes: false).members
        where name.contents == "safe" { found = value.int64() }
        #expect(found == Int64(safe))
    }

    /// Three batches, each with a line that states the safe length before it.
    @Test func `a broken line is torn in the last batch, and damage before it`() {
        let out = ByteBuffer()
        var starts: [Int] = []
        for batch in 1...3 {
            starts.append(out.count)
            let line = CheckedLine.appendSafe(to: out)
            for number in 1...2 {
                let start = out.count
                CheckedLine.begin(out)
                out.append("\"r\":")
                out.append(decimal: UInt64(batch * 10 + number))
                CheckedLine.end(out, from: start)
            }
            CheckedLine.seal(out, at: line, safe: starts[batch - 1])
        }
        let whole = out.count
        let bytes = out.array + [UInt8](repeating: 0, count: 100)
        for place in 0..<whole {
            var spoilt = bytes
            spoilt[place] = 0
            let end = ByteView.with(spoilt) { text in
                var lines = CheckedLines(text)
                lines.areSafeOnly = true
                while true {
                    switch lines.next() {
                    case .line: continue
                    case .torn: return "torn"
                    case .broken: return "broken"
                    case .end: return "end"
                    }
                }
            }
            #expect(end == (place < starts[2] ? "broken" : "torn"), "byte \(place)")
        }
        ByteView.with(bytes) { text in
            var lines = CheckedLines(text)
            while case .line = lines.next() {}
            #expect(lines.count == 9)
            #expect(lines.offset == whole)
        }
    }
}
