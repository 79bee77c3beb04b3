// SPDX-License-Identifier: MIT
// A heap gives its smallest element first.

import Testing

@testable import ObserveModels

@Suite struct HeapTests {
    @Test func `elements leave in order`() {
        var generator = SeededGenerator(seed: 1)
        var heap = Heap<Int>()
        var model: [Int] = []
        for _ in 0..<2_000 {
            if model.isEmpty || Int.random(in: 0..<3, using: &generator) > 0 {
                let element = Int.random(in: 0..<100, using: &generator)
                heap.insert(element)
                model.append(element)
                model.sort()
            } else {
                #expect(heap.removeFirst() == model.removeFirst())
            }
            #expect(heap.first == model.first && heap.count == model.count)
        }
    }

    @Test func `a filter keeps one of equal elements`() {
        var heap = Heap<Int>()
        for element in [5, 3, 8, 3, 1, 8] { heap.insert(element) }
        heap.filter { $0 > 1 }
        #expect((0..<3).map { _ in heap.removeFirst() } == [3, 5, 8])
        #expect(heap.first == nil)
    }
}
