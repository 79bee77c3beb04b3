// SPDX-License-Identifier: MIT
// Random pairs of declared types: state made under the one gets the other, and equals the oracle's.

import Testing

@testable import ObserveCore

struct AdaptingRandomTests {
    @Test(.timeLimit(.minutes(15)))
    func `state gets other types as the oracle says`() throws {
        var statistics = AdaptingStatistics()
        let all = seeds(60, usually: 8)
        for seed in all {
            if let fault = try AdaptingRun(seed).run(&statistics) {
                Issue.record("seed \(seed): \(fault)")
                return
            }
        }
        #expect(statistics.fitting > 0 && statistics.refused > 0)
        if all.count > 60 { print(statistics) }
    }
}

/// How many pairs there were of each kind.
struct AdaptingStatistics: CustomStringConvertible {
    var same = 0
    var fitting = 0
    var refused = 0
    var misfits = 0
    var models = 0

    var description: String {
        "pairs of types: \(same) equal, \(fitting) fitting, \(refused) refused in \(misfits) places, \(models) models"
    }
}

/// One pair of types, and a tree with a journal that has one and gets the other.
final class AdaptingRun {
    private let seed: UInt64
    private var writes: RandomWrites
    private let daemon: JournaledHub
    private let former: RefSchema
    private let next: RefSchema
    private let hasBindings: Bool
    private var mirrors: [Int64: (root: String, value: ValueMirror?)] = [:]

    init(_ seed: UInt64) throws {
        self.seed = seed
        writes = RandomWrites(seed: seed, names: ["a", "b", "c", "list"])
        daemon = try JournaledHub(seed % 2 == 0 ? .commit : .interval, reserving: 0)
        former = writes.chance(8) ? RefSchema() : writes.schema(hasComputed: seed % 3 == 0).valid
        next = writes.changed(former)
        hasBindings = seed % 5 == 0
    }

    private var tree: ModelTree { daemon.tree }

    func run(_ statistics: inout AdaptingStatistics) throws -> String? {
        if let fault = try change(to: former, mayLose: false) { return fault }
        makeState()
        statistics.models += tree.modelCount
        if seed % 7 == 0 { try daemon.snapshot() }
        if seed % 2 == 0 { try daemon.kill() }
        if let faults = faults("at first") { return faults }
        guard let plan = tree.plan(next.declarations) else {
            statistics.same += 1
            return nil
        }
        let graph = graph(former)
        var oracle = AdaptingOracle(graph, next)
        oracle.run()
        if !hasBindings, plan.misfits.count != oracle.misfits {
            return "\(plan.misfits.count) misfits, expected \(oracle.misfits): \(plan.misfits.first)"
        }
        if next.declarations.isEmpty, !plan.misfits.isEmpty {
            return "misfits without a configuration: \(plan.misfits.first)"
        }
        if plan.misfits.isEmpty { statistics.fitting += 1 } else { statistics.refused += 1 }
        statistics.misfits += plan.misfits.count
        let before = tree.stateDump
        if let fault = try rollBack(plan, before) { return fault }
        if let fault = try refuseByDisk(before) { return fault }
        observe()
        let saved = plan.misfits.isEmpty ? nil : try daemon.openJournal?.saveDump(of: tree)
        let revision = tree.revision
        if let fault = try change(to: next, mayLose: true) { return fault }
        if let fault = faults("after the change") { return fault }
        if !hasBindings {
            let (found, expected) = (self.graph(next).shape, oracle.graph.shape)
            if found != expected { return "found\n\(found)expected\n\(expected)before\n\(graph.shape)" }
        }
        if let fault = compareMirrors() { return fault }
        resume(since: revision)
        if let fault = faults("after a resumption") { return fault }
        if tree.plan(next.declarations) != nil { return "a second plan" }
        // A start ends the temporary values of connections.
        let after = tree.stacks.owners.isEmpty ? tree.stateDump : nil
        if seed % 3 == 0 { try daemon.snapshot() }
        if seed % 4 == 0 { try daemon.restart() } else { try daemon.kill() }
        if let after, seed % 4 != 0, tree.stateDump != after {
            return "after a kill\n\(tree.stateDump)\nexpected\n\(after)"
        }
        if let fault = faults("after a start") { return fault }
        if tree.plan(next.declarations) != nil { return "a plan after a start" }
        if let saved { return try load(saved, graph.shape) }
        return nil
    }

    // MARK: Parts

    private func change(to schema: RefSchema, mayLose: Bool) throws -> String? {
        var fault: String?
        try daemon.hub.journaling.change { tree in
            guard let plan = tree.plan(schema.declarations) else { return }
            if !mayLose, !plan.misfits.isEmpty { fault = "misfits: \(plan.misfits.first)" }
            do { try tree.layOut { try tree.apply(plan) } } catch { fault = "refused: \(error)" }
        }
        return fault
    }

