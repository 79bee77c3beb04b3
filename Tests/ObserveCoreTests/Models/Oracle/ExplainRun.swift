// SPDX-License-Identifier: MIT
// Compares `explain` with the oracle: random commits, bindings, expiries, loads and restarts of a hub with a journal.

@testable import ObserveCore

/// One run. The hub and the oracle execute the same requests, and the oracle says what explains each value.
final class ExplainRun {
    let seed: UInt64
    private let journaled: JournaledHub
    let oracle: ReferenceTree
    var writes: RandomWrites
    private var actors: [FakeClient] = []
    private var ends: Set<UInt64> = []
    private var lastBinding = 0
    private var log: [String] = []

    private(set) var commitCount = 0
    private(set) var restartCount = 0
    private(set) var loadCount = 0
    /// How many answers were compared, how many of them had an origin, and of those the origins' kinds.
    private(set) var comparedCount = 0
    private(set) var originCount = 0
    private(set) var origins: [String: Int] = [:]
    /// The reasons of each commit and path, how many the oracle has found itself, and how many steps at most.
    private var reasons: [String: Value] = [:]
    private(set) var chainCount = 0
    private(set) var longestChain = 0

    var hub: Hub { journaled.hub }

    init(seed: UInt64, _ features: OracleRun.Features) throws {
        self.seed = seed
        writes = RandomWrites(seed: seed)
        writes.lifetimes = 20
        let schema = features.contains(.types) ? writes.schema(hasComputed: true) : RefSchema()
        oracle = ReferenceTree(schema: schema)
        journaled = try JournaledHub(declaring: { try schema.declare(in: $0) })
        connect()
        if features.contains(.bindings) {
            writes.targetRoots = ["out0", "out1", "out2", "out3"]
            for root in writes.targetRoots {
                _ = execute([RefOperation(write: .set([root], .object([]), parents: false))], by: actors[0])
            }
        }
    }

    private func connect() {
        actors = (3...6).map { FakeClient(hub, token: $0) }
    }

    /// The time of day at the oracle's time 0.
    private static let start = TestClock().timeOfDay

    /// Makes that many commits. Returns the first difference, with the requests that led to it.
    func run(commits limit: Int) -> String? {
        while commitCount < limit {
            if let difference = step() { return report(difference) }
        }
        return compareAll().map(report)
    }

    private func step() -> String? {
        commitCount += 1
        if log.count > 60 { log.removeFirst(40) }
        let difference: String? =
            switch writes.below(100) {
            case 0..<3: writes.targetRoots.isEmpty ? nil : changeBindings()
            case 3..<5: disconnect(writes.below(actors.count))
            case 5..<13: pass(UInt64(writes.below(20)))
            case 13..<17: load()
            case 17: restart()
            default: commit()
            }
        if let difference { return difference }
        if hub.tree.revision != oracle.revision {
            return "the revision is \(hub.tree.revision), not \(oracle.revision)"
        }
        for _ in 0..<3 {
            if let difference = compare(writes.path(in: oracle)) { return difference }
        }
        return commitCount % 25 == 0 ? compareAll() : nil
    }

    private func report(_ difference: String) -> String {
        let bindings = oracle.bindings.map { "\n" + $0.text }.joined()
        let types = oracle.schema.types.map { type in
            "\n\(type.name): \(type.properties.map { "\($0.name) \($0.type.text) \($0.computed?.text ?? "")" })"
        }
        .joined()
        return "seed \(seed), commit \(commitCount): \(difference)\(bindings)\(types)\n"
            + log.suffix(30).joined(separator: "\n")
    }

    // MARK: Changes

    private func commit() -> String? {
        let actor = actors[writes.below(actors.count)]
        oracle.owner = actor.session.number
        oracle.author = .process(actor.session.author.process)
        let count = writes.chance(30) ? 1 + writes.below(6) : 1
        var operations: [RefOperation] = []
        oracle.begin()
        // Refused operations are left out: other tests compare refusals.
        for _ in 0..<20 where operations.count < count {
            var operation = distinctEnd(writes.operation(in: oracle))
            // Beyond the history, the hub knows less of removals than the oracle.
            operation.condition?.revision = nil
            if (try? oracle.execute(operation)) != nil { operations.append(operation) }
        }
        guard !operations.isEmpty else {
            oracle.rollBack()
            return nil
        }
        _ = oracle.end()
        return send(operations, by: actor)
    }

    private func execute(_ operations: [RefOperation], by actor: FakeClient) -> String? {
        oracle.owner = actor.session.number
        oracle.author = .process(actor.session.author.process)
        oracle.begin()
        for operation in operations where (try? oracle.execute(operation)) == nil {
            return "refused by the oracle"
        }
        _ = oracle.end()
        return send(operations, by: actor)
    }

    private func send(_ operations: [RefOperation], by actor: FakeClient) -> String? {
        let texts = operations.map { $0.json(asArray: false) }
        let request =
            texts.count == 1
            ? #"{"id":1,"# + texts[0].dropFirst()
            : #"{"id":1,"method":"transaction","params":{"operations":[\#(texts.joined(separator: ","))]}}"#
        return ask(request, actor)
    }

