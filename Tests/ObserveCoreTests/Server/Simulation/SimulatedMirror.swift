// SPDX-License-Identifier: MIT
// A subscription as its client sees it: a copy of the observed values, by the events alone.

@testable import ObserveCore

/// What a client subscribes to.
struct SimulatedSubscription {
    enum Paths {
        case literal([String])
        case pattern(String)
        /// `P.**`, or `**` without names.
        case below([String])
    }

    var paths: Paths
    var options = ""
    var hasInitial = true
    /// The client's own changes are left out, or events are delayed: the mirror is not always exact.
    var isExact = true
    /// The mirror is exact once nothing is delayed.
    var isPaced = false

    var json: String {
        switch paths {
        case .literal(let paths): "[" + paths.map { "\"\($0)\"" }.joined(separator: ",") + "]"
        case .pattern(let pattern): "[\"\(pattern)\"]"
        case .below(let base): "[\"\((base + ["**"]).joined(separator: "."))\"]"
        }
    }

    /// The values of an exact mirror: those that are not null, by their paths.
    func expected(_ image: TreeImage) -> [String: Value] {
        var values: [String: Value] = [:]
        switch paths {
        case .literal(let paths):
            for path in paths { values[path] = image.reduced(image.cell(path.names)) }
        case .pattern(let pattern):
            values = image.expanded(pattern.names).mapValues { image.reduced($0) }
        case .below(let base):
            for root in base.isEmpty ? image.roots.map({ [$0] }) : [base] {
                values[root.joined(separator: ".")] = image.whole(image.cell(root)).withoutNulls
            }
        }
        return values.filter { !$0.value.isNull }
    }
}

extension String {
    /// The components of a path without escapes.
    var names: [String] { split(separator: ".").map(String.init) }
}

/// The copy, and whether it is complete.
final class SimulatedMirror {
    let subscription: SimulatedSubscription
    private(set) var values: [String: Value] = [:]
    /// The values after the last event without `more`.
    private(set) var kept: [String: Value] = [:]
    /// The revision of that event, or of a later answer.
    private(set) var revision: UInt64 = 0
    private(set) var isInFrame = false
    /// The first values have come.
    private(set) var isKnown = false
    /// How many initial or missed events are still to come.
    private var announced = 0
    /// The missed events are coming.
    private(set) var isReplaying = false
    private(set) var frames = 0

    init(_ subscription: SimulatedSubscription) { self.subscription = subscription }

    // MARK: The answer to `subscribe`

    /// Begins as the answer says; `image` has the state at its revision.
    ///
    /// - Returns: a fault.
    func begin(_ result: Value, after last: SimulatedMirror?, _ image: TreeImage) -> String? {
        guard let raw = result["revision"]?.int, let initial = result["initial"]?.int,
            let isResumed = result["resumed"]?.bool
        else { return "members of the answer" }
        revision = UInt64(raw)
        if isResumed {
            guard let last, initial == 0, let replayed = result["replayed"]?.int else { return "resumed" }
            kept = last.kept
            values = kept
            (announced, isReplaying) = (Int(replayed), replayed > 0)
            if isReplaying { revision = last.revision }
        } else if last != nil || subscription.hasInitial {
            announced = Int(initial)
        } else {
            if initial != 0 { return "\(initial) initial events" }
            kept = subscription.expected(image)
            values = kept
        }
        isKnown = announced == 0
        if isKnown { return check(image) }
        return nil
    }

    // MARK: Events

    /// Applies an event; `image` has the state at its revision.
    ///
    /// - Returns: a fault.
    func apply(_ event: Value, path: String, at revision: UInt64, _ image: TreeImage) -> String? {
        if revision < self.revision, isKnown || isInFrame {
            return "revision \(revision) after \(self.revision)"
        }
        isInFrame = event["more"] == true
        if event["prior"] == true {
            if !isInFrame { return "a prior event without more" }
            return event["new"] == nil ? nil : "a prior event with new"
        }
        guard let new = event["new"] else { return "no new value" }
        if let fault = apply(event, path, new), subscription.isExact, !subscription.isPaced { return fault }
        if isReplaying || event["reason"] == "initial" {
            announced -= 1
            if announced < 0, !isReplaying { return "an initial event too many" }
        }
        if isInFrame { return nil }
        if announced > 0, !subscription.isPaced { return "the first frame lacks \(announced) events" }
        isKnown = true
        isReplaying = false
        frames += 1
        self.revision = revision
        kept = values
        return check(image)
    }

    private func apply(_ event: Value, _ path: String, _ new: Value) -> String? {
        let kind = event["kind"]?.string
        let index = event["indexes"]?[0]?.int.map(Int.init)
        switch subscription.paths {
        case .below(let base):
            let names = path.names
            guard names.starts(with: base) else { return "an event of another path" }
            let root = base.isEmpty ? Array(names.prefix(1)) : base
            var mirror = ValueMirror(values[root.joined(separator: ".")] ?? .null)
            let fault = mirror.apply(names[root.count...], kind: kind, index: index, new: new)
            values[root.joined(separator: ".")] = mirror.value
            return fault
        case .literal(let paths):
            if !paths.contains(path) { return "an event of another path" }
        case .pattern: break
        }
        var mirror = ValueMirror(values[path] ?? .null)
        let fault = mirror.apply([], kind: kind, index: index, new: TreeImage.reduced(new))
        values[path] = mirror.value
        return fault
    }

    // MARK: Checks

    /// Notes an answer that names a revision: all events up to it have come.
    ///
    /// - Returns: a fault.
    func noteAnswer(_ revision: UInt64, _ image: TreeImage) -> String? {
        guard isKnown, !subscription.isPaced, subscription.isExact, revision >= self.revision else {
            return nil
        }
        if isInFrame { return "an answer within a frame of \(subscription.json)" }
        self.revision = revision
        return check(image)
    }

    private func check(_ image: TreeImage) -> String? {
        subscription.isExact && !subscription.isPaced ? compare(image) : nil
    }

    /// Compares the mirror with the state.
    func compare(_ image: TreeImage) -> String? {
        let expected = subscription.expected(image)
        let found = values.mapValues(\.withoutNulls).filter { !$0.value.isNull }
        if found == expected.mapValues(\.withoutNulls) { return nil }
        for path in Set(found.keys).union(expected.keys).sorted()
        where found[path] != expected[path]?.withoutNulls {
            return
                "the mirror of \(subscription.json) \(subscription.options) at revision \(revision) has \(found[path] ?? .null) at \(path), instead of \(expected[path] ?? .null)"
        }
        return nil
    }

    /// Whether it may be resumed.
    var isResumable: Bool { isKnown && subscription.isExact && !subscription.isPaced }
}