    private func makeState() {
        for root in former.roots {
            let draft = writes.fitting(root.type, 3, former)
            _ = daemon.client().ask(
                #"{"id":1,"method":"set","params":{"path":"\#(root.name)","value":\#(draft.json)}}"#
            )
        }
        _ = daemon.client().ask(
            #"{"id":1,"method":"set","params":{"path":"open","value":{"a":{},"b":[{}]}}}"#
        )
        for _ in 0..<40 {
            _ = daemon.client(UInt64(1 + writes.below(3))).ask(writes.request(in: tree, former))
        }
        guard hasBindings else { return }
        for _ in 0..<4 {
            let paths = tree.modelPaths.map(\.path).filter { !$0.isEmpty }
            guard !paths.isEmpty else { return }
            let (from, to) = (writes.one(of: paths), writes.one(of: paths))
            let (a, b) = (writes.one(of: writes.names), writes.one(of: writes.names))
            let two = writes.chance(50)
            _ = daemon.client().ask(
                #"{"id":1,"method":"bind","params":{"source":"\#(from).\#(a)","target":"\#(to).\#(b)","twoWay":\#(two)}}"#
            )
        }
    }

    private func graph(_ schema: RefSchema) -> TreeGraph {
        TreeGraph(tree) { type, property in
            schema.properties(of: type).first { $0.name == property }?.isWeak ?? false
        }
    }

    private func faults(_ when: String) -> String? {
        let faults = tree.faults()
        return faults.isEmpty ? nil : "\(when): \(faults)"
    }

    private struct Stop: Error {}

    private func rollBack(_ plan: TypePlan, _ before: String) throws -> String? {
        // A binding that ends can't be restored.
        guard plan.unbound.isEmpty else { return nil }
        do {
            try tree.layOut {
                do { try tree.apply(plan) } catch { throw Stop() }
                throw Stop()
            }
        } catch is Stop {}
        if tree.stateDump != before { return "rolled back\n\(tree.stateDump)\nbefore\n\(before)" }
        return faults("after rolling back")
    }

    private func refuseByDisk(_ before: String) throws -> String? {
        guard tree.plan(next.declarations)?.misfits.isEmpty == true else { return nil }
        daemon.disk.isFull = true
        let fault = try? change(to: next, mayLose: false)
        daemon.disk.isFull = false
        if tree.stateDump != before { return "refused \(fault ?? "")\n\(tree.stateDump)\nbefore\n\(before)" }
        daemon.clock.pass(milliseconds: 200, in: daemon.hub)
        _ = daemon.client().ask(#"{"id":1,"method":"set","params":{"path":"probe","value":0}}"#)
        _ = daemon.client().ask(#"{"id":1,"method":"remove","params":{"path":"probe"}}"#)
        return faults("after the refusal")
    }

    // MARK: Clients

    private func observe() {
        for root in ["r", "s", "app", "open"] {
            let lines = daemon.client(8).ask(
                #"{"id":1,"method":"subscribe","params":{"path":"\#(root).**"}}"#
            )
            guard let answer = lines.first(where: { $0.contains("\"result\"") }),
                let number = (try? Value(json: answer))?["result"]?["subscription"]?.int
            else { continue }
            mirrors[number] = (root, nil)
            for line in lines { apply(line) }
        }
    }

    private func apply(_ line: String) {
        guard let event = (try? Value(json: line))?["params"], let number = event["subscription"]?.int,
            let new = event["new"], let path = event["path"]?.string,
            let names = try? DottedKeyPath.literalNames(of: path, maxDepth: 64)
        else { return }
        if names.count == 1 { mirrors[number]?.value = ValueMirror(new) }
        _ = mirrors[number]?.value?.apply(
            names.dropFirst(),
            kind: event["kind"]?.string,
            index: event["indexes"]?[0]?.int.map(Int.init),
            new: new
        )
    }

    private func compareMirrors() -> String? {
        for line in daemon.client(8).take() { apply(line) }
        for mirror in mirrors.values {
            let value = (try? Value(json: daemon.value(mirror.root)))?.withoutNulls
            let mirrored = mirror.value?.value.withoutNulls ?? .null
            if value != mirrored { return "\(mirror.root) is \(value ?? nil), and mirrored as \(mirrored)" }
        }
        return nil
    }

    private func resume(since revision: UInt64) {
        for (path, _) in tree.modelPaths.prefix(10) where !path.isEmpty {
            let since = #"{"epoch":"\#(daemon.hub.journaling.epoch)","revision":\#(revision)}"#
            _ = daemon.client(9).ask(
                #"{"id":1,"method":"subscribe","params":{"path":"\#(path)","since":\#(since)}}"#
            )
        }
    }

    /// Loads the dump into a new tree with the former types.
    private func load(_ name: String, _ expected: String) throws -> String? {
        let other = try JournaledHub(.interval)
        guard let bytes = try daemon.disk.read(name) else { return "there is no \(name)" }
        try other.hub.journaling.change { tree in
            guard let plan = tree.plan(former.declarations) else { return }
            try? tree.layOut { try tree.apply(plan) }
        }
        if let refusal = other.client().refusal(ofLoading: String(decoding: bytes, as: UTF8.self)) {
            return "the dump is refused: \(refusal.message)"
        }
        return nil
    }
}
