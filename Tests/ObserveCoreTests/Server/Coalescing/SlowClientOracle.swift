// SPDX-License-Identifier: MIT
// The oracle of slow clients: a naive mirror per path, compared with the tree at each line.

import Testing

@testable import ObserveCore

/// The value of each path after each commit.
///
/// Models are reduced to their `id` member, which is unique: a literal path reports another model, not changes inside
/// it, and an event shows a model as of its sending.
struct Truth {
    struct State: Equatable {
        var value: Value
        var nilAt: String?
    }

    let paths: [String]
    private let parsed: [ParsedKeyPath]
    /// The states of each path, each with its first revision.
    private var states: [[(revision: UInt64, state: State)]]
    private(set) var revision: UInt64
    /// The time at which each state began, in milliseconds.
    private var times: [[UInt64]]
    var now: UInt64 = 0

    init(_ paths: [String], _ tree: ModelTree) {
        self.paths = paths
        parsed = paths.map { text in
            let path = ParsedKeyPath(maxDepth: 64)
            do { try path.parse(dotted: text) } catch { fatalError("\(text): \(error)") }
            return path
        }
        states = paths.map { _ in [] }
        times = paths.map { _ in [] }
        revision = 0
        record(tree)
    }

    mutating func record(_ tree: ModelTree) {
        revision = tree.revision
        for index in paths.indices {
            let state = Truth.state(of: parsed[index], in: tree)
            if states[index].last?.state != state {
                states[index].append((tree.revision, state))
                times[index].append(now)
            }
        }
    }

    func state(_ path: String, at revision: UInt64) -> State? {
        guard let index = paths.firstIndex(of: path) else { return nil }
        return states[index].last { $0.revision <= revision }?.state
    }

    /// The time at which the path got its value at that revision.
    func lastChange(of path: String, upTo revision: UInt64) -> UInt64 {
        guard let index = paths.firstIndex(of: path),
            var last = states[index].lastIndex(where: { $0.revision <= revision })
        else { return 0 }
        while last > 0, states[index][last - 1].state.value == states[index][last].state.value { last -= 1 }
        return times[index][last]
    }

    /// The commits after `first` up to `last` that changed the path's value.
    func changes(of path: String, after first: UInt64, upTo last: UInt64) -> Int {
        guard let index = paths.firstIndex(of: path) else { return 0 }
        var count = 0
        for (before, after) in zip(states[index], states[index].dropFirst())
        where after.revision > first && after.revision <= last && before.state.value != after.state.value {
            count += 1
        }
        return count
    }

    private static func state(of path: ParsedKeyPath, in tree: ModelTree) -> State {
        let place = tree.walk(path)
        var state = State(value: reduced(tree.value(at: place), tree), nilAt: nil)
        if case .broken(let component, _) = place { state.nilAt = path.escaped(first: component + 1) }
        return state
    }

    private static func reduced(_ value: StoredValue, _ tree: ModelTree) -> Value {
        switch value {
        case .absent, .null: return .null
        case .bool(let bool): return .bool(bool)
        case .int(let int): return .int(int)
        case .double(let double): return .double(double)
        case .array(let array): return .array(array.elements.map { reduced($0, tree) })
        case .model(let model):
            guard let id = tree.presentProperty(model, ByteView("id")) else { return "?" }
            return ["id": reduced(tree.records.properties[id].value, tree)]
        case .string, .text:
            let text = ByteBuffer()
            _ = tree.render(value, to: text)
            return (try? Value(json: text.array)) ?? nil
        }
    }

    /// The reduced form of a value in an event or an answer.
    static func reduced(_ value: Value) -> Value {
        switch value {
        case .array(let elements): .array(elements.map(reduced))
        case .object: ["id": value["id"] ?? nil]
        default: value
        }
    }
}

/// One request under way, and its expected answer.
struct Expected {
    enum Kind {
        case ping
        case get(String)
        case write
        case subscribe([String], Options)
        case unsubscribe(Int64)
    }

    struct Options {
        var initial = true
        var old = false
        var prior = false
        var distinct = true
        var every = false
        /// Milliseconds; at most one of the two is set.
        var throttle = 0
        var debounce = 0

        var isPaced: Bool { throttle + debounce > 0 }
    }

    let kind: Kind
    /// The revision after its execution.
    let revision: UInt64
}

/// Reads the lines of one connection and checks each against "Events" of the protocol.
final class SlowClientOracle {
    final class Mirror {
        let options: Expected.Options
        var values: [String: Value] = [:]
        /// The time of each path's last event, in milliseconds.
        var sentAt: [String: UInt64] = [:]
        /// The first revision of each path's mirror, and the number of changes in its events.
        var since: [String: UInt64] = [:]
        var changesSent: [String: Int] = [:]
        var waitsFor: Set<String>
        /// The last prior line's path and revision: the subscription's next line must be its change.
        var prior: (path: String, revision: UInt64)?
        /// The last line has `more`.
        var isInFrame = false

        init(_ options: Expected.Options, waitsFor: Set<String>) {
            self.options = options
            self.waitsFor = waitsFor
        }
    }

