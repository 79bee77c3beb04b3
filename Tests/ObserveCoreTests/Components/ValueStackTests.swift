// SPDX-License-Identifier: MIT
// A stack of temporary values behaves like an array, and its copies keep their values.

import Testing

@testable import ObserveCore

@Suite struct ValueStackTests {
    private func value(_ number: UInt64, _ generator: inout SeededGenerator) -> StackedValue {
        let time = MonotonicTime(nanoseconds: number)
        let term: Term =
            Bool.random(using: &generator) ? .owner(Int32(number)) : .time(time, milliseconds: 1)
        return StackedValue(number: number, term: number == 0 ? nil : term)
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func `a stack agrees with an array`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var stack = ValueStack()
        var model: [StackedValue] = []
        var last: UInt64 = 0
        for _ in 0..<2_000 {
            let (former, formerNumbers) = (stack, model.map(\.number))
            switch Int.random(in: 0..<(seed % 2 == 0 ? 3 : 2), using: &generator) {
            case 1 where !model.isEmpty:
                let removed = model.remove(at: Int.random(in: model.indices, using: &generator))
                stack.remove(removed.number)
            case 2 where !model.isEmpty:
                let index = Int.random(in: model.indices, using: &generator)
                model[index].isWeak.toggle()
                stack.update(model[index])
            default:
                let fresh = value(last, &generator)
                last += 1
                model.append(fresh)
                stack.append(fresh)
            }
            #expect(stack.map(\.number) == model.map(\.number))
            #expect(stack.map(\.isWeak) == model.map(\.isWeak))
            #expect(stack.count == model.count)
            #expect(stack.first?.number == model.first?.number && stack.last?.number == model.last?.number)
            #expect(stack.lastTimed?.number == model.last(where: \.isTimed)?.number)
            #expect(former.map(\.number) == formerNumbers)
        }
        for known in model { #expect(stack[known.number]?.number == known.number) }
        #expect(stack[last] == nil)
    }
}