    private func ask(_ request: String, _ actor: FakeClient) -> String? {
        log.append("\(actor.session.author.process): \(request)")
        let answer = actor.ask(request).joined(separator: "\n")
        return answer.contains(#""result""#) ? nil : "refused: \(answer)"
    }

    /// The operation with a lifetime whose end is unique: equal ends expire in any order.
    private func distinctEnd(_ operation: RefOperation) -> RefOperation {
        guard case .milliseconds(var milliseconds) = operation.lifetime else { return operation }
        while !ends.insert(oracle.now + milliseconds).inserted { milliseconds += 1 }
        var operation = operation
        operation.lifetime = .milliseconds(milliseconds)
        return operation
    }

    private func pass(_ milliseconds: UInt64) -> String? {
        log.append("\(milliseconds) ms")
        let end = oracle.now + milliseconds
        let due = oracle.terms.compactMap { if case .time(let time) = $0, time <= end { time } else { nil } }
        for time in due.sorted() {
            journaled.clock.pass(milliseconds: time - oracle.now, in: hub)
            oracle.now = time
            oracle.end(.time(time))
        }
        journaled.clock.pass(milliseconds: end - oracle.now, in: hub)
        oracle.now = end
        return nil
    }

    private func disconnect(_ index: Int) -> String? {
        let gone = actors[index]
        log.append("\(gone.session.author.process) disconnects")
        oracle.end(.owner(gone.session.number))
        gone.close()
        actors[index] = FakeClient(hub, token: gone.session.token)
        return nil
    }

    /// Loads JSON at a path, which is a `set` there.
    private func load() -> String? {
        let actor = actors[writes.below(actors.count)]
        let names = writes.path(in: oracle)
        let draft = writes.draft(2, isCrowded: false)
        oracle.author = .process(actor.session.author.process)
        oracle.begin()
        guard names[0] != "observed",
            (try? oracle.execute(RefOperation(write: .set(names, draft, parents: false)))) != nil
        else {
            oracle.rollBack()
            return nil
        }
        _ = oracle.end()
        loadCount += 1
        let path = quoted(dotted(names[...]))
        return ask(
            #"{"id":1,"method":"load","params":{"path":\#(path),"text":\#(quoted(draft.json))}}"#,
            actor
        )
    }

    private func changeBindings() -> String? {
        if oracle.bindings.count >= 5 || !oracle.bindings.isEmpty && writes.chance(30) {
            return unbind(writes.below(oracle.bindings.count))
        }
        let actor = actors[0]
        let (source, target) = (writes.source(in: oracle), writes.target(in: oracle))
        let fresh = RefBinding(lastBinding + 1, source, nil, target, isTwoWay: writes.chance(40))
        let request =
            #"{"id":1,"method":"bind","params":{"source":\#(quoted(fresh.sourceText)),"target":\#(quoted(dotted(target[...]))),"twoWay":\#(fresh.isTwoWay)}}"#
        if ask(request, actor) != nil { return nil }
        lastBinding += 1
        oracle.author = .process(actor.session.author.process)
        oracle.begin()
        oracle.bindings.append(fresh)
        _ = oracle.end()
        return nil
    }

    private func unbind(_ index: Int) -> String? {
        let gone = oracle.bindings.remove(at: index).number
        return ask(#"{"id":1,"method":"unbind","params":{"binding":\#(gone)}}"#, actors[0])
    }

    /// Whether there is something at the source's path, be it null.
    private func hasSource(_ number: Int) -> Bool {
        let bindings = hub.tree.allBindings
        guard let binding = bindings.first(where: { $0.number == Int32(number) }) else { return false }
        var cursor = EdgeCursor.none
        let root = TracedPlace(hub.tree.records.root)
        return !hub.tree.trace(binding.sourcePath, from: root, &cursor).value.isAbsent
    }

    // MARK: Restarts

    /// Starts the hub again, often from a snapshot that was written while commits continued.
    private func restart() -> String? {
        restartCount += 1
        if writes.chance(60), let difference = writeSnapshot() { return difference }
        // The state lacks the end that a failing binding was to write, and after a start those without a source rest.
        while let index = oracle.bindings.firstIndex(where: { $0.isFailing || !hasSource($0.number) }) {
            if let difference = unbind(index) { return difference }
        }
        for actor in actors {
            oracle.end(.owner(actor.session.number))
            actor.close()
        }
        log.append("restart")
        let before = journaled.dump
        do { try journaled.restart() } catch { return "\(error)" }
        if journaled.dump != before { return "the restart changed\n\(before)\nto\n\(journaled.dump)" }
        connect()
        if hub.tree.revision != oracle.revision {
            return "the revision is \(hub.tree.revision), not \(oracle.revision)"
        }
        return compareAll()
    }

    private func writeSnapshot() -> String? {
        guard let journal = hub.clients.gate.journal else { return "no journal" }
        log.append("a snapshot begins")
        let first = journal.rotation.firstNumber
        journal.rotation.isWanted = true
        while journal.rotation.firstNumber == first {
            if journal.popWork(isSyncDue: true) != nil {
                if let error = journaled.disk.doWork() { return "\(error)" }
                journal.finish(nil)
            }
            journal.snapshot?.view.lineBytes = 100
            if journal.wantsStep { journal.step { true } }
            if journal.snapshot?.view.isDone == false, writes.chance(30) {
                commitCount += 1
                if let difference = commit() { return difference }
            }
        }
        log.append("the snapshot ends")
        return nil
    }

    // MARK: Comparing

    /// Compares all properties that strong references reach, by one path each, the elements of arrays, and the paths of
    /// bindings, wherever they lead.
    private func compareAll() -> String? {
        for names in oracle.bindings.flatMap({ [$0.source, $0.target] }) {
            for count in 1...names.count {
                if let difference = compare(Array(names.prefix(count))) { return difference }
            }
        }
        var seen: Set<ObjectIdentifier> = []
        var pending: [(names: [String], value: RefValue)] = [([], .model(oracle.root))]
        while let (names, value) = pending.popLast() {
            if !names.isEmpty, let difference = compare(names) { return difference }
            switch value {
            case .array(let elements) where names.count < 12:
                for (index, element) in elements.enumerated() {
                    pending.append((names + [String(index)], element))
                }
            case .model(let model) where names.count < 12 && seen.insert(ObjectIdentifier(model)).inserted:
                for property in model.properties { pending.append((names + [property.name], property.value)) }
            default: break
            }
        }
        return nil
    }

    private func compare(_ names: [String]) -> String? {
        if names[0] == "observed" || oracle.rulesOut(RefMatch(names: names, observedOperator: nil)) {
            return nil
        }
        let path = dotted(names[...])
        let line = actors[0].ask(#"{"id":1,"method":"explain","params":{"path":\#(quoted(path))}}"#)[0]
        guard let answer = (try? Value(json: line))?["result"] else { return "\(path): \(line)" }
        comparedCount += 1
        let explained = ExplainedByOracle(names, in: oracle)
        let isRemembered = (answer["lastChange"]?["revision"]?.int ?? 0) > hub.tree.records.horizon
        let difference = explained.difference(from: answer, isRemembered: isRemembered) {
            ExplainRun.start + Int64($0)
        }
        if let origin = answer["lastChange"]?["origin"] {
            originCount += 1
            let kind = origin["lifetime"] != nil ? "lifetime" : "process"
            origins[origin["binding"] != nil ? "\(kind), binding" : kind, default: 0] += 1
        }
        if let difference { return "\(path): \(difference)\n\(line)" }
        return becauseDifference(answer["because"] ?? .null, names).map { "\(path): \($0)\n\(line)" }
    }

    /// The steps without their paths.
    private static func manners(_ because: Value) -> [String]? {
        because["steps"]?.array?.map { step in
            String(step.json.dropFirst(#"{"path":\#(quoted(step["path"]?.string ?? ""))"#.count))
        }
    }

    /// Compares the reasons of the newest commit with the oracle's, and those of earlier ones with what they were then.
    private func becauseDifference(_ because: Value, _ names: [String]) -> String? {
        let path = dotted(names[...])
        guard let (owner, property) = oracle.lastChanged(on: names),
            property.revision > hub.tree.records.horizon
        else { return because == .null ? nil : "because is not null" }
        guard because["revision"]?.int == Int64(property.revision), let steps = because["steps"]?.array else {
            return "because: expected revision \(property.revision)"
        }
        let key = "\(property.revision) \(path)"
        guard property.revision == oracle.revision else {
            // Bindings may have ended since, and models may have other paths.
            if let former = reasons[key], !former.json.contains("binding"),
                Self.manners(former) != Self.manners(because)
            {
                return "because was \(former.json)"
            }
            return nil
        }
        reasons[key] = because
        chainCount += 1
        let expected = oracle.reasons(owner, property.name)
        longestChain = max(longestChain, expected.count)
        if steps.count != expected.count {
            return "because: expected \(expected.map { "\($0.name) \($0.manner)" })"
        }
        for (index, (step, reason)) in zip(steps, expected).enumerated() {
            guard let text = step["path"]?.string else { return "a step without a path" }
            if reason.isOneOfMany { return nil }
            let parsed = ParsedKeyPath(maxDepth: 64)
            guard (try? parsed.parse(dotted: text)) != nil,
                case .property(let owner, let name) = oracle.place(
                    (0..<parsed.count).map { parsed.name($0).string }
                ),
                owner === reason.owner, name == reason.name
            else { return "because: step \(index) is not \(reason.name)" }
            var manner = step.json.dropFirst(#"{"path":\#(quoted(text))"#.utf8.count).dropLast()
            if index + 1 == steps.count {
                let commit = oracle.commits[property.revision]
                let binding = reason.owner.index(reason.name).flatMap { reason.owner.properties[$0].binding }
                let origin = #","origin":\#(commit?.author.json(binding) ?? "")"#
                guard manner.hasSuffix(origin) else { return "because: the origin is not \(origin)" }
                manner = manner.dropLast(origin.count)
            }
            if !reason.manner.contains(String(manner)) {
                return "because: step \(index) is not \(reason.manner)"
            }
        }
        return nil
    }
}