    var expected: [Int64: Expected] = [:]
    var mirrors: [Int64: Mirror] = [:]
    /// The connection got goodbye: no line may follow.
    private(set) var isOver = false
    private(set) var events = 0
    private(set) var frames = 0
    private(set) var coalescedEvents = 0
    private(set) var lastRevision: UInt64 = 0
    let context: String
    /// The test clock in milliseconds, and whether the client has read all lines so far.
    var now: UInt64 = 0
    var isAwake = true

    init(context: String) { self.context = context }

    /// The first fault of the lines; nil if there is none.
    func read(_ lines: [String], _ truth: Truth) -> String? {
        for line in lines {
            if let fault = read(line, truth) { return "\(context): \(fault)\n  in \(line)" }
        }
        return nil
    }

    private func read(_ line: String, _ truth: Truth) -> String? {
        guard let message = try? Value(json: line) else { return "no JSON" }
        if isOver { return "a line after goodbye" }
        if message["method"] == "goodbye" {
            isOver = true
            return message["params"]?["reason"] == "overflow" ? nil : "an unexpected goodbye"
        }
        if message["method"] == "change", let event = message["params"] { return readEvent(event, truth) }
        return readAnswer(message, truth)
    }

    // MARK: Events

    private func readEvent(_ event: Value, _ truth: Truth) -> String? {
        events += 1
        guard let number = event["subscription"]?.int, let mirror = mirrors[number] else {
            return "an event of no subscription"
        }
        guard let path = event["path"]?.string, let raw = event["revision"]?.int else { return "members" }
        let revision = UInt64(raw)
        if revision < lastRevision { return "the revision went back from \(lastRevision)" }
        lastRevision = revision
        mirror.isInFrame = event["more"] == true
        if event["prior"] == true, !mirror.isInFrame { return "a prior line without more" }
        if event["prior"] == true { return readPrior(event, path, revision, mirror) }
        if let prior = mirror.prior, prior != (path, revision) { return "no change after its prior line" }
        mirror.prior = nil
        if let coalesced = event["coalesced"]?.int {
            if mirror.options.every { return "every, and coalesced" }
            if coalesced < 2 { return "coalesced \(coalesced)" }
            coalescedEvents += 1
        }
        let fault =
            event["reason"] == "initial"
            ? readInitial(event, path, revision, mirror, truth)
            : readChange(event, path, revision, mirror, truth)
        return fault ?? (mirror.isInFrame ? nil : checkFrame(revision, mirror, truth))
    }

    /// Checks that all paths are as at the last revision of a frame.
    private func checkFrame(_ revision: UInt64, _ mirror: Mirror, _ truth: Truth) -> String? {
        frames += 1
        if mirror.options.isPaced { return nil }
        if let path = mirror.waitsFor.first { return "the frame ends without the initial event of \(path)" }
        for (path, value) in mirror.values {
            guard let state = truth.state(path, at: revision) else { return "unknown \(path)" }
            if state.value != value {
                return "the frame ends with \(path) as \(value), and at \(revision) it is \(state.value)"
            }
        }
        return nil
    }

    private func readPrior(_ event: Value, _ path: String, _ revision: UInt64, _ mirror: Mirror) -> String? {
        if !mirror.options.prior { return "prior was not asked for" }
        if mirror.prior != nil { return "two prior lines" }
        if event["new"] != nil { return "new on a prior line" }
        mirror.prior = (path, revision)
        return checkOld(event, mirror.values[path] ?? "unknown")
    }

    private func readInitial(
        _ event: Value,
        _ path: String,
        _ revision: UInt64,
        _ mirror: Mirror,
        _ truth: Truth
    ) -> String? {
        guard mirror.waitsFor.remove(path) != nil else { return "a second initial event" }
        if event["old"] != nil { return "old on an initial event" }
        mirror.values[path] = Truth.reduced(event["new"] ?? "missing")
        mirror.since[path] = revision
        mirror.sentAt[path] = now
        return compare(event, path, revision, mirror, truth)
    }

    private func readChange(
        _ event: Value,
        _ path: String,
        _ revision: UInt64,
        _ mirror: Mirror,
        _ truth: Truth
    ) -> String? {
        guard let before = mirror.values[path] else { return "a change before the initial event" }
        if mirror.options.old != (event["old"] != nil) { return "old" }
        if mirror.options.old, let fault = checkOld(event, before) { return fault }
        if let fault = apply(event, path, mirror) { return fault }
        mirror.changesSent[path, default: 0] += Int(event["coalesced"]?.int ?? 1)
        if mirror.options.throttle > 0, isAwake, let before = mirror.sentAt[path],
            now < before + UInt64(mirror.options.throttle)
        {
            return "sent at \(before) and at \(now)"
        }
        if mirror.options.debounce > 0, isAwake,
            now < truth.lastChange(of: path, upTo: revision) + UInt64(mirror.options.debounce)
        {
            return "sent at \(now), and it was not quiet"
        }
        mirror.sentAt[path] = now
        let isDeletion = event["reason"] == "sourceDeleted"
        if isDeletion, mirror.values[path] != .null { return "sourceDeleted with a value" }
        if mirror.options.distinct, !isDeletion, mirror.values[path] == before { return "not distinct" }
        return compare(event, path, revision, mirror, truth)
    }

