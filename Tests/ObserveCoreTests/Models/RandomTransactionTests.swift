// SPDX-License-Identifier: MIT
// Random transactions beside the same writes alone: the same tree, or no change at all. The events are net.

import Testing

@testable import ObserveCore

struct RandomTransactionTests {
    private static let roots = [
        ("t", #"{"a":{"x":1,"r":[1,{"x":2}]},"b":{"a":{"x":3}},"r":[{"x":1},[1,{"b":{"x":5}}],2],"x":1}"#),
        ("u", #"{"a":{"x":1}}"#),
    ]
    private static let watched = [
        "t", "t.a", "t.b", "t.x", "t.r", "t.a.x", "t.b.x", "t.a.r", "t.r.0", "t.r.0.x", "t.r.1", "t.r.1.0",
        "t.b.a.x",
        "t.a.r.1.x", "u", "u.a", "u.a.x", "u.b.a.x", "t.w", "t.w.x", "u.w.r", "t.r.2.b.x",
    ]

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `a transaction is its writes in order, or nothing`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let (one, many) = (Conversation(Self.roots), Conversation(Self.roots))
        for path in Self.watched { one.watch(path) }
        var seen = Dictionary(uniqueKeysWithValues: Self.watched.map { ($0, one.value($0)) })
        var (applied, refused) = (0, 0)
        for round in 0..<60 {
            if round % 5 == 4 {
                for (name, json) in Self.roots {
                    for talk in [one, many] { talk.ask("set", #"{"path":"\#(name)","value":\#(json)}"#) }
                }
                _ = one.events()
                seen = Dictionary(uniqueKeysWithValues: Self.watched.map { ($0, one.value($0)) })
            }
            let operations = (0..<Int.random(in: 1...5, using: &random)).map { _ in operation(&random) }
            let before = (one.revision, state(one))
            let answer = one.ask("transaction", #"{"operations":[\#(operations.joined(separator: ","))]}"#)
            let events = one.events()
            if answer.hasPrefix(#"{"code":"#) {
                refused += 1
                #expect((one.revision, state(one)) == before, "\(operations)")
                #expect(events.isEmpty, "\(operations)")
                continue
            }
            applied += 1
            for operation in operations { many.client.send(#"{"id":1,"# + operation.dropFirst()) }
            #expect(!many.client.take().contains { $0.contains(#""error":"#) }, "\(operations)")
            #expect(state(one) == state(many), "\(operations)")
            #expect(one.revision == before.0 + (answer.contains(#""changed":true,"results""#) ? 1 : 0))
            check(events, one, &seen, operations)
        }
        #expect(applied > 3 && refused > 3)
        for talk in [one, many] {
            talk.ask("remove", #"{"path":"t"}"#)
            talk.ask("remove", #"{"path":"u"}"#)
            #expect(talk.hub.tree.modelCount == 0)
        }
    }

    private func state(_ talk: Conversation) -> [String] {
        [talk.value("t"), talk.value("u"), "\(talk.hub.tree.modelCount)"] + Self.watched.map(talk.value)
    }

    /// Each path has at most one event; whole values are those that were there before and after.
    private func check(
        _ events: [String],
        _ talk: Conversation,
        _ seen: inout [String: String],
        _ operations: [String]
    ) {
        var told: Set<String> = []
        for event in events {
            guard let value = try? Value(json: Array("{\(event)}".utf8), maxDepth: 100),
                let path = value["path"]?.string
            else {
                Issue.record("\(event)")
                continue
            }
            #expect(told.insert(path).inserted, "\(event) after \(operations)")
            // That is told even where the value was null before.
            if value["reason"]?.string == "sourceDeleted" { seen[path] = nil }
            #expect(value["revision"]?.int == Int64(talk.revision))
            guard value["kind"] == nil else { continue }
            #expect(text(value["new"]) == talk.value(path), "\(event) after \(operations)")
        }
        for path in Self.watched {
            let now = talk.value(path)
            // A change inside a model is none of the model's own path.
            let isScalar =
                seen[path] != nil && !now.hasPrefix("{") && !now.hasPrefix("[")
                && seen[path]?.hasPrefix("{") != true
            if isScalar, seen[path]?.hasPrefix("[") != true {
                #expect(told.contains(path) == (seen[path] != now), "\(path) after \(operations)")
            }
            seen[path] = now
        }
    }

    private func text(_ value: Value?) -> String {
        let buffer = ByteBuffer()
        value?.write(to: buffer)
        return buffer.string
    }

    // MARK: Writes

    private func operation(_ random: inout SeededGenerator) -> String {
        let path = path(&random)
        let method: String
        var params = #""path":"\#(path)""#
        switch Int.random(in: 0..<16, using: &random) {
        case 0..<4:
            method = "set"
            params += #","value":\#(value(&random, 2))"#
            if Bool.random(using: &random) { params += #","parents":true"# }
        case 4..<7:
            method = "merge"
            params += #","value":{"\#(name(&random))":\#(value(&random, 1)),"\#(name(&random))":null}"#
        case 7: method = "remove"
        case 8..<11:
            method = "insert"
            if Bool.random(using: &random) {
                params += #","value":\#(value(&random, 1))"#
            } else {
                params += #","target":"\#(self.path(&random))""#
            }
            if Bool.random(using: &random) {
                params += #","index":\#(Int.random(in: 0...2, using: &random))"#
            }
        case 11..<13: method = "increment"
        default:
            method = "link"
            params += #","target":"\#(self.path(&random))""#
            if Bool.random(using: &random) { params += #","weak":true"# }
        }
        return #"{"method":"\#(method)","params":{\#(params)}}"#
    }

    private func path(_ random: inout SeededGenerator) -> String {
        let known = Self.watched[Int.random(in: 0..<Self.watched.count, using: &random)]
        return Int.random(in: 0..<4, using: &random) == 0 ? "\(known).\(name(&random))" : known
    }

    private func name(_ random: inout SeededGenerator) -> String {
        ["a", "b", "x", "r", "w", "0", "1"][Int.random(in: 0..<7, using: &random)]
    }

    private func value(_ random: inout SeededGenerator, _ depth: Int) -> String {
        switch Int.random(in: 0..<(depth > 0 ? 7 : 4), using: &random) {
        case 0: return "null"
        case 1: return "\(Int.random(in: 0...3, using: &random))"
        case 2: return #""s""#
        case 3: return "1.5"
        case 4: return "[\(value(&random, depth - 1)),\(value(&random, depth - 1))]"
        default:
            return #"{"\#(name(&random))":\#(value(&random, depth - 1)),"x":\#(value(&random, depth - 1))}"#
        }
    }
}
