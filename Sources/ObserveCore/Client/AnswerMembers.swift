// SPDX-License-Identifier: MIT
// The members of an answer in Swift types. Independent of methods.

/// An object of an answer. A missing member, or one of another type, is an error.
struct AnswerMembers {
    let value: Value

    init(_ value: Value) { self.value = value }

    func int(_ name: String) throws(ClientError) -> Int { Int(try required(name, value[name]?.int)) }
    func string(_ name: String) throws(ClientError) -> String { try required(name, value[name]?.string) }
    func bool(_ name: String) throws(ClientError) -> Bool { try required(name, value[name]?.bool) }
    func double(_ name: String) throws(ClientError) -> Double { try required(name, value[name]?.double) }

    func unsigned(_ name: String) throws(ClientError) -> UInt64 {
        try required(name, value[name]?.int.flatMap { UInt64(exactly: $0) })
    }

    func member(_ name: String) throws(ClientError) -> AnswerMembers {
        AnswerMembers(try required(name, value[name]))
    }

    /// The elements of an array, each as `body` reads it.
    func list<Element>(
        _ name: String,
        _ body: (AnswerMembers) throws(ClientError) -> Element
    ) throws(ClientError) -> [Element] {
        var elements: [Element] = []
        for element in try required(name, value[name]?.array) {
            elements.append(try body(AnswerMembers(element)))
        }
        return elements
    }

    func required<Member>(_ name: String, _ member: Member?) throws(ClientError) -> Member {
        guard let member else { throw .malformed("an answer without \(name)") }
        return member
    }
}