    /// Checks `old`: the value before, or the affected elements, as this subscription saw them.
    private func checkOld(_ event: Value, _ before: Value) -> String? {
        let old = Truth.reduced(event["old"] ?? "missing")
        var seen = before
        if let kind = event["kind"]?.string, let index = event["indexes"]?[0]?.int {
            seen = kind == "insertion" ? [] : .array([before[Int(index)] ?? "missing"])
        }
        return old == seen ? nil : "old is \(old), and \(seen) was seen before"
    }

    private func apply(_ event: Value, _ path: String, _ mirror: Mirror) -> String? {
        let new = Truth.reduced(event["new"] ?? "missing")
        guard let kind = event["kind"]?.string else {
            mirror.values[path] = new
            return nil
        }
        guard let index = event["indexes"]?[0]?.int.map(Int.init), var array = mirror.values[path]?.array,
            index < array.count + (kind == "insertion" ? 1 : 0)
        else { return "an edit of another array" }
        switch (kind, new.array?.first) {
        case ("insertion", let element?): array.insert(element, at: index)
        case ("removal", nil): array.remove(at: index)
        case ("replacement", let element?): array[index] = element
        default: return "kind \(kind)"
        }
        mirror.values[path] = .array(array)
        return nil
    }

    private func compare(
        _ event: Value,
        _ path: String,
        _ revision: UInt64,
        _ mirror: Mirror,
        _ truth: Truth
    ) -> String? {
        guard let state = truth.state(path, at: revision) else { return "an unknown path" }
        guard let value = mirror.values[path], value == state.value else {
            return "at \(revision) the truth is \(state.value), not \(mirror.values[path] ?? "unknown")"
        }
        return event["nilAt"]?.string == state.nilAt ? nil : "nilAt should be \(state.nilAt ?? "missing")"
    }

    // MARK: Answers

    private func readAnswer(_ message: Value, _ truth: Truth) -> String? {
        guard let id = message["id"]?.int, let request = expected.removeValue(forKey: id) else {
            return "an answer to nothing"
        }
        if let raw = message["result"]?["revision"]?.int {
            if UInt64(raw) < lastRevision { return "the answer's revision went back from \(lastRevision)" }
            if UInt64(raw) != request.revision { return "the revision was \(request.revision)" }
        }
        lastRevision = max(lastRevision, request.revision)
        if let fault = checkBarrier(request.revision, truth) { return fault }
        if message["error"] != nil {
            if case .write = request.kind { return nil }
            return "an error"
        }
        return readResult(message["result"] ?? nil, request, truth)
    }

    private func readResult(_ result: Value, _ request: Expected, _ truth: Truth) -> String? {
        switch request.kind {
        case .ping, .write: return nil
        case .get(let path):
            let state = truth.state(path, at: request.revision)
            return Truth.reduced(result["value"] ?? "missing") == state?.value
                && result["nilAt"]?.string == state?.nilAt
                ? nil : "get, and the truth is \(String(describing: state))"
        case .subscribe(let paths, let options):
            guard let number = result["subscription"]?.int, mirrors[number] == nil else { return "number" }
            let mirror = Mirror(options, waitsFor: options.initial ? Set(paths) : [])
            if result["initial"]?.int != Int64(mirror.waitsFor.count) { return "initial" }
            for path in paths where !options.initial {
                mirror.values[path] = truth.state(path, at: request.revision)?.value
                mirror.since[path] = request.revision
            }
            mirrors[number] = mirror
            return nil
        case .unsubscribe(let number):
            return mirrors.removeValue(forKey: number) == nil ? "no such subscription" : nil
        }
    }

    /// Checks that all changes before an answer have arrived, in the right number of events.
    ///
    /// - Parameter isQuiet: whether no event is delayed any more.
    func checkBarrier(_ revision: UInt64, _ truth: Truth, isQuiet: Bool = false) -> String? {
        for (number, mirror) in mirrors where isQuiet || !mirror.options.isPaced {
            if mirror.prior != nil { return "a prior line without its change" }
            if mirror.isInFrame { return "a frame without end" }
            if let path = mirror.waitsFor.first { return "no initial event of \(path) for \(number)" }
            for (path, value) in mirror.values {
                guard let state = truth.state(path, at: revision) else { return "unknown \(path)" }
                if state.value != value {
                    return
                        "subscription \(number) mirrors \(path) as \(value), and at \(revision) it is \(state.value)"
                }
                guard path == "s.n" || mirror.options.every, mirror.options.distinct else { continue }
                let changes = truth.changes(of: path, after: mirror.since[path] ?? 0, upTo: revision)
                let changesSent = mirror.changesSent[path] ?? 0
                // A removed root sends an event even if the value did not change.
                let isWrong = path == "s.n" ? changesSent != changes : changesSent < changes
                if isWrong {
                    return "subscription \(number) got \(changesSent) of \(changes) changes of \(path)"
                }
            }
        }
        return nil
    }
}
