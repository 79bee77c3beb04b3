// SPDX-License-Identifier: MIT
// Members of objects in which names repeat. Independent of what reads them.

import Testing

@testable import ObserveCore

struct JSONLastMembersTests {
    @Test func `of members with one name, the last value counts, at the first place`() {
        var generator = SeededGenerator(seed: 3)
        // Names are written with escapes or without.
        let names = (0..<40).map { ["n\($0)", "\\u006e\($0)"] }
        for count in 0..<120 {
            let chosen = (0..<count).map { _ in Int.random(in: 0..<40, using: &generator) }
            let text = chosen.enumerated().map { position, name in
                "\"\(names[name][Int.random(in: 0...1, using: &generator)])\":\(position)"
            }
            var expected: [(Int, Int)] = []
            for (position, name) in chosen.enumerated() {
                if let known = expected.firstIndex(where: { $0.0 == name }) {
                    expected[known].1 = position
                } else {
                    expected.append((name, position))
                }
            }
            let found = withView("{\(text.joined(separator: ","))}") { view in
                view.lastMembers.map { "\($0.name.decodedString())=\($0.value.view.string)" }
            }
            #expect(found == expected.map { "n\($0.0)=\($0.1)" })
        }
    }

    @Test func `objects in an object have each name once, too`() {
        for seed in 0..<200 {
            var generator = SeededGenerator(seed: UInt64(seed))
            let text = object(depth: 0, &generator)
            withView(text) { #expect(once($0.lastMembers) == onceNaively($0), "\(text)") }
        }
        let deep = String(repeating: #"{"a":1,"a":"#, count: 60) + "2" + String(repeating: "}", count: 60)
        withView(deep) { #expect(once($0.lastMembers) == onceNaively($0)) }
    }

    /// An object in which names repeat.
    private func object(depth: Int, _ generator: inout SeededGenerator) -> String {
        let names = ["", "a", "\\u0061", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"]
        let members = (0..<Int.random(in: 0...(depth == 0 ? 20 : 12), using: &generator)).map { number in
            let value =
                switch Int.random(in: 0..<6, using: &generator) {
                case 0 where depth < 3, 1 where depth < 3: object(depth: depth + 1, &generator)
                case 2: "[{\"a\": 1, \"a\": [ \(number) ] }]"
                case 3: " null "
                default: "\(number)"
                }
            return "\"\(names.randomElement(using: &generator) ?? "")\" :\(value)"
        }
        return "{ \(members.joined(separator: " ,")) }"
    }

    private func once(_ members: [JSONMember]) -> String {
        let texts = members.map {
            "\($0.name.decodedString())=\($0.value.kind == .object ? once($0.inner) : $0.value.view.string)"
        }
        return "{\(texts.joined(separator: ","))}"
    }

    private func onceNaively(_ json: JSONView) -> String {
        var last: [(name: String, value: JSONView)] = []
        for (name, value) in json.members {
            if let known = last.firstIndex(where: { $0.name == name.decodedString() }) {
                last[known].value = value
            } else {
                last.append((name.decodedString(), value))
            }
        }
        let texts = last.map { name, value in
            "\(name)=\(value.kind == .object ? onceNaively(value) : value.view.string)"
        }
        return "{\(texts.joined(separator: ","))}"
    }
}
