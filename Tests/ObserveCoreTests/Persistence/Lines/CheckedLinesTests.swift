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
                let half = Checksum.of($0.prefix(count / 2))
                let rest = $0.dropFirst(count / 2)
                #expect(Checksum.of(rest, after: half) == Checksum.of($0), "\(count) bytes")
                #expect(Checksum.of(rest, after: half, usesProcessor: false) == Checksum.of($0))
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
        CheckedLine.beginHead(out)
        CheckedLine.end(out)
        let start = CheckedLine.appendSafe(to: out)
        CheckedLine.setSafe(safe, at: start, in: out)
        var chain = LineChain()
        chain.seal(out)
        #expect(chain.count == 2)
        let line = out.view.dropFirst(start).prefix(out.count - start - 1)
        #expect(CheckedLine.checksums(of: line)?.own == chain.sum)
        var found: Int64?
        for (name, value) in JSONView(view: line, kind: .object).members
        where name.contents == "safe" { found = value.int64() }
        #expect(found == Int64(safe))
    }

    /// A file's lines are joined: each names the checksum of the line before.
    @Test func `a line follows only the line before it`() throws {
        let out = ByteBuffer()
        for number in 0...3 {
            if number == 0 { CheckedLine.beginHead(out) } else { CheckedLine.begin(out) }
            out.append("\"r\":")
            out.append(decimal: UInt64(number))
            CheckedLine.end(out)
        }
        var sealed = LineChain()
        sealed.seal(out)
        let text = out.array
        // A second attempt writes the same lines again.
        var again = LineChain()
        again.seal(out)
        #expect(out.array == text)
        #expect(again == sealed)
        let lines = out.array.split(separator: 0x0A).map(Array.init)
        for order in [[0, 1, 2, 3], [1], [0, 0], [0, 2], [0, 1, 1], [0, 1, 3], [0, 2, 1]] {
            var chain = LineChain()
            let isWhole = order.allSatisfy { index in
                defer { chain.isLinked = true }
                return ByteView.with(lines[index]) { chain.follow($0) }
            }
            #expect(isWhole == (order.count == 4), "\(order)")
        }
    }

    /// Three batches, each with a line that states the safe length before it.
    @Test func `a broken line is torn in the last batch, and damage before it`() {
        let out = ByteBuffer()
        var starts: [Int] = []
        var chain = LineChain()
        for batch in 1...3 {
            starts.append(out.count)
            let line = CheckedLine.appendSafe(to: out)
            for number in 1...2 {
                CheckedLine.begin(out)
                out.append("\"r\":")
                out.append(decimal: UInt64(batch * 10 + number))
                CheckedLine.end(out)
            }
            CheckedLine.setSafe(starts[batch - 1], at: line, in: out)
        }
        chain.isLinked = true
        chain.seal(out)
        let whole = out.count
        let bytes = out.array + [UInt8](repeating: 0, count: 100)
        for place in 0..<whole {
            var spoilt = bytes
            spoilt[place] = 0
            let end = ByteView.with(spoilt) { text in
                var lines = CheckedLines(text)
                lines.proof = .syncedLine
                lines.chain.isLinked = true
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
            lines.chain.isLinked = true
            while case .line = lines.next() {}
            #expect(lines.count == 9)
            #expect(lines.offset == whole)
        }
    }
}
