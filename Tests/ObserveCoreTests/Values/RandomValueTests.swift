// SPDX-License-Identifier: MIT
// Random values written and parsed, and randomly damaged texts.

import Testing

@testable import ObserveCore

@Suite struct RandomValueTests {
    @Test(arguments: 0..<8)
    func `a written value parses to an equal value`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<250 {
            let value = randomValue(depth: 4, using: &generator)
            let text = value.json
            let back = try Value(json: text)
            #expect(back == value)
            #expect(back.json.utf8.elementsEqual(text.utf8))
            #expect(NaiveJSON.accepts(Array(text.utf8)))
        }
    }

    @Test(arguments: 0..<8)
    func `a changed part makes values unequal`(seed: UInt64) {
        var generator = SeededGenerator(seed: 100 + seed)
        for _ in 0..<250 {
            let value = randomValue(depth: 3, using: &generator)
            #expect([value, 1] != [value, 2])
            #expect(["a": value, "b": 1] != ["a": value, "c": 1])
            #expect(["a": [value, [[]]]] != ["a": [value, [[:]]]])
            #expect(["a": [value, [[]]]] == ["a": [value, [[]]]])
        }
    }

    /// The scanner, the value parser and the naive parser agree about every damaged text.
    @Test(arguments: 0..<8)
    func `all parsers agree about damaged texts`(seed: UInt64) {
        var generator = SeededGenerator(seed: 200 + seed)
        var valid = 0
        var invalid = 0
        for _ in 0..<600 {
            var bytes = Array(randomValue(depth: 3, using: &generator).json.utf8)
            for _ in 0..<Int.random(in: 1...3, using: &generator) { damage(&bytes, using: &generator) }
            let found = validate(bytes)
            found.isValid ? (valid += 1) : (invalid += 1)
            #expect(found.isValid == NaiveJSON.accepts(bytes), "\(bytes)")
            do throws(JSONError) {
                let value = try Value(json: bytes)
                #expect(found.isValid, "\(bytes)")
                #expect(value == (try? Value(json: value.json)))
            } catch {
                let isOutOfRange = [.integerOutOfRange, .doubleOutOfRange, .doubleTooSmall].contains(
                    error.reason
                )
                #expect(found.error == (isOutOfRange ? nil : error), "\(bytes)")
                #expect(error.offset >= 0 && error.offset <= bytes.count)
            }
        }
        #expect(valid > 20 && invalid > 20)
    }

    private func damage(_ bytes: inout [UInt8], using generator: inout SeededGenerator) {
        let pieces =
            Array("[]{}\",:0123456789-+.eE \\u\ndtrfn".utf8) + [
                0x00, 0x7F, 0x80, 0xC3, 0xE2, 0xED, 0xF0, 0xFF,
            ]
        let piece = pieces.randomElement(using: &generator) ?? 0
        let index = Int.random(in: 0...bytes.count, using: &generator)
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: bytes.insert(piece, at: index)
        case 1: bytes.removeLast(bytes.count - index)
        case 2 where index < bytes.count: bytes.remove(at: index)
        case 3 where index < bytes.count: bytes[index] = UInt8.random(in: 0...255, using: &generator)
        case _ where index < bytes.count: bytes[index] = piece
        default: break
        }
    }
}
