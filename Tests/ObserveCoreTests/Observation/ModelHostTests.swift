// SPDX-License-Identifier: MIT
// Hosts of models: notifications of assignments, and properties are read and assigned by name.

import Testing

@testable import ObserveCore
@testable import ObserveModels

@Suite struct ModelHostTests {
    private final class FakeHost: ModelHost {
        let heard = Heard()
        var models: [Int: any ObservableModel] = [:]

        func host(_ model: any ObservableModel, _ tag: Int) {
            models[tag] = model
            model.beginHosting(by: self, tag: tag)
        }

        func hosted(_ tag: Int, didAssign index: Int) {
            guard let model = models[tag] else { return }
            let name = model.propertyTable.properties[index].name
            heard.add("\(tag).\(name): \(text(model.value(ofProperty: index)))")
        }

        func commitWillNotify() { heard.add("commit") }
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

    @Test func `a host gets every assignment, and then the commit`() {
        let person = Person("Ada", "Lovelace")
        let observer = person.observe(\.fullName) { host.heard.add("observer \($0)") }
        host.host(person, 1)
        person.firstName = "Grace"
        person.firstName = "Grace"
        transaction {
            person.firstName = "Edsger"
            person.lastName += "!"
        }
        #expect(
            host.heard.popAll() == [
                "observer Ada Lovelace", "1.firstName: Grace", "commit", "observer Grace Lovelace",
                "1.firstName: Grace", "commit", "1.firstName: Edsger",
                "1.lastName: Lovelace!", "commit", "observer Edsger Lovelace!",
            ]
        )
        person.endHosting(by: host)
        person.firstName = "unseen"
        #expect(host.heard.popAll() == ["observer unseen Lovelace!"])
        withExtendedLifetime(observer) {}
    }

    @Test func `assignments of bindings belong to the commit`() {
        let source = Person("Ada", "")
        let target = Person("", "")
        let token = source.bind(\.firstName, to: target, at: \.lastName)
        host.host(source, 1)
        host.host(target, 2)
        source.firstName = "Grace"
        #expect(host.heard.popAll() == ["1.firstName: Grace", "2.lastName: Grace", "commit"])
        withExtendedLifetime(token) {}
    }

    @Test func `properties are read and assigned by name`() throws {
        let person = Person("Ada", "Lovelace")
        let observer = person.observe(\.fullName) { host.heard.add("observer \($0)") }
        let table = person.propertyTable
        let lastName = try #require(table.index(of: "lastName"))
        let manager = try #require(table.index(of: "manager"))
        #expect(person.value(ofProperty: lastName) as? String == "Lovelace")
        #expect(person.setValue("Byron", ofProperty: lastName))
        host.host(person, 1)
        let boss = Person("Charles", "Babbage")
        #expect(person.setValue(boss, ofProperty: manager))
        #expect(person.manager === boss)
        #expect(!person.setValue(7, ofProperty: lastName))
        #expect(!person.setValue(Player(""), ofProperty: manager))
        let none: Person? = nil
        #expect(person.setValue(none as Any, ofProperty: manager))
        #expect(person.manager == nil && person.lastName == "Byron")
        #expect(
            host.heard.popAll() == [
                "observer Ada Lovelace", "observer Ada Byron",
                "1.manager: ObserveCoreTests.Person", "commit",
                "1.manager: nil", "commit",
            ]
        )
        withExtendedLifetime((observer, boss)) {}
    }

    @Test func `a host is notified when a weak property's target is deinitialised`() {
        let person = Person("Ada", "Lovelace")
        var before: Person? = Person("Annabella", "Byron")
        person.manager = before
        host.host(person, 1)
        before = nil
        var after: Person? = Person("Charles", "Babbage")
        person.manager = after
        person.manager = Person("Unseen", "")
        person.manager = after
        after = nil
        person.endHosting(by: host)
        #expect(
            host.heard.popAll() == [
                "1.manager: nil", "commit", "1.manager: ObserveCoreTests.Person", "commit",
                "1.manager: ObserveCoreTests.Person", "commit",
                "1.manager: nil", "commit", "1.manager: ObserveCoreTests.Person", "commit",
                "1.manager: nil", "commit",
            ]
        )
    }

    @Test func `a host that waits for a target's end does not observe the target`() {
        let person = Person("Ada", "Lovelace")
        var manager: Person? = Person("Charles", "Babbage")
        person.manager = manager
        host.host(person, 1)
        #expect(manager?.observationStore.observations == 0)
        #expect(manager?.observationStore.observers == [])
        manager?.observationStore.removeAll()
        manager = nil
        #expect(host.heard.popAll() == ["1.manager: nil", "commit"])
    }

    @Test func `several hosts get changes in place`() {
        final class List: ObservableModel {
            let observationStore = ObservationStore()
            @Published var numbers = [1]
        }
        let list = List()
        let other = FakeHost()
        host.host(list, 3)
        other.host(list, 4)
        list.numbers.append(2)
        list.endHosting(by: host)
        list.numbers[0] = 5
        list.endHosting(by: other)
        list.numbers = []
        #expect(host.heard.popAll() == ["3.numbers: [1, 2]", "commit"])
        #expect(other.heard.popAll() == ["4.numbers: [1, 2]", "commit", "4.numbers: [5, 2]", "commit"])
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
