// SPDX-License-Identifier: MIT
// The tree's containers: arena, hash index, name table.

import Testing

@testable import ObserveCore

private final class Tracked {
    let living: Counter
    init(_ living: Counter) {
        self.living = living
        living.value += 1
    }
    deinit { living.value -= 1 }
}

private final class Counter { var value = 0 }

@Suite struct RecordsTests {
    @Test func `an arena reuses a freed number with a blank record`() {
        var arena = Arena(blank: 0)
        let numbers = (0..<3000).map { _ in arena.allocate() }
        #expect(numbers.map(\.index) == Array(0..<3000))
        for number in numbers { arena[number] = number.index * 2 }
        #expect(numbers.allSatisfy { arena[$0] == $0.index * 2 })
        arena.free(7)
        arena.free(2048)
        #expect(arena.count == 2998)
        #expect(arena.allocatedCount == 3000)
        #expect([arena.allocate(), arena.allocate()] == [2048, 7])
        #expect((arena[7], arena[2048], arena[8]) == (0, 0, 16))
        #expect(arena.count == 3000)
    }

    @Test func `an arena releases the objects of freed records`() {
        let living = Counter()
        do {
            var arena: Arena<Tracked?> = Arena(blank: nil)
            for _ in 0..<2500 {
                let number = arena.allocate()
                arena[number] = Tracked(living)
            }
            #expect(living.value == 2500)
            for number in 0..<100 { arena.free(ID(index: number)) }
            #expect(living.value == 2400)
        }
        #expect(living.value == 0)
    }

    /// Few hashes make long probe runs, many make a large table.
    @Test(arguments: [1, 7, 64, 1 << 20])
    func `a hash index finds the same records as a dictionary`(hashes: UInt64) {
        var random = SeededGenerator(seed: hashes)
        var index = HashIndex<Int>()
        var hashOf: [ID<Int>: UInt64] = [:]
        let numbers = hashes < 10 ? 200 as Int32 : 3000
        for _ in 0..<20_000 {
            let number = ID<Int>.random(in: 0..<numbers, using: &random)
            if number == 0 { index.reserve(Int.random(in: 0..<300, using: &random)) }
            if let hash = hashOf.removeValue(forKey: number) {
                index.remove(hash, number)
                #expect(index.find(hash) { $0 == number } == nil)
            } else {
                let hash = random.next() % hashes &* 0x1_0000_0001
                index.insert(hash, number)
                hashOf[number] = hash
            }
            #expect(index.count == hashOf.count)
            let probe = ID<Int>.random(in: 0..<numbers, using: &random)
            guard let hash = hashOf[probe] else { continue }
            #expect(index.find(hash) { $0 == probe } == probe)
        }
        for (number, hash) in hashOf { #expect(index.find(hash) { $0 == number } == number) }
    }

    @Test func `a hash index compares only records with the same hash`() {
        var index = HashIndex<Int>()
        for number in 0..<1000 { index.insert(UInt64(number), ID(index: number)) }
        var asked: [ID<Int>] = []
        #expect(
            index.find(500) {
                asked.append($0)
                return true
            } == 500
        )
        #expect(asked == [500])
        #expect(index.find(1001) { _ in true } == nil)
    }

    @Test func `a name is stored once, and freed with its last reference`() {
        var names = NameTable(seed: 3)
        let a = ByteView.with("title") { names.intern($0) }
        let b = ByteView.with("other") { names.intern($0) }
        #expect(ByteView.with("title") { names.intern($0) } == a)
        #expect(a != b)
        #expect(names.count == 2)
        #expect(names.text(a).string == "title")
        names.retain(a)
        names.release(a)
        names.release(a)
        #expect(ByteView.with("title") { names.find($0) } == a)
        names.release(a)
        #expect(ByteView.with("title") { names.find($0) } == nil)
        #expect(names.count == 1)
        #expect(names.text(b).string == "other")
    }

    @Test func `the name table predicts only the next name`() {
        var names = NameTable(seed: 3)
        let texts = ["a", "b", "title", "a name that is longer than its record"]
        func intern(_ text: String, after last: NameID) -> NameID {
            ByteView.with(text) { names.intern($0, after: last) }
        }
        var last: NameID = .noRecord
        for text in texts { last = intern(text, after: last) }
        #expect(names.count == 4)
        let numbers = texts.map { text in ByteView.with(text) { names.find($0) } ?? .noRecord }
        for last in [.noRecord] + numbers {
            for (text, number) in zip(texts, numbers) { #expect(intern(text, after: last) == number) }
        }
        // Each has six references: of the first model, and of one after each of five.
        for _ in 0..<6 { for number in numbers { names.release(number) } }
        #expect(names.count == 0)
        // The numbers are free, and their records keep their old content.
        let fresh = intern("b", after: numbers[0])
        #expect(names.count == 1 && names.text(fresh).string == "b")
    }

    @Test func `names differ by their Unicode scalars`() {
        var names = NameTable(seed: 3)
        let texts = ["e\u{301}", "\u{e9}", "E", "e", "a", "aa", "\u{0}", "\u{0}\u{0}"]
        let numbers = texts.map { ByteView.with($0) { names.intern($0) } }
        #expect(Set(numbers).count == texts.count)
        for (text, number) in zip(texts, numbers) {
            #expect(names.text(number).array == Array(text.utf8))
        }
    }

    /// Records store short names inline.
    @Test func `the name table stores names of any length`() {
        var names = NameTable(seed: 3)
        let texts = [0, 1, 15, 16, 17, 300].map { String(repeating: "n", count: $0) }
        let numbers = texts.map { ByteView.with($0) { names.intern($0) } }
        #expect(numbers.map { names.text($0).string } == texts)
        #expect(texts.map { ByteView.with($0) { names.find($0) } } == numbers)
        for number in numbers.reversed() { names.release(number) }
        #expect(texts.allSatisfy { ByteView.with($0) { names.find($0) } == nil })
    }

    @Test func `the tree frees unused names`() {
        var names = NameTable(seed: 9)
        for round in 0..<2000 {
            let id = ByteView.with("name\(round)") { names.intern($0) }
            names.release(id)
        }
        #expect(names.count == 0)
    }

    /// More than a record's counters hold, up and down across what they carry.
    @Test func `a name has any number of references and properties`() {
        var names = NameTable(seed: 1)
        let first = ByteView.with(Array("title".utf8)) { names.intern($0) }
        var (references, living) = (1, 0)
        var random = SeededGenerator(seed: 1)
        for target in [40_000, 100, 70_000, 8000, 8300, 16_400, 1] {
            while references < target {
                names.retain(first)
                references += 1
                if Bool.random(using: &random) {
                    names.addLiving(first)
                    living += 1
                }
            }
            while references > target {
                if living > 0, Bool.random(using: &random) {
                    names.removeLiving(first)
                    living -= 1
                }
                names.release(first)
                references -= 1
            }
            #expect(names.references(to: first) == references)
            #expect((names.livingBytes > 0) == (living > 0))
        }
        while living > 0 {
            #expect(names.livingBytes > 0)
            names.removeLiving(first)
            living -= 1
        }
        #expect(names.livingBytes == 0 && names.count == 1)
        names.release(first)
        #expect(names.count == 0)
    }
}
