// SPDX-License-Identifier: MIT
// The first number is that of a present operand, and the least or the greatest.

import Testing

@testable import ObserveCore

@Suite struct ExtremeTests {
    private static var edges: [StoredValue] {
        [
            .int(.min), .int(.max), .int(.max - 1), .int(1 << 53), .int((1 << 53) + 1), .int(-(1 << 53) - 1),
            .int(0), .int(1),
            .double(0x1p63), .double(-0x1p63), .double(0x1p53), .double(-0.0), .double(1), .double(0.5),
            .double(-1e300),
            .null, .bool(true), .int(-7), .int(.min + 1), .double(.leastNonzeroMagnitude),
        ]
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `the first number is the extreme one`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var (least, greatest) = (Extreme.least, Extreme.greatest)
        var operands = ContiguousArray((0..<9).map { Operands.Operand(place: $0, value: .null) })
        for step in 0..<500 {
            let place = Int.random(in: 0..<9, using: &generator)
            let value = ExtremeTests.edges.randomElement(using: &generator) ?? .null
            operands[place].value = value
            least.add(value, at: UInt64(place), among: operands.count)
            greatest.add(value, at: UInt64(place), among: operands.count)
            if step % 3 == 0 { continue }
            let numbers = operands.map(\.value).filter(\.isNumber)
            let first = least.first(among: operands) { operands[Int($0)].value }
            let last = greatest.first(among: operands) { operands[Int($0)].value }
            #expect(first.isNumber == !numbers.isEmpty && last.isNumber == !numbers.isEmpty)
            #expect(!numbers.contains { $0.isLess(than: first) || last.isLess(than: $0) })
            for shown in [first, last] where shown.isNumber {
                #expect(numbers.contains { "\($0)" == "\(shown)" })
            }
        }
    }

    @Test func `numbers of former operands take bounded memory`() {
        var greatest = Extreme.greatest
        var operands: ContiguousArray = [Operands.Operand(place: 0, value: .int(0))]
        for number in 0..<1_000 {
            operands[0].value = .int(Int64(-number))
            greatest.add(operands[0].value, at: 0, among: 1)
            #expect(greatest.count <= 66)
            if number % 7 == 0 {
                #expect(greatest.first(among: operands) { _ in operands[0].value }.equals(operands[0].value))
            }
        }
    }

    @Test func `of equal numbers, the first is one that an operand has now`() {
        var least = Extreme.least
        var operands: ContiguousArray = [Operands.Operand(place: 0, value: .int(1))]
        _ = least.first(among: operands) { _ in operands[0].value }
        operands[0].value = .double(1)
        least.add(.double(1), at: 0, among: 1)
        guard case .double(1) = least.first(among: operands, now: { _ in operands[0].value }) else {
            Issue.record("the minimum is not the present number")
            return
        }
    }
}
