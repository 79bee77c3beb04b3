// SPDX-License-Identifier: MIT
// Patterns and operators on the tree and on the oracle, side by side through random writes. Knows what differs.

@testable import ObserveCore

/// One subscription of a run, and what the oracle knows of it.
private final class RefSubscription {
    let watcher: Int32
    let patterns: [RefPattern]
    let isDistinct: Bool
    var matches: [String: RefMatch]
    var watches: [String: RefWatch] = [:]
    var mirrors: [String: ValueMirror] = [:]
    var derived: [String: RefValue] = [:]

    init(_ watcher: Int32, _ patterns: [RefPattern], isDistinct: Bool, in tree: ReferenceTree) {
        self.watcher = watcher
        self.patterns = patterns
        self.isDistinct = isDistinct
        matches = [:]
        matches = current(tree)
        for (path, match) in matches {
            let walk = tree.walk(match.names)
            watches[path] = RefWatch(match.names, walk)
            let value = walk.values[match.names.count - 1]
            if match.isDeep { mirrors[path] = ValueMirror((try? Value(json: value.json)) ?? "no JSON") }
            if let (function, names) = match.derived {
                derived[path] = function.value(over: value, names, in: tree)
            }
        }
    }

    func current(_ tree: ReferenceTree) -> [String: RefMatch] {
        var all: [String: RefMatch] = [:]
        for pattern in patterns { all.merge(pattern.matches(in: tree)) { first, _ in first } }
        return all
    }

    var text: String {
        patterns.map(\.text).joined(separator: " , ") + (isDistinct ? "" : " (equal ones too)")
    }
}

/// What a run watches.
enum PatternKind: Sendable, CaseIterable {
    case stars
    case deep
    case operators
    case all
}

/// One run: the same writes to both, and everything compared.
final class PatternRun {
    let seed: UInt64
    private let kind: PatternKind
    private let driver: TreeDriver
    private let oracle = ReferenceTree()
    private var writes: RandomWrites
    private var subscriptions: [RefSubscription] = []
    private var log: [String] = []
    /// Whether somebody was told of equal assignments as the last commit began.
    private var hasIndistinct = false
    private(set) var writeCount = 0
    private(set) var commitCount = 0
    private(set) var eventCount = 0
    private(set) var matchCount = 0

    init(seed: UInt64, _ kind: PatternKind) throws {
        self.seed = seed
        self.kind = kind
        driver = try TreeDriver()
        // Few names, so that paths behind operators find something.
        let isDense = kind == .operators && seed % 8 != 2
        writes = RandomWrites(seed: seed, names: isDense ? ["a", "b", "0"] : RandomWrites.allNames)
    }

    /// Carries out at least so many writes. Returns what was different first, with the writes that led there.
    func run(writes limit: Int) throws -> String? {
        while writeCount < limit {
            if commitCount % 15 == 0, let difference = try changeSubscriptions() { return report(difference) }
            if let difference = try step() { return report(difference) }
            if commitCount % 10 == 0, let difference = compareWhole() { return report(difference) }
        }
        return try finish().map(report)
    }

    private func report(_ difference: String) -> String {
        "seed \(seed), commit \(commitCount): \(difference)\n" + log.suffix(12).joined(separator: "\n")
    }

    // MARK: One commit

    private func step() throws -> String? {
        let count = writes.chance(25) ? 2 + writes.below(4) : 1
        // So that writes go where somebody looks.
        oracle.watches = subscriptions.flatMap { $0.watches.values.sorted { $0.path < $1.path }.prefix(4) }
        var commit: [RefWrite] = []
        for _ in 0..<count { commit.append(writes.write(in: oracle)) }
        oracle.watches = []
        log.append("\(commit.map(\.driven))")
        if log.count > 40 { log.removeFirst(30) }
        commitCount += 1
        writeCount += count
        hasIndistinct = driver.tree.indistinctObservers > 0
        let expected = Result { try oracle.commit(commit, if: nil) }
        let found = Result { () throws(TreeError) in try driver.commit(commit.map(\.driven)) }
        let events = driver.takeEvents()
        guard case .success = expected else {
            guard case .failure = found else { return "not refused" }
            return events.isEmpty ? nil : "refused, but told: \(events)"
        }
        guard case .success = found else { return "expected \(expected), found \(found)" }
        let byWatcher = Dictionary(grouping: events, by: \.watcher)
        eventCount += events.count
        for subscription in subscriptions {
            if let fault = check(subscription, byWatcher[subscription.watcher] ?? []) {
                return "\(subscription.text): \(fault)"
            }
        }
        return nil
    }

