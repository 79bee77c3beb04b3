// SPDX-License-Identifier: MIT
// The members of an answer in Swift types. Independent of methods.

/// An object of an answer. A missing member, or one of another type, is an error.
struct AnswerMembers {
    let value: Value

    init(_ value: Value) { self.value = value }

    func get<Member: ModelValue>(_ name: String) throws(ClientError) -> Member {
        try required(name, value[name].flatMap(Member.init(modelValue:)))
    }

    func unsigned(_ name: String) throws(ClientError) -> UInt64 {
        try required(name, value[name]?.int.flatMap { UInt64(exactly: $0) })
    }

    func member(_ name: String) throws(ClientError) -> AnswerMembers {
        AnswerMembers(try required(name, value[name]))
    }

    func list<Element>(
        _ name: String,
        _ body: (AnswerMembers) throws(ClientError) -> Element
    ) throws(ClientError) -> [Element] {
        try required(name, value[name]?.array).map { (element) throws(ClientError) in
            try body(AnswerMembers(element))
        }
    }

    private func required<Member>(_ name: String, _ member: Member?) throws(ClientError) -> Member {
        guard let member else { throw .malformed("an answer without \(name)") }
        return member
    }
}
