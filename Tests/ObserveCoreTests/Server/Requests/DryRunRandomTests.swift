// SPDX-License-Identifier: MIT
// The same random requests to two hubs, with restarts. One of them makes dry runs and refused writes between them, which must
// leave nothing that a later request shows.

import Testing

@testable import ObserveCore

@Suite struct DryRunRandomTests {
    @Test(arguments: seeds(12, usually: 1))
    func `dry runs and refused writes change nothing that later requests show`(seed: UInt64) throws {
        var run = try DryRunTwins(seed: seed)
        run.run(seed: seed, steps: many(1_500, usually: 300))
        #expect(run.failing > 20 && run.dryRuns > 100, "\(run.failing) failing, \(run.dryRuns) dry runs")
    }
}

private struct DryRunTwins: SeededRun {
    private static let types = [
        TypeDeclaration(
            "T",
            "x: Int",
            "m: T?",
            "w: weak T?",
            "list: [T]",
            "sum: computed Int? = {x + (m.x ?? 0)}"
        )
    ]
    private static let ends = [
        ("a.x", "s.x"), ("a.r", "a.r.0"), ("s.x", "t.x"), ("a.r", "b.r"), ("b.r", "s.y.0.1"), ("a.m", "b.l"),
        ("t.sum", "s.sum"), ("a.none", "s.none"), ("b.l.k", "a.x"), ("s.y", "b.r.1"),
        ("t.m.x", "s.none"),
    ]
    private static let roots = ["a", "b", "s", "t"]