    private func check(_ subscription: RefSubscription, _ events: [TreeEvent]) -> String? {
        let now = subscription.current(oracle)
        if driver.matches[subscription.watcher] ?? [] != Set(now.keys) {
            return
                "matches: expected \(now.keys.sorted()), found \(driver.matches[subscription.watcher] ?? [])"
        }
        matchCount += now.count
        for event in events where event.revision != oracle.revision { return "revision of \(event)" }
        var unread = events
        for (path, match) in now.merging(subscription.matches, uniquingKeysWith: { now, _ in now }) {
            let fault =
                match.derived == nil
                ? checkPath(subscription, path, match, &unread)
                : checkDerived(subscription, path, match, &unread)
            if let fault { return "\(fault)\n  of \(events)" }
            if now[path] == nil {
                subscription.watches[path] = nil
                subscription.mirrors[path] = nil
                subscription.derived[path] = nil
            }
        }
        subscription.matches = now
        return unread.isEmpty ? nil : "surplus \(unread)\n  of \(events)"
    }

    /// A path that is told of what it refers to, and, if the pattern ends in `**`, of all below that.
    private func checkPath(
        _ subscription: RefSubscription,
        _ path: String,
        _ match: RefMatch,
        _ unread: inout [TreeEvent]
    ) -> String? {
        let watch =
            subscription.watches[path] ?? RefWatch(match.names, oracle.walkBefore(match.names))
        subscription.watches[path] = watch
        let walk = oracle.walk(match.names)
        let value = walk.values[match.names.count - 1]
        var expected: [TreeEvent] = []
        var isTold = false
        if let (event, isForAll) = oracle.event(watch, walk), isForAll || !subscription.isDistinct {
            expected.append(event)
            isTold = event.kind == nil && !(watch.walk.values[match.names.count - 1].equals(value))
        }
        if match.isDeep, !isTold { expected += below(subscription, match, value, path) }
        watch.walk = walk
        for index in expected.indices { expected[index].watcher = subscription.watcher }
        let told = unread.filter { expected.contains($0) }
        if told.count != expected.count {
            return
                "missing \(expected.filter { !told.contains($0) }), surplus \(unread.filter { !told.contains($0) })"
        }
        unread.removeAll { expected.contains($0) }
        return match.isDeep ? mirror(subscription, match, told, value, path) : nil
    }

    private func below(_ subscription: RefSubscription, _ match: RefMatch, _ value: RefValue, _ path: String)
        -> [TreeEvent]
    {
        let last = match.names.count - 1
        let owner = oracle.walk(match.names).owners
        // The property that holds the array in which P is, or P itself.
        var component = last
        while component > 0, owner[component] == nil { component -= 1 }
        var edit: RefEdit?
        if let holder = owner[component],
            let mark = oracle.marks.first(where: { $0.owner === holder && $0.name == match.names[component] }
            ),
            !mark.isAssigned, mark.edits.count == 1
        {
            let indices = match.names[(component + 1)...].compactMap { oracle.arrayIndex($0) }
            if mark.edits[0].path.starts(with: indices) {
                edit = mark.edits[0]
                edit?.path.removeFirst(indices.count)
            }
        }
        return oracle.eventsBelow(match.names, value, edit: edit, isWhole: hasIndistinct)
            .filter { $0.differs || !subscription.isDistinct }
            .map { event in
                TreeEvent(
                    watcher: subscription.watcher,
                    path: dotted(event.names[...]),
                    reason: .valueChanged,
                    old: event.old,
                    new: event.new,
                    kind: event.kind,
                    indexes: event.indexes,
                    revision: oracle.revision
                )
            }
    }

    private func mirror(
        _ subscription: RefSubscription,
        _ match: RefMatch,
        _ events: [TreeEvent],
        _ value: RefValue,
        _ path: String
    ) -> String? {
        var mirror = subscription.mirrors[path] ?? ValueMirror(.null)
        for event in events {
            guard let names = try? DottedKeyPath.literalNames(of: event.path, maxDepth: 64),
                let new = try? Value(json: event.new)
            else { return "no path, or no JSON: \(event)" }
            let fault = mirror.apply(
                names[match.names.count...],
                kind: event.kind.map { "\($0)" },
                index: event.indexes.first,
                new: new
            )
            if let fault { return "\(fault): \(event)" }
        }
        subscription.mirrors[path] = mirror
        guard let truth = try? Value(json: value.json) else { return "no JSON" }
        if mirror.value.withoutNulls == truth.withoutNulls { return nil }
        return "the mirror of \(path) is \(mirror.value), the truth \(value.json)"
    }

