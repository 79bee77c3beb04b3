// SPDX-License-Identifier: MIT
// The order of bindings within a commit, and the end of their cycles.

import Testing

@testable import ObserveCore
@testable import ObserveModels

@Suite struct BindingRunsTests {
    private final class Cell: ObservableModel {
        let observationStore = ObservationStore()
        @Published var value: Int
        init(_ value: Int = 0) { self.value = value }
    }

    /// Cells whose values follow each other, and a total of all.
    private final class Chain: ObservableModel {
        let observationStore = ObservationStore()
        @Published var total = 0
        let cells: [Cell]
        var evaluations = 0
        private var tokens: [ObservationToken] = []

        init(count: Int, reversed: Bool) {
            cells = (0..<count).map { _ in Cell() }
            let sum = { [unowned self] in
                tokens.append(
                    bind(
                        { chain in
                            chain.evaluations += 1
                            return chain.cells.reduce(0) { $0 + $1.value }
                        },
                        to: self,
                        at: \.total
                    )
                )
            }
            if !reversed { sum() }
            let links = Array(zip(cells, cells.dropFirst()))
            for (cell, next) in reversed ? links.reversed() : links {
                tokens.append(cell.bind(\.value, to: next, at: \.value))
            }
            if reversed { sum() }
        }
    }

    @Test(arguments: [1, 2, 99, 100, 101, 200, 400], [false, true])
    func `a sum over a chain is complete in the commit of the first cell`(count: Int, reversed: Bool) {
        let chain = Chain(count: count, reversed: reversed)
        var totals: [Int] = []
        let token = chain.observe(\.total) { totals.append($0) }
        for value in 1...4 { chain.cells[0].value = value }
        #expect(totals == (0...4).map { $0 * count })
        withExtendedLifetime(token) {}
    }

    @Test func `a binding runs once in a commit as soon as the order is known`() {
        let chain = Chain(count: 200, reversed: false)
        chain.cells[0].value = 1
        for value in 2...4 {
            chain.evaluations = 0
            chain.cells[0].value = value
            #expect(chain.evaluations == 1)
        }
        #expect(chain.total == 800)
    }

    @Test func `bindings that a commit made stale in the wrong order run in the right one`() {
        let cells = (0..<4).map { _ in Cell() }
        var runs: [String] = []
        let sum = cells[0].bind(
            { _ in
                runs.append("sum")
                return cells[1].value + cells[2].value
            },
            to: cells[3],
            at: \.value
        )
        let tokens = [
            cells[1].bind(
                {
                    runs.append("copy")
                    return $0.value
                },
                to: cells[2],
                at: \.value
            ), sum,
        ]
        cells[1].value = 1
        runs = []
        cells[1].value = 2
        #expect(runs == ["copy", "sum"])
        #expect(cells[3].value == 4)
        withExtendedLifetime(tokens) {}
    }

    @Test func `a cycle continues until its values agree`() {
        let wish = Cell()
        let level = Cell()
        var tokens = [
            wish.bind(\.value, to: level, at: \.value),
            level.bind({ min($0.value, 11) }, to: wish, at: \.value),
        ]
        wish.value = 20
        #expect((wish.value, level.value) == (11, 11))
        tokens.append(level.bind({ max($0.value - 1, 3) }, to: wish, at: \.value))
        wish.value = 50
        #expect((wish.value, level.value) == (3, 3))
    }

    @Test func `two publishers that are assigned to each other agree at once`() {
        let (one, two, three) = (Cell(), Cell(), Cell())
        let (notes, heard) = (Notes(), Heard())
        notes.whileReceiving {
            one.$value.assign(to: &two.$value)
            two.$value.map {
                heard("run", $0); return $0
            }.assign(to: &one.$value)
            let tokens = [
                two.$value.assign(to: \.value, on: three), three.$value.assign(to: \.value, on: two),
                one.$value.observe { heard("one", $0) }, two.$value.observe { heard("two", $0) },
            ]
            one.value = 5
            #expect((one.value, two.value, three.value) == (5, 5, 5))
            _ = heard.popAll()
            two.value = 7
            #expect((one.value, two.value, three.value) == (7, 7, 7))
            // An equal assignment reaches all of them too.
            three.value = 7
            #expect(heard.popAll().filter { $0.hasPrefix("run") }.count <= 6)
            withExtendedLifetime(tokens) {}
        }
        #expect(notes.all == [])
    }

    @Test func `a cycle that never agrees ends after a hundred rounds, and debug builds name it`() {
        let notes = Notes()
        let cells = (0..<3).map { _ in Cell() }
        let tokens = (0..<3).map { index in
            cells[index].bind({ $0.value + 1 }, to: cells[(index + 1) % 3], at: \.value)
        }
        let other = Cell()
        let token = cells[2].bind(\.value, to: other, at: \.value)
        notes.whileReceiving { cells[0].value = 1_000_000 }
        // The first binding ran once because of the assignment, and a hundred times because of itself.
        #expect(cells.map(\.value) == [1_000_303, 1_000_301, 1_000_302])
        #expect(other.value == cells[2].value)
        #expect(
            notes.all
                == Notes.inDebugBuilds(
                    "bindings do not agree after 100 rounds, so they stop: Cell.value → Cell.value → Cell.value → Cell.value"
                )
        )
        // The next commit begins again.
        notes.whileReceiving { cells[0].value = 0 }
        #expect(cells.map(\.value) == [303, 301, 302])
        withExtendedLifetime((tokens, token)) {}
    }

    @Test func `observers see a cycle and what follows from it as one change`() {
        let one = Cell()
        let two = Cell()
        let sum = Cell()
        let heard = Heard()
        let tokens = [
            one.bind({ $0.value + two.value }, to: sum, at: \.value),
            one.bind(\.value, to: two, at: \.value),
            two.bind(\.value, to: one, at: \.value),
            sum.observe({ "\(one.value) \(two.value) \($0.value)" }) { heard($0) },
        ]
        for value in 1...3 {
            one.value = value
            two.value = value + 10
        }
        #expect(heard.popAll() == ["0 0 0", "1 1 2", "11 11 22", "2 2 4", "12 12 24", "3 3 6", "13 13 26"])
        withExtendedLifetime(tokens) {}
    }
}
