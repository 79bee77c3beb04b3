// SPDX-License-Identifier: MIT
// One subscription in the oracle: the matching paths, each path's expected events, and the mirrors of `P.**`.

@testable import ObserveCore

/// A subscription's options.
struct OracleOptions {
    var isDistinct = true
    var wantsOld = true
    var wantsPrior = false
    var wantsInitial = true

    var json: String {
        var text = ""
        if !isDistinct { text += #","distinct":false"# }
        if wantsOld { text += #","old":true"# }
        if wantsPrior { text += #","prior":true"# }
        if !wantsInitial { text += #","initial":false"# }
        return text
    }
}

final class OracleSubscription {
    /// Its number on its connection.
    let number: Int32
    let patterns: [RefPattern]
    let options: OracleOptions
    /// The matching concrete paths, by their texts.
    private(set) var matches: [String: RefMatch] = [:]
    private var watches: [String: RefWatch] = [:]
    private var mirrors: [String: ValueMirror] = [:]
    private var operatorValues: [String: RefValue] = [:]

    init(_ number: Int32, _ patterns: [RefPattern], _ options: OracleOptions, in tree: ReferenceTree) {
        self.number = number
        self.patterns = patterns
        self.options = options
        matches = current(tree)
        for (path, match) in matches {
            let walk = tree.walk(match.names)
            watches[path] = RefWatch(match.names, walk)
            if match.isDeep { mirrors[path] = ValueMirror((try? Value(json: walk.last.json)) ?? "no JSON") }
            if let (function, names) = match.observedOperator {
                operatorValues[path] = function.value(over: walk.last, names, in: tree)
            }
        }
    }

    var text: String { patterns.map(\.text).joined(separator: " , ") + options.json }

    /// The names of some matching paths.
    var someNames: [[String]] { matches.sorted { $0.key < $1.key }.prefix(4).map(\.value.names) }

    private func current(_ tree: ReferenceTree) -> [String: RefMatch] {
        var all: [String: RefMatch] = [:]
        for pattern in patterns { all.merge(pattern.matches(in: tree)) { first, _ in first } }
        return all
    }

    /// The expected initial events: path, value and nilAt.
    func initial(_ tree: ReferenceTree) -> Set<[String]> {
        Set(matches.keys.map { reading($0, tree) })
    }

    /// Whether that is the answer of `get` for a matching path. An operator shows one of several equal numbers.
    func isReading(_ found: [String], of path: String, _ tree: ReferenceTree) -> Bool {
        let expected = reading(path, tree)
        if found == expected { return true }
        guard matches[path]?.observedOperator != nil, let value = try? Value(json: found[1]) else {
            return false
        }
        return value == (try? Value(json: expected[1])) && found[2] == expected[2]
    }

    /// The answer of `get` for a matching path.
    func reading(_ path: String, _ tree: ReferenceTree) -> [String] {
        guard let match = matches[path] else { return [] }
        let walk = tree.walk(match.names)
        guard let (function, names) = match.observedOperator else {
            return [path, walk.last.json, walk.broken.map { dotted(match.names[...$0]) } ?? ""]
        }
        let value = function.value(over: walk.last, names, in: tree)
        return [path, value.json, brokenBefore(match, walk) ?? ""]
    }

    /// The component that makes an operator null.
    private func brokenBefore(_ match: RefMatch, _ walk: RefWalk) -> String? {
        walk.values.firstIndex { !$0.isContainer }.map { dotted(match.names[...$0]) }
    }

    // MARK: After a commit

    /// The first fault of the received events, in order.
    func check(_ events: [TreeEvent], in tree: ReferenceTree) -> String? {
        let now = current(tree)
        var unread = events.map(\.withoutFormerForm)
        for (path, match) in now.merging(matches, uniquingKeysWith: { now, _ in now }) {
            let fault =
                match.observedOperator == nil
                ? checkPath(path, match, &unread, tree) : checkOperator(path, match, &unread, tree)
            if let fault { return "\(fault)\n  of \(events)" }
            if now[path] == nil {
                watches[path] = nil
                mirrors[path] = nil
                operatorValues[path] = nil
            }
        }
        matches = now
        return unread.isEmpty ? nil : "surplus \(unread)\n  of \(events)"
    }

    /// Checks the events of a path, and, if the pattern ends in `**`, of all paths below it.
    private func checkPath(
        _ path: String,
        _ match: RefMatch,
        _ unread: inout [TreeEvent],
        _ tree: ReferenceTree
    ) -> String? {
        let watch = watches[path] ?? RefWatch(match.names, tree.walkBefore(match.names))
        watches[path] = watch
        let walk = tree.walk(match.names)
        var expected: [TreeEvent] = []
        var own: TreeEvent?
        if let (event, isForAll) = tree.event(watch, walk), isForAll || !options.isDistinct {
            expected.append(event)
            own = isForAll ? event : nil
        }
        if match.isDeep, own == nil || own?.kind != nil || watch.walk.last.equals(walk.last) {
            for (event, isForAll) in tree.eventsBelow(match.names, walk.last, notified: own?.sentElement)
            where isForAll || !options.isDistinct { expected.append(event) }
        }
        watch.walk = walk
        for index in expected.indices {
            expected[index].watcher = number
            expected[index] = expected[index].withoutFormerForm
            if !options.wantsOld, !options.wantsPrior { expected[index].old = "" }
        }
        let notified = unread.filter { expected.contains($0) }
        if notified.count != expected.count {
            let missing = expected.filter { !notified.contains($0) }
            return "missing \(missing), surplus \(unread.filter { !notified.contains($0) })"
        }
        unread.removeAll { expected.contains($0) }
        return match.isDeep ? mirror(path, match, notified, walk.last) : nil
    }

    private func mirror(_ path: String, _ match: RefMatch, _ events: [TreeEvent], _ value: RefValue)
        -> String?
    {
        var mirror = mirrors[path] ?? ValueMirror(.null)
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
        mirrors[path] = mirror
        return events.isEmpty ? nil : compareMirror(path, value)
    }

    /// The first fault of the mirrors below the paths.
    func compareMirrors(_ tree: ReferenceTree) -> String? {
        for (path, match) in matches where match.isDeep {
            if let fault = compareMirror(path, tree.value(at: match.names)) { return fault }
        }
        return nil
    }

    private func compareMirror(_ path: String, _ value: RefValue) -> String? {
        guard let mirror = mirrors[path] else { return "no mirror of \(path)" }
        guard let truth = try? Value(json: value.json) else { return "no JSON" }
        if mirror.value.withoutNulls == truth.withoutNulls { return nil }
        return "the mirror of \(path) is \(mirror.value), the truth \(value.json)"
    }

    private func checkOperator(
        _ path: String,
        _ match: RefMatch,
        _ unread: inout [TreeEvent],
        _ tree: ReferenceTree
    ) -> String? {
        guard let (function, names) = match.observedOperator else { return nil }
        let walk = tree.walk(match.names)
        let watch = watches[path] ?? RefWatch(match.names, tree.walkBefore(match.names))
        let new = function.value(over: walk.last, names, in: tree)
        let old = operatorValues[path] ?? .null
        operatorValues[path] = new
        watches[path] = RefWatch(match.names, walk)
        let notified = unread.filter { $0.path == path }
        unread.removeAll { $0.path == path }
        let isDeleted = !watch.walk.values[0].isAbsent && walk.values[0].isAbsent
        guard let event = notified.first else {
            return old.equals(new) && !isDeleted ? nil : "\(path): no event for \(old.json) -> \(new.json)"
        }
        if notified.count > 1 { return "two events: \(notified)" }
        if options.isDistinct, old.equals(new), !isDeleted { return "an event for an equal value: \(event)" }
        // A commit assigned an earlier component, or else the operator's inputs.
        let last = match.names.count - 1
        let cause = tree.cause(watch, walk)
        let assigned = old.equals(new) ? cause.firstAssigned : cause.firstChanged
        let changed = assigned.flatMap { $0 == last && cause.isEdited ? nil : $0 }
        let expected = TreeEvent(
            watcher: number,
            path: path,
            reason: isDeleted ? .sourceDeleted : changed == nil ? .valueChanged : .pathChanged,
            old: options.wantsOld || options.wantsPrior ? old.json : "",
            new: new.json,
            changedAt: isDeleted ? nil : changed.map { dotted(match.names[...$0]) },
            nilAt: brokenBefore(match, walk),
            revision: tree.revision
        )
        return event.isSame(as: expected) ? nil : "missing \(expected), surplus \(event)"
    }
}

extension TreeEvent {
    /// The event of an equal assignment shows one of the two values as the old one.
    fileprivate var withoutFormerForm: TreeEvent {
        guard !old.isEmpty, old != new, let before = try? Value(json: old), before == (try? Value(json: new))
        else { return self }
        var event = self
        event.old = new
        return event
    }

    /// Whether both say the same; numbers compare by value.
    fileprivate func isSame(as other: TreeEvent) -> Bool {
        func value(_ text: String) -> Value? { try? Value(json: text) }
        var (a, b) = (self, other)
        let isEqual = (a.old == b.old || value(a.old) == value(b.old)) && value(a.new) == value(b.new)
        (a.old, a.new, b.old, b.new) = ("", "", "", "")
        return isEqual && a == b
    }
}
