// SPDX-License-Identifier: MIT
// What a host of models is told and can do: names, priors, reading and assigning by name.

import Testing

@testable import ObserveCore

@Suite struct ModelHostTests {
    private final class FakeHost: ModelHost {
        let told = Heard()
        var models: [Int: any ObservableModel] = [:]

        func host(_ model: any ObservableModel, _ tag: Int) {
            models[tag] = model
            model.beginHosting(by: self, tag: tag)
        }

        func hosted(_ tag: Int, didAssign index: Int, prior: Any) {
            guard let model = models[tag] else { return }
            let name = model.propertyTable.properties[index].name
            told.add("\(tag).\(name): \(text(prior)) -> \(text(model.value(ofProperty: index)))")
        }

        func commitDidSettle() { told.add("commit") }

        func hostedDidEnd(_ tag: Int) { told.add("\(tag) is gone") }
    }

    private let host = FakeHost()

    @Test func `a table has the published properties, in order, superclasses first`() {
        class Base: ObservableModel {
            let observationStore = ObservationStore()
            @Published var first = 1
            var plain = 2
            @Published var second: String?
        }
        final class Derived: Base {
            let constant = "x"
            @WeakPublished var third: Player?
            @Published private var fourth = [1.5]
            var computed: Int { first }
            func use() { _ = fourth }
        }
        let table = Derived().propertyTable
        #expect(table === PropertyTable.of(Derived.self))
        #expect(table.properties.map(\.name) == ["first", "second", "third", "fourth"])
        #expect(
            table.properties.map { "\($0.valueType)" } == [
                "Int", "Optional<String>", "Optional<Player>", "Array<Double>",
            ]
        )
        #expect(table.index(of: "third") == 2 && table.index(of: "plain") == nil)
        for (index, property) in table.properties.enumerated() {
            #expect(table.index(of: property.key) == index)
        }
        let labels = Mirror(reflecting: Derived()).superclassMirror?.children.compactMap(\.label)
        #expect(labels == ["observationStore", "_first", "plain", "_second"])
    }

    @Test func `every assignment is told with what was there before, and then the commit`() {
        let person = Person("Ada", "Lovelace")
        let observer = person.observe(\.fullName) { host.told.add("observer \($0)") }
        host.host(person, 1)
        person.firstName = "Grace"
        person.firstName = "Grace"
        transaction {
            person.firstName = "Edsger"
            person.lastName += "!"
        }
        #expect(
            host.told.take() == [
                "observer Ada Lovelace", "1.firstName: Ada -> Grace", "commit", "observer Grace Lovelace",
                "1.firstName: Grace -> Grace", "commit", "1.firstName: Grace -> Edsger",
                "1.lastName: Lovelace -> Lovelace!", "commit", "observer Edsger Lovelace!",
            ]
        )
        person.endHosting()
        person.firstName = "unseen"
        #expect(host.told.take() == ["observer unseen Lovelace!"])
        withExtendedLifetime(observer) {}
    }

    @Test func `what bindings assign belongs to the commit`() {
        let source = Person("Ada", "")
        let target = Person("", "")
        let token = source.bind(\.firstName, to: target, at: \.lastName)
        host.host(source, 1)
        host.host(target, 2)
        source.firstName = "Grace"
        #expect(host.told.take() == ["1.firstName: Ada -> Grace", "2.lastName: Ada -> Grace", "commit"])
        withExtendedLifetime(token) {}
    }

    @Test func `reading and assigning by name`() throws {
        let person = Person("Ada", "Lovelace")
        let observer = person.observe(\.fullName) { host.told.add("observer \($0)") }
        let table = person.propertyTable
        let lastName = try #require(table.index(of: "lastName"))
        let manager = try #require(table.index(of: "manager"))
        #expect(person.value(ofProperty: lastName) as? String == "Lovelace")
        try person.setValue("Byron", ofProperty: lastName)
        host.host(person, 1)
        let boss = Person("Charles", "Babbage")
        try person.setValue(boss, ofProperty: manager)
        #expect(person.manager === boss)
        #expect(throws: PropertyError.typeMismatch(expected: "String", found: "Int")) {
            try person.setValue(7, ofProperty: lastName)
        }
        #expect(throws: PropertyError.typeMismatch(expected: "Optional<Person>", found: "Player")) {
            try person.setValue(Player(""), ofProperty: manager)
        }
        let nobody: Person? = nil
        try person.setValue(nobody as Any, ofProperty: manager)
        #expect(person.manager == nil && person.lastName == "Byron")
        #expect(
            host.told.take() == [
                "observer Ada Lovelace", "observer Ada Byron",
                "1.manager: nil -> ObserveCoreTests.Person", "commit",
                "1.manager: ObserveCoreTests.Person -> nil", "commit",
            ]
        )
        withExtendedLifetime((observer, boss)) {}
    }

    @Test func `a weak property that zeroes is told, whenever its target was assigned`() {
        let person = Person("Ada", "Lovelace")
        var before: Person? = Person("Annabella", "Byron")
        person.manager = before
        host.host(person, 1)
        before = nil
        var after: Person? = Person("Charles", "Babbage")
        person.manager = after
        person.manager = Person("Nobody", "")
        person.manager = after
        after = nil
        person.endHosting()
        #expect(
            host.told.take() == [
                "1.manager: nil -> nil", "commit", "1.manager: nil -> ObserveCoreTests.Person", "commit",
                "1.manager: ObserveCoreTests.Person -> ObserveCoreTests.Person", "commit",
                "1.manager: nil -> nil", "commit", "1.manager: nil -> ObserveCoreTests.Person", "commit",
                "1.manager: nil -> nil", "commit",
            ]
        )
    }

    @Test func `in place, and the end`() {
        final class List: ObservableModel {
            let observationStore = ObservationStore()
            @Published var numbers = [1]
        }
        var list: List? = List()
        if let list { list.beginHosting(by: host, tag: 3) }
        host.models[3] = nil
        if let list {
            host.models[3] = list
            list.numbers.append(2)
            list.numbers[0] = 5
            host.models[3] = nil
        }
        list = nil
        #expect(
            host.told.take() == [
                "3.numbers: [1] -> [1, 2]", "commit", "3.numbers: [1, 2] -> [5, 2]", "commit", "3 is gone",
                "commit",
            ]
        )
    }

    @Test func `a host is held weakly`() {
        let person = Person("Ada", "Lovelace")
        weak var former: FakeHost?
        do {
            let other = FakeHost()
            former = other
            other.host(person, 1)
            other.models = [:]
        }
        #expect(former == nil)
        person.firstName = "Grace"
    }
}
