// SPDX-License-Identifier: MIT
// Models that are released on other threads than their observers' actor.

import Testing

@testable import ObserveCore
@testable import ObserveModels

@Suite struct EndingElsewhereTests {
    /// Its end may be on any thread, and with it that of its model.
    @MainActor private final class Holder {
        var person: Person?
        init(_ person: Person) { self.person = person }
    }

    @MainActor private func releaseElsewhere(_ person: Person) async {
        await Task.detached { [holder = Holder(person)] in withExtendedLifetime(holder) {} }.value
    }

    @Test @MainActor func `an end reaches its observers on the main actor`() async {
        let heard = Heard()
        let other = Person("Grace", "Hopper")
        let note = { (line: String) in
            MainActor.preconditionIsolated()
            heard(line)
        }
        let tokens = await {
            let person = Person("Ada", "Lovelace")
            let tokens = [
                person.observe(\.firstName, options: [.new]) { note("\($0.reason)") },
                person.$lastName.observe({ note($0) }, onEnd: { note("end") }),
                person.$lastName.combineLatest(person.$firstName).observe(
                    { note("\($0)") },
                    onEnd: { note("both") }
                ),
                other.observe(\.manager?.firstName) { note($0 ?? "nil") },
            ]
            other.manager = person
            await releaseElsewhere(person)
            return tokens
        }()
        while tokens.contains(where: { $0 !== tokens[3] && $0.isActive }) { await Task.yield() }
        #expect(
            heard.popAll() == [
                "Lovelace", "(\"Lovelace\", \"Ada\")", "nil", "Ada", "sourceDeleted", "end", "both", "nil",
            ]
        )
        #expect(other.observationStore.observations == 1)
    }

    @Test @MainActor func `models end in a detached task while their observers are notified`() async {
        let other = Person("Grace", "Hopper")
        var managers = 0
        let token = other.observe(\.manager?.firstName) { if $0 != nil { managers += 1 } }
        var ends = 0
        for round in 0..<200 {
            let person = Person("\(round)", "")
            let ending = person.observe(\.firstName, options: []) { _ in ends += 1 }
            other.manager = person
            let holder = Holder(person)
            let task = Task.detached { withExtendedLifetime(holder) {} }
            for count in 0..<10 { other.firstName = "\(count)" }
            await task.value
            other.manager = nil
            withExtendedLifetime(ending) {}
        }
        #expect(managers == 200)
        withExtendedLifetime(token) {}
    }

    private actor Office {
        private(set) var lines: [String] = []
        private var tokens: [ObservationToken] = []

        func employ() -> Desk {
            let person = Person("Ada", "Lovelace")
            tokens.append(
                person.observe(\.firstName, options: [.new], on: self) { office, change in
                    office.lines.append("\(change.reason)")
                }
            )
            return Desk(person)
        }
    }

    /// Takes a model out of its actor.
    private final class Desk: Sendable {
        nonisolated(unsafe) private let person: Person
        init(_ person: Person) { unsafe self.person = person }
    }

    @Test func `an end reaches its observer on its actor`() async {
        let office = Office()
        var desk: Desk? = await office.employ()
        withExtendedLifetime(desk) {}
        desk = nil
        while await office.lines.isEmpty { await Task.yield() }
        #expect(await office.lines == ["sourceDeleted"])
    }
}
