// SPDX-License-Identifier: MIT
// Compares what subscribers of random conditions and choices hear with a naive evaluation after each random change.

import Testing

@testable import ObserveCore

private struct SelectionRun: SeededRun {
    private struct Watched {
        let root: String
        let selection: NaiveSelection
        let condition: NaiveCondition?
        var values: [String: Value] = [:]

        var path: String { selection.path(root, condition) }
    }

    private(set) var fault: String?
    private var random: SeededGenerator
    private let client: FakeClient
    private let tree = NaiveModel()
    private var watched: [Int64: Watched] = [:]
    private var former: (revision: Int64, watched: [Int64: Watched])?
    private var log: [String] = []

    private static let object = #"{"a":{"on":true,"x":1,"s":"a"},"b":{"on":false,"x":2},"c":null}"#
    private static let array = #"[{"on":true,"x":1},{"x":5,"s":"é"},3]"#

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        client = FakeClient(Hub.with([]))
        write("set", #""path":"r","value":\#(Self.object)"#) { tree, revision in
            tree.set("r", NaiveNode(Self.value(Self.object), at: revision), at: revision)
        }
        write("set", #""path":"l","value":\#(Self.array)"#) { tree, revision in
            tree.set("l", NaiveNode(Self.value(Self.array), at: revision), at: revision)
        }
        for _ in 0..<6 { subscribe() }
    }

    private static func value(_ json: String) -> Value { (try? Value(json: json)) ?? .null }

    private mutating func below(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }

    private mutating func pick(_ choices: [String]) -> String { choices[below(choices.count)] }

    private mutating func scalar() -> String {
        pick(["true", "false", "null", "0", "1", "2", "7", "\"a\"", "\"é\"", "2.5"])
    }

    private mutating func element() -> String {
        below(4) == 0 ? scalar() : #"{"on":\#(pick(["true", "false"])),"x":\#(below(9)),"s":\#(scalar())}"#
    }

    // MARK: Subscribing

    private mutating func subscribe() {
        let selection = NaiveSelection.random(&random)
        var condition: NaiveCondition? = NaiveCondition(&random)
        if case .choice = selection, below(4) == 0 { condition = nil }
        let entry = Watched(root: pick(["r", "l"]), selection: selection, condition: condition)
        let path = Value.string(entry.path).json
        let lines = client.ask(#"{"id":1,"method":"subscribe","params":{"path":\#(path)}}"#)
        let answer = lines.first.map(Self.value) ?? .null
        guard let number = answer["result"]?["subscription"]?.int else {
            return fault = "\(entry.path): \(lines)"
        }
        watched[number] = entry
        if answer["result"]?["initial"]?.int != Int64(lines.count - 1) { fault = "a wrong count: \(lines)" }
        Self.apply(Array(lines.dropFirst()), to: &watched)
        check()
    }

    private mutating func unsubscribe() {
        guard let number = watched.keys.sorted().first else { return }
        watched[number] = nil
        _ = client.ask(#"{"id":1,"method":"unsubscribe","params":{"subscription":\#(number)}}"#)
    }

    private static func apply(_ lines: [String], to watched: inout [Int64: Watched]) {
        for line in lines where line.contains(#""method":"change""#) {
            let params = value(line)["params"] ?? .null
            guard let number = params["subscription"]?.int, let path = params["path"]?.string else {
                continue
            }
            let new = params["new"] ?? .null
            if new == .null {
                watched[number]?.values.removeValue(forKey: path)
            } else {
                watched[number]?.values[path] = new
            }
        }
    }

    // MARK: Writing

    private mutating func write(
        _ method: String,
        _ params: String,
        _ change: (NaiveModel, Int64) -> Void
    ) {
        log.append("\(method) \(params)")
        let lines = client.ask(#"{"id":1,"method":"\#(method)","params":{\#(params)}}"#)
        for line in lines {
            let result = Self.value(line)["result"] ?? .null
            if result["changed"] == true, let revision = result["revision"]?.int { change(tree, revision) }
        }
        Self.apply(lines, to: &watched)
    }

    mutating func step() {
        let name = pick(["a", "b", "c", "d"])
        switch below(12) {
        case 0: unsubscribe()
        case 1: subscribe()
        case 2:
            let json = element()
            write("set", #""path":"r.\#(name)","value":\#(json)"#) { tree, revision in
                guard case .model(let model) = tree.values["r"] else { return }
                model.set(name, NaiveNode(Self.value(json), at: revision), at: revision)
            }
        case 3:
            write("remove", #""path":"r.\#(name)""#) { tree, revision in
                guard case .model(let model) = tree.values["r"] else { return }
                model.set(name, nil, at: revision)
            }
        case 4:
            let (json, index) = (element(), below(3))
            write("insert", #""path":"l","value":\#(json),"index":\#(index)"#) { tree, revision in
                guard case .array(var elements) = tree.values["l"] else { return }
                elements.insert(NaiveNode(Self.value(json), at: revision), at: index)
                tree.set("l", .array(elements), at: revision)
            }
        case 5:
            let index = below(4)
            write("remove", #""path":"l.\#(index)""#) { tree, revision in
                guard case .array(var elements) = tree.values["l"] else { return }
                elements.remove(at: index)
                tree.set("l", .array(elements), at: revision)
            }
        case 6:
            let other = pick(["a", "b", "c", "d"])
            write("link", #""path":"r.\#(name)","target":"r.\#(other)""#) { tree, revision in
                guard case .model(let model) = tree.values["r"] else { return }
                model.set(name, model.values[other], at: revision)
            }
        case 7 where below(4) == 0:
            let json = pick([Self.object, "null", "{}"])
            write("set", #""path":"r","value":\#(json)"#) { tree, revision in
                tree.set("r", NaiveNode(Self.value(json), at: revision), at: revision)
            }
        default:
            let (place, member, json) = (
                pick(["r.a", "r.b", "r.d", "l.0", "l.1"]), pick(["on", "x", "s"]), scalar()
            )
            write("set", #""path":"\#(place).\#(member)","value":\#(json)"#) { tree, revision in
                let names = place.split(separator: ".").map(String.init)
                guard case .model(let model) = tree.values[names[0]]?.child(names[1]) else { return }
                model.set(member, .scalar(Self.value(json)), at: revision)
            }
        }
        check()
        if below(10) == 0 { former = (Int64(client.hub.tree.revision), watched) }
        if below(10) == 0 { resume() }
    }

    // MARK: Checking

    private mutating func check() {
        for (number, entry) in watched where fault == nil {
            let expected = entry.selection.values(entry.root, entry.condition, in: tree.values[entry.root])
            if entry.values != expected {
                fault =
                    "\(number) \(entry.path): heard \(entry.values), expected \(expected), after \(log.suffix(4))"
            }
            if !entry.selection.isPattern {
                let line = client.ask(
                    #"{"id":1,"method":"get","params":{"path":\#(Value.string(entry.path).json)}}"#
                )
                let read = Self.value(line.first ?? "")["result"]?["value"] ?? .null
                if read != expected[entry.path] ?? .null {
                    fault = "get \(entry.path): \(line), expected \(expected), after \(log.suffix(4))"
                }
            }
        }
        if fault == nil, let broken = client.hub.tree.faults().first {
            fault = "\(broken) after \(log.suffix(4))"
        }
    }

    /// Subscribes again from a former revision: the missed events must lead from the values then to those now.
    private mutating func resume() {
        guard let former else { return }
        for entry in former.watched.values where fault == nil {
            let other = FakeClient(client.hub, token: 2)
            let path = Value.string(entry.path).json
            let since = #"{"epoch":"\#(client.hub.journaling.epoch)","revision":\#(former.revision)}"#
            let lines = other.ask(
                #"{"id":1,"method":"subscribe","params":{"path":\#(path),"since":\#(since)}}"#
            )
            var resumed: [Int64: Watched] = [1: entry]
            Self.apply(lines, to: &resumed)
            let expected = entry.selection.values(entry.root, entry.condition, in: tree.values[entry.root])
            if lines.first?.contains(#""resumed":true"#) == true, resumed[1]?.values != expected {
                fault =
                    "\(entry.path) since \(former.revision): \(lines), from \(entry.values), expected \(expected), after \(log.suffix(8))"
            }
            other.close()
        }
    }

    mutating func finish() {
        client.close()
        if !client.hub.tree.selectionProperties.isEmpty { fault = "selections remain" }
        if fault == nil { fault = client.hub.tree.faults().first }
    }
}

@Suite struct SelectionRandomTests {
    @Test(.timeLimit(.minutes(15)), arguments: seeds(20, usually: 2))
    func `subscribers hear what a naive evaluation finds`(seed: UInt64) {
        var run = SelectionRun(seed: seed)
        run.run(seed: seed, steps: 150)
    }
}
