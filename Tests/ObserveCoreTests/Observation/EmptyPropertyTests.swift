// SPDX-License-Identifier: MIT
// Published properties whose values take no memory. Their storage has no address of its own.

import Testing

@testable import ObserveCore
@testable import ObserveModels

@Suite struct EmptyPropertyTests {
    private enum Only: Equatable { case one }
    private struct Empty {}

    private final class Player: ObservableModel {
        let observationStore = ObservationStore()
        @Published var started: Void
        @Published var position = 0
        @Published var stopped: Void
        @Published var mode = Only.one
        @Published var nothing = Empty()
        @Published var title = ""

        init() {
            started = ()
            stopped = ()
        }
    }

    private let heard = Heard()

    @Test func `empty properties notify of their own assignments alone`() {
        let player = Player()
        let tokens = [
            player.observe(\.started) { _ in heard("started") },
            player.observe(\.stopped) { _ in heard("stopped") },
            player.observe(\.nothing) { _ in heard("nothing") },
            player.observe(\.position) { heard("position", $0) },
            player.observe(\.title) { heard("title", $0) },
            player.observe(\.mode, options: [.new]) { heard("mode", $0.new as Any) },
        ]
        #expect(heard.popAll() == ["started", "stopped", "nothing", "position: 0", "title: "])
        player.started = ()
        player.position = 1
        player.stopped = ()
        player.nothing = Empty()
        player.mode = .one
        player.title = "Alien"
        #expect(
            heard.popAll() == ["started", "position: 1", "stopped", "nothing", "mode: one", "title: Alien"]
        )
        withExtendedLifetime(tokens) {}
    }

    @Test func `changedAt names an empty property`() {
        let player = Player()
        let tokens = [
            player.observe(\.mode, options: [.prior, .new, .old]) { heard.change($0) },
            player.observe(\.nothing, options: []) { heard.change($0) },
            player.observe(\.stopped, options: []) { heard.change($0) },
        ]
        player.mode = .one
        player.nothing = Empty()
        player.stopped = ()
        #expect(
            heard.popAll() == [
                "valueChanged prior one -> at Player.mode", "valueChanged one -> one at Player.mode",
                "valueChanged at Player.nothing", "valueChanged at Player.started or stopped",
            ]
        )
        withExtendedLifetime(tokens) {}
    }

    @Test func `the publisher of an empty property has its assignments alone`() {
        let player = Player()
        let tokens = [
            player.$mode.dropFirst().observe { heard("mode", $0) },
            player.$nothing.dropFirst().observe { _ in heard("nothing") },
            player.$position.dropFirst().observe { heard("position", $0) },
        ]
        player.started = ()
        player.mode = .one
        player.position = 1
        player.stopped = ()
        player.nothing = Empty()
        #expect(heard.popAll() == ["mode: one", "position: 1", "nothing"])
        withExtendedLifetime(tokens) {}
    }

    @Test(.startsProcess) func `the publishers of several properties of one empty type are refused in words`()
        async
    {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let player = Player()
            _ = player.$started
        }
        let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            words.contains("Player has several published properties of one empty type: started, stopped.")
        )
    }

    @Test func `a class whose last property is empty, and its subclass`() {
        class Base: ObservableModel {
            let observationStore = ObservationStore()
            @Published var count = 0
            @Published var end: Void = ()
        }
        final class Derived: Base {
            @Published var first = Only.one
            @Published var number = 0
            @Published var last: Void = ()
        }
        let model = Derived()
        let tokens = [
            model.observe(\.end) { _ in heard("end") }, model.observe(\.last) { _ in heard("last") },
            model.observe(\.number) { heard("number", $0) },
            model.observe(\.first, options: []) { _ in heard("first") },
        ]
        _ = heard.popAll()
        model.end = ()
        model.first = .one
        model.number = 1
        model.last = ()
        #expect(heard.popAll() == ["end", "first", "number: 1", "last"])
        withExtendedLifetime(tokens) {}
    }

    @Test func `a table finds the property with a size at the offset of an empty one`() {
        let host = Assignments()
        let player = Player()
        player.beginHosting(by: host, tag: 0)
        player.position = 1
        player.title = "Alien"
        player.mode = .one
        let names = player.propertyTable.properties.map(\.name)
        #expect(names == ["started", "position", "stopped", "mode", "nothing", "title"])
        #expect(host.indexes.map { names[$0] } == ["position", "title", "mode"])
        player.endHosting(by: host)
    }

    private final class Assignments: ModelHost {
        var indexes: [Int] = []
        func hosted(_ tag: Int, didAssign index: Int) { indexes.append(index) }
        func commitWillNotify() {}
    }
}
