// SPDX-License-Identifier: MIT
// Random writes and reverts of any commit, with restarts: what came back, and the past, compared by identity.

import Testing

@testable import ObserveCore

@Suite struct RevertingRandomTests {
    @Test(arguments: seeds(10, usually: 1))
    func `a revert gives what the commit changed its former values`(seed: UInt64) throws {
        var run = try RevertingRun(seed: seed)
        run.run(seed: seed, steps: 500)
        #expect(run.reverted > 60 && run.refused > 10, "\(run.reverted) reverted, \(run.refused) refused")
    }
}

/// All properties that a walk from the roots finds: by the instance of their model and their name.
private typealias Shot = [String: String]

extension ModelTree {
    fileprivate var shot: Shot {
        var shot: Shot = [:]
        var seen: Set<ModelID> = [records.root]
        var pending = [records.root]
        while let model = pending.popLast() {
            var id = records.models[model].first
            while id != .noRecord {
                let name = records.names.text(records.properties[id].name).string
                let (isWeak, value) = (records.properties[id].isWeak, records.properties[id].value)
                let mark = records.properties[id].flags.contains(.computed) ? "=" : isWeak ? "~" : ""
                shot["\(records.models[model].instance).\(name)"] = mark + text(of: value)
                if !isWeak { visit(value) { if seen.insert($0).inserted { pending.append($0) } } }
                id = records.properties[id].next
            }
        }
        return shot
    }

    private func text(of value: StoredValue) -> String {
        switch value {
        case .model(let model): return "model \(records.models[model].instance)"
        case .array(let array): return "[" + array.elements.map { text(of: $0) }.joined(separator: ",") + "]"
        default:
            let out = ByteBuffer()
            value.writeScalar(to: out)
            return out.string
        }
    }

    private func visit(_ value: StoredValue, _ body: (ModelID) -> Void) {
        switch value {
        case .model(let model): body(model)
        case .array(let array): for element in array.elements { visit(element, body) }
        default: return
        }
    }
}

private struct RevertingRun: SeededRun {
    private static let types = [
        TypeDeclaration(
            "T",
            "x: Int",
            "m: T?",
            "w: weak T?",
            "list: [T]",
            "sum: computed Int? = {x + (m.x ?? 0)}",
            "who: computed T? = {m}",
            "count: computed Int? = {list.@count[x > 1]}"
        )
    ]

    let journaled: JournaledHub
    private var shots: [UInt64: Shot] = [:]
    var random: SeededGenerator
    let isBound: Bool
    var fault: String?
    var log: [String] = []
    var reverted = 0
    var refused = 0

