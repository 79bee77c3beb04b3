// SPDX-License-Identifier: MIT
// The tree and the oracle side by side through a run of random writes. Knows what differs, not who is right.

@testable import ObserveCore

/// How a run watches.
enum Watching: Sendable {
    /// Every observer is `distinct`: the tree may skip what did not change.
    case distinct
    /// Some want to hear of equal assignments too.
    case mixed
}

/// One run: the same writes to both, and everything compared.
final class OracleRun {
    let seed: UInt64
    private let watching: Watching
    private let driver: TreeDriver
    private let oracle = ReferenceTree()
    private var writes: RandomWrites
    private var log: [String] = []
    private(set) var writeCount = 0
    private(set) var commitCount = 0
    private(set) var eventCount = 0
    private(set) var refusals: [TreeError.Kind: Int] = [:]
    private(set) var undoneCount = 0

    private(set) var endCount = 0

    /// - Parameter lifetimes: how many of a hundred writes have one.
    init(seed: UInt64, _ watching: Watching, lifetimes: Int = 0) throws {
        self.seed = seed
        self.watching = watching
        driver = try TreeDriver()
        writes = RandomWrites(seed: seed)
        writes.lifetimes = lifetimes
    }

    /// Carries out at least so many writes. Returns what was different first, with the writes that led there.
    func run(writes limit: Int) throws -> String? {
        while writeCount < limit {
            if commitCount % 20 == 0 { try changeWatches() }
            if let difference = try step() { return report(difference) }
            if writes.lifetimes > 0, writes.chance(20), let difference = end() { return report(difference) }
            if commitCount % 25 == 0, let difference = compareWhole() { return report(difference) }
        }
        return try finish().map(report)
    }

    private func report(_ difference: String) -> String {
        "seed \(seed), commit \(commitCount): \(difference)\n" + log.suffix(6).joined(separator: "\n")
    }

    // MARK: One commit

    private func step() throws -> String? {
        let count = writes.chance(15) ? 2 + writes.below(4) : 1
        var commit: [RefWrite] = []
        for _ in 0..<count { commit.append(writes.write(in: oracle)) }
        let condition = writes.condition(for: commit[0], in: oracle)
        log.append("\(driver.roots)\n  \(commit.map(\.driven)) if \(String(describing: condition))")
        if log.count > 100 { log.removeFirst(90) }
        commitCount += 1
        writeCount += count

        let expected = Result { try oracle.commit(commit, if: condition) }
        let before = count > 1 ? (driver.roots, TreeCounts(driver.tree)) : nil
        let found = Result { () throws(TreeError) in
            try driver.commit(commit.map(\.driven), if: condition.map(driven))
        }
        let events = driver.takeEvents().sorted { $0.watcher < $1.watcher }
        switch (expected, found) {
        case (.success(let (results, told)), .success(let changed)):
            if results != changed { return "changed: expected \(results), found \(changed)" }
            if driver.tree.revision != oracle.revision {
                return "revision: expected \(oracle.revision), found \(driver.tree.revision)"
            }
            eventCount += told.count
            let told = told.sorted { $0.watcher < $1.watcher }
            if told != events { return difference(told, events) }
        case (.failure(let error), .failure(let found)):
            refusals[found.kind, default: 0] += 1
            if count > 1 { undoneCount += 1 }
            let expected = error as? RefError
            if expected?.kind != found.kind || expected?.path != found.path {
                return "refused: expected \(error), found \(found)"
            }
            if !events.isEmpty { return "refused, but told: \(events)" }
            if let before, before != (driver.roots, TreeCounts(driver.tree)) {
                return "not undone: \(before)"
            }
        default: return "expected \(expected), found \(found)"
        }
        let models = driver.tree.modelCount
        return models == oracle.modelCount ? nil : "models: expected \(oracle.modelCount), found \(models)"
    }