    private func checkDerived(
        _ subscription: RefSubscription,
        _ path: String,
        _ match: RefMatch,
        _ unread: inout [TreeEvent]
    ) -> String? {
        guard let (function, names) = match.derived else { return nil }
        let walk = oracle.walk(match.names)
        let last = match.names.count - 1
        let new = function.value(over: walk.values[last], names, in: oracle)
        let old = subscription.derived[path] ?? .null
        subscription.derived[path] = new
        let told = unread.filter { $0.path == path }
        unread.removeAll { $0.path == path }
        let isDeleted =
            subscription.watches[path].map { !$0.walk.values[0].isAbsent } == true && walk.values[0].isAbsent
        subscription.watches[path] = RefWatch(match.names, walk)
        guard let event = told.first else {
            return old.equals(new) && !isDeleted ? nil : "\(path): not told of \(old.json) -> \(new.json)"
        }
        if told.count > 1 { return "told twice: \(told)" }
        if subscription.isDistinct, old.equals(new), !isDeleted { return "told of an equal value: \(event)" }
        guard let toldOld = try? Value(json: event.old), let toldNew = try? Value(json: event.new) else {
            return "no JSON: \(event)"
        }
        if (try? Value(json: new.json)) != toldNew { return "\(event), and it is \(new.json)" }
        if (try? Value(json: old.json)) != toldOld { return "\(event), and it was \(old.json)" }
        let broken = (0...last).first { !walk.values[$0].isContainer }
        if event.nilAt != broken.map({ dotted(match.names[...$0]) }) { return "nilAt: \(event)" }
        if isDeleted != (event.reason == .sourceDeleted) { return "reason: \(event)" }
        return (event.reason == .pathChanged) == (event.changedAt != nil) ? nil : "changedAt: \(event)"
    }

    // MARK: Watching

    private func changeSubscriptions() throws -> String? {
        while subscriptions.count > 5 || (subscriptions.count > 2 && writes.chance(40)) {
            driver.stop(subscriptions.remove(at: writes.below(subscriptions.count)).watcher)
            let faults = driver.tree.patternFaults()
            if !faults.isEmpty { return "after unsubscribing: \(faults)" }
        }
        while subscriptions.count < 6 {
            let patterns = self.patterns()
            let isDistinct = writes.chance(75)
            let watcher = try driver.observe(patterns: patterns.map(\.text), distinct: isDistinct)
            let fresh = RefSubscription(watcher, patterns, isDistinct: isDistinct, in: oracle)
            if driver.matches[watcher] ?? [] != Set(fresh.matches.keys) {
                return
                    "\(fresh.text) matches at first \(driver.matches[watcher] ?? []), not \(fresh.matches.keys)"
            }
            subscriptions.append(fresh)
        }
        return nil
    }

    private func patterns() -> [RefPattern] {
        switch kind {
        case .stars: return (0...writes.below(3)).map { _ in stars(45) }
        case .deep: return [deep()]
        case .operators: return (0...writes.below(2)).map { _ in derived() }
        case .all:
            switch writes.below(3) {
            case 0: return [stars(45), derived()]
            case 1: return [deep()]
            default: return (0...writes.below(3)).map { _ in stars(45) }
            }
        }
    }

    /// A path of which some components are stars.
    private func stars(_ percent: Int, maxStars: Int = 3) -> RefPattern {
        var path = writes.path(in: oracle, stop: 30)
        if path.count > 5 { path.removeLast(path.count - 5) }
        var left = maxStars
        return RefPattern(
            parts: path.map { name in
                guard left > 0, writes.chance(percent) else { return .name(name) }
                left -= 1
                return .anyName
            }
        )
    }

    private func deep() -> RefPattern {
        if writes.chance(10) { return RefPattern(parts: [.anyDepth]) }
        var pattern = stars(20, maxStars: 2)
        if pattern.parts.count > 3 { pattern.parts.removeLast(pattern.parts.count - 3) }
        pattern.parts.append(.anyDepth)
        return pattern
    }

    private func derived() -> RefPattern {
        var parts = stars(20, maxStars: 2).parts
        if parts.count > 3 { parts.removeLast(parts.count - 3) }
        let function = CollectionOperator.allCases[writes.below(CollectionOperator.allCases.count)]
        var names: [String] = []
        if function != .count {
            for _ in 0..<[0, 0, 1, 1, 1, 2, 3][writes.below(7)] {
                names.append(writes.one(of: writes.names))
            }
        }
        return RefPattern(parts: parts + [.derived(function, names)])
    }

    // MARK: Comparing

    private func compareWhole() -> String? {
        if driver.roots != RefValue.model(oracle.root).json { return "the trees differ" }
        let faults = driver.tree.faults() + driver.tree.patternFaults()
        if !faults.isEmpty { return "faults: \(faults)" }
        for subscription in subscriptions {
            for (path, value) in subscription.derived {
                let found = (try? driver.get(path)).flatMap { try? Value(json: $0) }
                if found == nil || found != (try? Value(json: value.json)) { return "get \(path)" }
            }
        }
        return nil
    }

    /// Removes all: nothing may be left.
    private func finish() throws -> String? {
        if let difference = compareWhole() { return difference }
        for root in RandomWrites.roots where writes.chance(50) { try driver.remove(dotted([root])) }
        driver.stopAll()
        for root in RandomWrites.roots { try driver.remove(dotted([root])) }
        let faults = driver.tree.faults() + driver.tree.patternFaults()
        if !faults.isEmpty { return "at the end: \(faults)" }
        let left = driver.tree.patternLeftovers
        return left.isEmpty ? nil : "left at the end: \(left)"
    }
}