    var tree: ModelTree { journaled.tree }

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        journaled = try JournaledHub(declaring: {
            if let fault = $0.declare(Self.types).first { throw fault }
            try $0.declare(root: "t", type: "T")
        })
        journaled.ask("set", #""path":"t","value":{"x":1}"#)
        isBound = seed % 3 == 0
        journaled.ask("set", #""path":"a","value":{"m":{"k":1},"r":[1,[2,3],{"k":4}]}"#)
        journaled.ask("set", #""path":"s","value":{"n":0}"#)
        if isBound {
            for (source, target) in [("a.m.k", "s.bound"), ("b.m", "s.link")] {
                journaled.ask("bind", #""source":"\#(source)","target":"\#(target)","twoWay":true"#)
            }
        }
        shots[tree.revision] = tree.shot
    }

    mutating func below(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }
    mutating func pick<T>(_ choices: [T]) -> T { choices[below(choices.count)] }

    mutating func step() {
        if below(3) > 0 { write() } else { revert() }
        if below(60) == 0 { restart() }
        if fault == nil { comparePast() }
        if fault == nil, below(5) == 0 {
            let faults = tree.faults()
            if !faults.isEmpty { fault = "\(faults)" }
        }
        if fault != nil { fault = "\(fault ?? "")\n" + log.suffix(15).joined(separator: "\n") }
    }

    private mutating func ask(_ method: String, _ params: String) -> String {
        log.append("\(tree.revision) \(method) \(params)")
        let answer = journaled.ask(method, params)
        if shots[tree.revision] == nil { shots[tree.revision] = tree.shot }
        return answer
    }

    // MARK: Writing

    private mutating func model(_ depth: Int = 0) -> String {
        var members = [#""k":\#(scalar())"#]
        if depth < 2, below(2) == 0 { members.append(#""m":\#(model(depth + 1))"#) }
        if depth < 2, below(2) == 0 { members.append(#""n":\#(model(depth + 1))"#) }
        if depth == 0, below(2) == 0 { members.append(#""r":[1,[2,\#(scalar())],\#(model(2))]"#) }
        return "{\(members.joined(separator: ","))}"
    }

    private mutating func typed(_ depth: Int = 0) -> String {
        var members = [#""x":\#(below(4))"#]
        if depth < 2, below(2) == 0 { members.append(#""m":\#(typed(depth + 1))"#) }
        if depth < 1, below(2) == 0 { members.append(#""list":[\#(typed(2)),\#(typed(2))]"#) }
        return "{\(members.joined(separator: ","))}"
    }

    private mutating func scalar() -> String { pick(["0", "1", "2.5", "null", "true", #""text""#]) }

    private mutating func operation() -> String {
        func call(_ method: String, _ path: String, _ rest: String = "") -> String {
            #""method":"\#(method)","params":{"path":"\#(path)"\#(rest)}"#
        }
        switch below(26) {
        case 0..<4:
            return call(
                "set",
                pick(["a.x", "a.m.k", "a.m.n.k", "b.m.k", "a.w.k"]),
                #","value":\#(scalar())"#
            )
        case 4..<7: return call("set", pick(["a.m", "a.m.n", "b.m", "a.r.1"]), #","value":\#(model())"#)
        case 7: return call("set", pick(["a", "b"]), #","value":\#(model())"#)
        case 8: return call("set", pick(["a.m", "b", "b.l"]), #","value":null"#)
        case 9: return call("set", pick(["a.r", "a.m.r"]), #","value":[\#(scalar()),\#(model(1))]"#)
        case 10: return call("set", pick(["a.r.0", "a.r.1", "a.r.0.1"]), #","value":\#(scalar())"#)
        case 11..<13: return call("insert", pick(["a.r", "a.r.0"]), #","value":\#(scalar()),"index":0"#)
        case 13..<16: return call("remove", pick(["a.m", "b.m", "a.r.0", "a.r.1", "b.l", "a.m.k", "a"]))
        case 16..<18:
            return call(
                "link",
                pick(["b.l", "a.m", "a.r.0", "b.m"]),
                #","target":"\#(pick(["a.m", "b.m", "a.m.n"]))""#
            )
        case 18: return call("link", "a.w", #","target":"\#(pick(["a.m", "b.m"]))","weak":true"#)
        case 19: return call("merge", pick(["a", "a.m"]), #","value":{"k":\#(scalar()),"m":{"k":1}}"#)
        case 20: return call("set", pick(["t.x", "t.m.x", "t.list.0.x"]), #","value":\#(below(4))"#)
        case 21: return call("set", pick(["t.m", "t.m.m", "t"]), #","value":\#(typed())"#)
        case 22: return call("set", pick(["t.m", "t.w", "t.m.m"]), #","value":null"#)
        case 23:
            return call(
                "link",
                pick(["t.w", "t.m.w"]),
                #","target":"\#(pick(["t.m", "t.list.0", "t.m.m"]))""#
            )
        case 24: return call("remove", pick(["t.list.0", "t.m"]))
        default: return call("set", "a.x", #","value":\#(scalar()),"lifetime":"connection""#)
        }
    }

    private mutating func write() {
        if below(3) > 0 {
            let text = operation()
            let parts = text.split(separator: #","params":{"#, maxSplits: 1)
            _ = ask(String(parts[0].dropFirst(10).dropLast()), String(parts[1].dropLast()))
        } else {
            let operations = (0...below(4)).map { _ in "{\(operation())}" }.joined(separator: ",")
            _ = ask("transaction", #""operations":[\#(operations)]"#)
        }
    }

    // MARK: Reverting

    private mutating func revert() {
        let oldest = max(tree.records.horizon, tree.revision > 40 ? tree.revision - 40 : 0) + 1
        guard oldest <= tree.revision else { return }
        let revision = below(2) == 0 ? tree.revision : oldest + UInt64(below(Int(tree.revision - oldest) + 1))
        guard let before = shots[revision - 1], let after = shots[revision] else { return }
        let (present, now) = (tree.shot, tree.revision)
        let isForced = below(3) == 0
        let answer = ask("revert", #""revision":\#(revision),"force":\#(isForced)"#)
        guard answer.hasPrefix(#""result":"#) else {
            refused += 1
            let isExpected =
                answer.contains(#""code":4,"#) && !isForced && revision < now
                || answer.contains(#""code":7,"#)
            if !isExpected || tree.shot != present { fault = "revert \(revision): \(answer)" }
            return
        }
        reverted += 1
        let found = tree.shot
        if isBound { return }
        let models = Set(before.keys.map { $0.split(separator: ".")[0] })
        if revision == now {
            if found != before { fault = "revert \(revision): \(Self.difference(found, before))" }
            return
        }
        for key in Set(before.keys).union(after.keys) where before[key] != after[key] {
            let isComputed = (before[key] ?? after[key] ?? "").hasPrefix("=")
            let model = key.split(separator: ".")[0]
            // A model that the commit made, or that a later one released.
            let isThere = Self.hasModel(model, in: found)
            if isComputed || !models.contains(model) || !isThere { continue }
            let isDead = Self.isReleased(before[key] ?? "", found[key], in: found)
            // It changed again after a revert had brought it back: the commit only released it.
            if isForced, !after.keys.contains(where: { $0.hasPrefix("\(model).") }) { continue }
            if found[key] != before[key], !isDead {
                fault =
                    "revert \(revision): \(key) is \(found[key] ?? "absent"), and not \(before[key] ?? "absent")"
            }
        }
        if isForced { return }
        for (key, value) in present where before[key] == after[key] && !value.hasPrefix("=") {
            // The revert releases what the commit made, so a weak reference of a later commit is null.
            if let other = found[key], other != value, !Self.isReleased(value, other, in: found) {
                fault = "revert \(revision): \(key) is \(other), and not \(value)"
            }
        }
    }

    private static func hasModel(_ model: some StringProtocol, in shot: Shot) -> Bool {
        shot.keys.contains { $0.hasPrefix("\(model).") }
    }

    /// Whether a weak reference is null since its model is gone.
    private static func isReleased(_ former: String, _ present: String?, in shot: Shot) -> Bool {
        former.hasPrefix("~model ") && present == "~null" && !hasModel(former.dropFirst(7), in: shot)
    }

    private static func difference(_ found: Shot, _ expected: Shot) -> String {
        Set(found.keys).union(expected.keys).sorted().filter { found[$0] != expected[$0] }
            .map { "\($0): \(found[$0] ?? "absent"), and not \(expected[$0] ?? "absent")" }.joined(
                separator: "; "
            )
    }

    private mutating func comparePast() {
        let oldest = tree.records.horizon
        guard oldest <= tree.revision else { return }
        let revision = oldest + UInt64(below(Int(tree.revision - oldest) + 1))
        guard let expected = shots[revision] else { return }
        let found = tree.read(at: revision) { tree.shot }
        if found != expected { fault = "at \(revision): \(Self.difference(found, expected))" }
        if tree.shot != shots[tree.revision] { fault = "the present differs after a look at \(revision)" }
    }

    private mutating func restart() {
        if below(2) == 0 { do { try journaled.snapshot() } catch { fault = "\(error)" } }
        let (dump, hadTemporary) = (journaled.dump, !tree.stacks.byProperty.isEmpty)
        do { try journaled.restart() } catch { return fault = "restart: \(error)" }
        log.append("restart")
        // The end of a temporary value is a commit.
        if !hadTemporary, journaled.dump != dump { fault = "restart: \(journaled.dump), and not \(dump)" }
        shots = [tree.revision: tree.shot]
    }

    mutating func finish() {
        for root in ["a", "b", "s"] { _ = ask("remove", #""path":"\#(root)""#) }
        tree.forgetHistory()
        let faults = tree.faults()
        if !faults.isEmpty { fault = "at the end: \(faults)" }
    }
}