    let plain: JournaledHub
    let tried: JournaledHub
    var random: SeededGenerator
    var fault: String?
    var log: [String] = []
    private(set) var failing = 0
    private(set) var dryRuns = 0

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        func hub() throws -> JournaledHub {
            try JournaledHub(declaring: {
                if let fault = $0.declare(Self.types).first { throw fault }
                try $0.declare(root: "t", type: "T")
                ($0.records.limits.maxElements, $0.records.limits.maxDepth) = (12, 8)
            })
        }
        (plain, tried) = (try hub(), try hub())
        for (root, json) in [
            ("t", #"{"x":1,"m":{"x":2}}"#), ("a", #"{"x":1,"m":{"k":1},"r":[1,[2,3]]}"#), ("b", #"{"r":[]}"#),
            ("s", #"{"y":[[0,1],2]}"#),
        ] { _ = ask("set", #""path":"\#(root)","value":\#(json)"#) }
    }

    mutating func below(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }
    mutating func pick<T>(_ choices: [T]) -> T { choices[below(choices.count)] }

    mutating func step() {
        switch below(40) {
        case 0: restart()
        case 1..<5: bind()
        case 5: _ = ask("unbind", #""binding":\#(1 + below(12))"#)
        default:
            for _ in 0..<below(3) { tryOut() }
            let (method, params) = request()
            _ = ask(method, params)
        }
        if fault == nil { compare() }
        if fault != nil { fault = "\(fault ?? "")\n" + log.suffix(25).joined(separator: "\n") }
    }

    /// Sends the request to both.
    private mutating func ask(_ method: String, _ params: String) -> String {
        log.append("\(method) \(params)")
        let answers = (plain.ask(method, params), tried.ask(method, params))
        if answers.0 != answers.1 { fault = "\(answers.0), but behind a dry run \(answers.1)" }
        return answers.0
    }

    private mutating func bind() {
        let (source, target) = pick(Self.ends)
        let isTwoWay = source != "t.sum" && below(2) == 0
        _ = ask("bind", #""source":"\#(source)","target":"\#(target)","twoWay":\#(isTwoWay)"#)
    }

    /// Makes a dry run of another request, or a write that the tree has no room for.
    private mutating func tryOut() {
        let (method, params) = request()
        dryRuns += 1
        if below(3) > 0 {
            log.append("dry run: \(method) \(params)")
            _ = tried.ask(method, params + #","dryRun":true"#)
            return
        }
        let large =
            #"{"method":"set","params":{"path":"large","value":"\#(String(repeating: "long", count: 5000))"}}"#
        let first = method == "transaction" ? "" : #"{"method":"\#(method)","params":{\#(params)}},"#
        tried.tree.records.limits.maxTreeBytes = 1
        let answer = tried.ask("transaction", #""operations":[\#(first)\#(large)]"#)
        tried.tree.records.limits.maxTreeBytes = TreeLimits().maxTreeBytes
        log.append("refused: \(method) \(params)")
        if !answer.hasPrefix(#""error""#) { fault = "not refused: \(answer.prefix(200))" }
    }

    // MARK: Writing

    private mutating func scalar() -> String { pick(["0", "1", "2.5", "null", "true", #""text""#, "7"]) }

    private mutating func array() -> String {
        switch below(4) {
        case 0: return "[" + (0..<15).map { _ in "0" }.joined(separator: ",") + "]"
        case 1: return "[]"
        default: return "[\(scalar()),[\(scalar()),\(scalar())]]"
        }
    }

    private mutating func request() -> (method: String, params: String) {
        if below(6) == 0 {
            let operations = (0...below(3)).map { _ in operation() }
                .map { #"{"method":"\#($0.0)","params":{\#($0.1)}}"# }
            return ("transaction", #""operations":[\#(operations.joined(separator: ","))]"#)
        }
        return operation()
    }

    private mutating func operation() -> (method: String, params: String) {
        func call(_ method: String, _ path: String, _ rest: String = "") -> (String, String) {
            (method, #""path":"\#(path)"\#(rest)"#)
        }
        switch below(20) {
        case 0..<4:
            let path = pick(["a.x", "s.x", "a.m.k", "b.l.k", "s.none", "a.none", "a.r.1", "b.r.0", "s.y.0.1"])
            return call("set", path, #","value":\#(scalar())"#)
        case 4..<8:
            return call("set", pick(["a.r", "b.r", "s.y", "a.x", "s.x", "a.none"]), #","value":\#(array())"#)
        case 8: return call("set", pick(["a.m", "b.l"]), #","value":{"k":\#(scalar())}"#)
        case 9:
            return call(
                "set",
                pick(["a", "b", "s"]),
                #","value":{"x":\#(scalar()),"r":\#(array()),"y":[[0,1],2]}"#
            )
        case 10..<12: return call("set", pick(["t.x", "t.m.x"]), #","value":\#(below(4))"#)
        case 12: return call("set", "t.m", pick([#","value":{"x":3}"#, #","value":null"#]))
        case 13..<15: return call("insert", pick(["a.r", "b.r", "a.r.0"]), #","value":\#(scalar())"#)
        case 15: return call("remove", pick(["a.m", "b.l", "a.r.0", "b.r.0", "a.none", "s.none"]))
        case 16: return call("link", pick(["b.l", "a.m"]), #","target":"\#(pick(["a.m", "b.l"]))""#)
        case 17: return call("increment", pick(["a.x", "s.x", "t.x"]))
        case 18: return call("merge", pick(["a", "s"]), #","value":{"x":\#(scalar()),"none":\#(scalar())}"#)
        default:
            let path = pick(["a.x", "s", "b.r", "s.none"])
            return call("set", path, #","value":\#(scalar()),"lifetime":"connection""#)
        }
    }

    // MARK: Comparing

    private mutating func compare() {
        for root in Self.roots {
            let values = (plain.value(root), tried.value(root))
            if values.0 != values.1 { fault = "\(root) is \(values.0), but behind dry runs \(values.1)" }
        }
        let bindings = (plain.ask("bindings", ""), tried.ask("bindings", ""))
        if bindings.0 != bindings.1 { fault = "\(bindings.0), but behind dry runs \(bindings.1)" }
        failing += plain.tree.failingBindings
        guard below(5) == 0 else { return }
        let faults = plain.tree.faults() + tried.tree.faults()
        if !faults.isEmpty { fault = "\(faults)" }
    }

    private mutating func restart() {
        log.append("restart")
        do {
            try plain.restart()
            try tried.restart()
        } catch { fault = "restart: \(error)" }
    }

    mutating func finish() {
        for root in ["a", "b", "s"] { _ = ask("remove", #""path":"\#(root)""#) }
        compare()
    }
}
