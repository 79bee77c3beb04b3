// SPDX-License-Identifier: MIT
// The buffer keeps appended bytes in order while it grows, consumes and truncates. Views compare and hash.

import Testing

@testable import ObserveCore

@Suite struct ByteBufferTests {
    /// Compares with an array after the same operations.
    @Test(arguments: 0..<4)
    func `random operations give the same bytes as an array`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let buffer = ByteBuffer(capacity: 0)
        var model: [UInt8] = []
        for step in 0..<4_000 {
            let bytes = (0..<Int.random(in: 0...50, using: &generator)).map {
                UInt8(truncatingIfNeeded: $0 &+ step)
            }
            switch Int.random(in: 0..<7, using: &generator) {
            case 0:
                buffer.append(UInt8(truncatingIfNeeded: step))
                model.append(UInt8(truncatingIfNeeded: step))
            case 1, 2:
                buffer.append(contentsOf: bytes)
                model += bytes
            case 3:
                buffer.append(utf8: "é\(step)")
                model += Array("é\(step)".utf8)
            case 4:
                let count = Int.random(in: 0...buffer.count, using: &generator)
                buffer.consume(count)
                model.removeFirst(count)
            case 5:
                let count = Int.random(in: buffer.count / 2...buffer.count, using: &generator)
                buffer.truncate(to: count)
                model.removeLast(model.count - count)
            default:
                if step % 50 == 0 {
                    buffer.removeAll()
                    model = []
                }
            }
            guard buffer.array == model, buffer.count == model.count, buffer.isEmpty == model.isEmpty else {
                Issue.record("step \(step)")
                return
            }
        }
    }

    @Test(arguments: [0, 1, 9, 10, 99, 100, 12_345, Int64.max, -1, -10, Int64.min])
    func `integers are written in decimal`(value: Int64) {
        #expect(written { $0.append(decimal: value) } == "\(value)")
        #expect(written { $0.append(decimal: value.magnitude) } == "\(value.magnitude)")
    }

    @Test func `every power of ten and its neighbours are written in decimal`() {
        var power: UInt64 = 1
        while true {
            for value in [power - 1, power, power + 1] {
                #expect(written { $0.append(decimal: value) } == "\(value)")
            }
            let (next, overflow) = power.multipliedReportingOverflow(by: 10)
            if overflow { break }
            power = next
        }
        #expect(written { $0.append(decimal: UInt64.max) } == "\(UInt64.max)")
    }

    @Test func `every scalar is written like the standard library writes it`() {
        for number in stride(from: UInt32(0), through: 0x10_FFFF, by: 13) {
            guard let scalar = Unicode.Scalar(number) else { continue }
            guard written({ $0.append(scalar: number) }).unicodeScalars.elementsEqual([scalar]) else {
                Issue.record("\(number)")
                continue
            }
        }
    }

    @Test func `equal views have equal bytes and equal hashes`() {
        for length in 0..<40 {
            let bytes = (0..<length).map { UInt8($0) }
            ByteView.with(bytes) { left in
                ByteView.with(bytes + []) { right in
                    #expect(left == right && left.hash(seed: 7) == right.hash(seed: 7))
                }
                ByteView.with(bytes + [0]) { right in #expect(!(left == right) && left.hash() != right.hash())
                }
                for place in 0..<length {
                    var other = bytes
                    other[place] ^= 0x80
                    ByteView.with(other) { right in #expect(!(left == right) && left.hash() != right.hash()) }
                }
            }
        }
    }

    @Test func `slices of a view have its bytes`() {
        ByteView.with("abcdef") { view in
            #expect(
                view.slice(1..<3).string == "bc" && view.dropFirst(4).string == "ef"
                    && view.prefix(2).string == "ab"
            )
            #expect(view.offset(of: view.dropFirst(4)) == 4)
            #expect(view == "abcdef" && !(view == "abcdeF") && view.dropFirst(6).isEmpty)
            #expect(view.byteOrZero(5) == 0x66 && view.byteOrZero(6) == 0)
        }
        #expect(ByteView.with("") { $0.isEmpty } && ByteView.with([] as [UInt8]) { $0.isEmpty })
    }
}
