// SPDX-License-Identifier: MIT
// Random texts, doubles and values.

@testable import ObserveCore

/// Text with controls, quotes and characters of one to four bytes.
func randomText(upTo limit: Int, using generator: inout SeededGenerator) -> String {
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...limit, using: &generator) {
        let range: ClosedRange<UInt32> =
            switch Int.random(in: 0..<8, using: &generator) {
            case 0: 0...0x1F
            case 1: 0x22...0x22
            case 2: 0x5C...0x5C
            case 3: 0x7F...0x7FF
            case 4: 0x800...0xFFFF
            case 5: 0x1_0000...0x10_FFFF
            default: 0x20...0x7E
            }
        if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &generator)) { text.append(scalar) }
    }
    return String(text)
}

/// A finite double: any bit pattern, a whole number, or one with few digits.
func randomDouble(_ round: Int, using generator: inout SeededGenerator) -> Double {
    switch round % 4 {
    case 0: return Double(Int64.random(in: -(1 << 54)...(1 << 54), using: &generator) >> (round % 50))
    case 1: return Double(Int.random(in: -9999...9999, using: &generator)) / 1000
    default:
        while true {
            let double = Double(bitPattern: generator.next())
            if double.isFinite { return double }
        }
    }
}

func randomValue(depth: Int, using generator: inout SeededGenerator) -> Value {
    switch Int.random(in: 0..<(depth > 0 ? 10 : 6), using: &generator) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &generator))
    case 2: return .int(Int64(bitPattern: generator.next()) >> Int64.random(in: 0..<64, using: &generator))
    case 3: return .double(randomDouble(Int.random(in: 0..<100, using: &generator), using: &generator))
    case 4, 5: return .string(randomText(upTo: 12, using: &generator))
    case 6, 7:
        let count = Int.random(in: 0...5, using: &generator)
        return .array((0..<count).map { _ in randomValue(depth: depth - 1, using: &generator) })
    default:
        var members = ValueMembers()
        for _ in 0..<Int.random(in: 0...(depth == 1 ? 40 : 5), using: &generator) {
            members[randomText(upTo: 3, using: &generator)] = randomValue(depth: depth - 1, using: &generator)
        }
        return .object(members)
    }
}