    /// Ends some of the values that end.
    private func end() -> String? {
        let terms = oracle.terms
        guard !terms.isEmpty else { return nil }
        let term = terms[writes.below(terms.count)]
        log.append("\(driver.roots)\n  end \(term)")
        endCount += 1
        let told = oracle.end(term).sorted { $0.watcher < $1.watcher }
        driver.end(term.driven)
        let events = driver.takeEvents().sorted { $0.watcher < $1.watcher }
        if driver.tree.revision != oracle.revision {
            return "revision after an end: expected \(oracle.revision), found \(driver.tree.revision)"
        }
        if told != events { return difference(told, events) }
        let models = driver.tree.modelCount
        return models == oracle.modelCount ? nil : "models: expected \(oracle.modelCount), found \(models)"
    }

    private func difference(_ told: [TreeEvent], _ events: [TreeEvent]) -> String {
        let missing = told.filter { !events.contains($0) }
        let surplus = events.filter { !told.contains($0) }
        return "events: missing \(missing), surplus \(surplus)"
    }

    private func driven(_ condition: RefCondition) -> TreeCondition {
        TreeCondition(
            path: dotted(condition.names[...]),
            revision: condition.revision,
            value: condition.value?.json
        )
    }

    // MARK: Watching

    /// Takes an observer or two away and adds others, so that paths come and go.
    private func changeWatches() throws {
        while oracle.watches.count > 14 || (oracle.watches.count > 8 && writes.chance(40)) {
            let watch = oracle.watches.remove(at: writes.below(oracle.watches.count))
            for watcher in watch.watchers { driver.stop(watcher.id) }
        }
        while oracle.watches.count < 14 {
            let names = writes.path(in: oracle, stop: 15)
            let path = dotted(names[...])
            let known = oracle.watches.first { $0.path == path }
            let watch = known ?? RefWatch(names, oracle.walk(names))
            let isDistinct = watching == .distinct || writes.chance(60)
            watch.watchers.append((try driver.observe(path, distinct: isDistinct), isDistinct))
            if known == nil { oracle.watches.append(watch) } else { break }
        }
    }

    private func compareWhole() -> String? {
        let (found, expected) = (driver.roots, RefValue.model(oracle.root).json)
        if found != expected { return "roots: expected \(expected), found \(found)" }
        let faults = driver.tree.faults()
        if !faults.isEmpty { return "faults: \(faults)" }
        for watch in oracle.watches {
            let value = oracle.walk(watch.names)
            let last = watch.names.count - 1
            let broken = (0..<last).first { !value.values[$0].isContainer }
            let nilAt = broken.map { dotted(watch.names[...$0]) }
            if (try? driver.get(watch.path)) != value.values[last].json { return "get \(watch.path) differs" }
            if (try? driver.nilAt(watch.path)) != nilAt { return "nilAt of \(watch.path) differs" }
        }
        return nil
    }

    /// Removes all: nothing may be left.
    private func finish() throws -> String? {
        if let difference = compareWhole() { return difference }
        for root in RandomWrites.roots { try driver.remove(dotted([root])) }
        driver.stopAll()
        _ = driver.takeEvents()
        let faults = driver.tree.faults()
        if !faults.isEmpty { return "at the end: \(faults)" }
        let counts = TreeCounts(driver.tree)
        let isEmpty =
            counts.models == 0 && counts.properties == 0 && counts.names == 0 && counts.nodes == 1
            && counts.observers == 0 && driver.tree.weakReferrers.isEmpty
            && driver.tree.furtherHolders.isEmpty && driver.tree.overlays.isEmpty
            && driver.tree.overlayOwners.isEmpty && driver.tree.timedOverlays.isEmpty
        return isEmpty ? nil : "something is left at the end: \(counts)"
    }
}

extension RefWrite {
    /// The same for the tree that is tested.
    var driven: TreeWrite {
        switch self {
        case .set(let names, let draft, let parents):
            .set(path: dotted(names[...]), json: draft.json, parents: parents)
        case .remove(let names): .remove(path: dotted(names[...]))
        case .link(let names, let target, let isWeak):
            .link(path: dotted(names[...]), target: dotted(target[...]), isWeak: isWeak)
        case .insert(let names, let draft, let index):
            .insert(path: dotted(names[...]), json: draft.json, index: index)
        case .lay(let names, let draft, let term):
            .lay(path: dotted(names[...]), json: draft.json, term.driven)
        case .layLink(let names, let target, let isWeak, let term):
            .layLink(path: dotted(names[...]), target: dotted(target[...]), isWeak: isWeak, term.driven)
        }
    }
}
