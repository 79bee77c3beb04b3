// SPDX-License-Identifier: MIT
// A subscription as its client sees it: a copy of the values, by the events alone. Checks each event's members.

@testable import ObserveCore

/// The copy, and what the client knows of each path.
final class CatchingUpMirror {
    let options: CatchingUpOptions
    /// Without those that are null; models as their `id`, but with their contents under `**`.
    private(set) var values: [String: Value] = [:]
    /// The values after the last event without `more`, and the revision from which to resume.
    private(set) var kept: [String: Value] = [:]
    var keptRevision: UInt64
    private(set) var isInFrame = false
    private var initial: (announced: Int, pending: Int) = (0, 0)
    private var replayed: (announced: Int, pending: Int) = (0, 0)
    /// An image was missing as the mirror began, or it had not all changes: nothing can be compared.
    private(set) var isLost = false
    /// The paths of the events of the frame so far.
    private var frame: [String] = []
    /// The last prior event: the subscription's next event is its change.
    private var prior: (path: String, revision: UInt64)?
    /// The record of each path that had an event.
    var paths: [String: CatchingUpPathRecord] = [:]
    let beganAt: UInt64
    /// When the first initial event was read, in milliseconds.
    private var initialAt: UInt64?
    private(set) var events = 0
    private(set) var frames = 0

    var isChecked: Bool { options.isExact && !isLost }

    // MARK: The answer

    /// - Parameters:
    ///   - revision: that of the answer, or the one from which the client resumes.
    ///   - initial: how many initial events follow; nil if they are left out.
    ///   - kept: the values that the client resumes with.
    init(
        _ options: CatchingUpOptions,
        at revision: UInt64,
        initial: Int?,
        replayed: Int? = nil,
        kept: [String: Value]? = nil,
        _ truth: CatchingUpTruth
    ) {
        self.options = options
        beganAt = revision
        keptRevision = revision
        self.initial = (initial ?? 0, initial ?? 0)
        self.replayed = (replayed ?? 0, replayed ?? 0)
        if let kept {
            values = kept
            isLost = options.isPaced
        } else if initial == nil {
            isLost = truth.image(revision) == nil
            values = truth.image(revision).map(options.expected) ?? [:]
        }
        self.kept = values
        canResume = self.initial.pending == 0
    }

    /// All initial values were known at the last event without `more`.
    private(set) var canResume = true

    /// Notes an answer that names a revision: all changes up to it have come.
    func resume(from revision: UInt64) {
        if !options.isExact { return }
        kept = values
        keptRevision = revision
    }

    /// Missed events are coming, which have the revisions of their commits.
    var isReplaying: Bool { replayed.pending > 0 }
    var isWaiting: Bool { !isLost && (initial.pending > 0 || replayed.pending > 0) }

    // MARK: Events

    func read(
        _ event: CatchingUpEvent,
        _ conditions: CatchingUpConditions,
        _ truth: CatchingUpTruth
    ) -> String? {
        events += 1
        let wasInFrame = isInFrame
        isInFrame = event.hasMore
        guard options.patterns.contains(where: { $0.matches(event.names) }) else { return "another path" }
        if isLost { return nil }
        if let fault = checkMembers(event) { return fault }
        if event.isPrior { return readPrior(event) }
        if let prior, prior != (event.path, event.revision) { return "no change after its prior event" }
        prior = nil
        if event.raw["new"] == nil { return "no new value" }
        var record = paths[event.path] ?? CatchingUpPathRecord(event.path, at: beganAt, truth)
        let fault =
            event.reason == "initial"
            ? readInitial(event, &record, conditions)
            : readChange(event, &record, conditions, endsFrame: wasInFrame && !event.hasMore, truth)
        record.lastRevision = event.revision
        record.sentAt = conditions.now
        if event.reason == "initial" {
            // All initial events have the time of the first, which short turns may have made before.
            initialAt = initialAt ?? conditions.now
            record.sentAt = conditions.hasShortTurns ? nil : initialAt
        }
        paths[event.path] = record
        frame = event.hasMore ? frame + [event.path] : []
        if let fault { return fault }
        if let fault = compare(event, truth) { return fault }
        return event.hasMore ? nil : endFrame(event.revision, truth)
    }

    private func checkMembers(_ event: CatchingUpEvent) -> String? {
        let raw = event.raw
        if raw["tag"] != options.tag { return "tag" }
        let isInitial = event.reason == "initial"
        if (raw["origin"] != nil) != (options.origin && !isInitial) { return "origin" }
        if (raw["old"] != nil) != (event.isPrior || options.old && !isInitial) { return "old" }
        if options.whole, event.kind != nil { return "kind under whole" }
        if (raw["changedAt"] != nil) != (event.reason == "pathChanged") { return "changedAt" }
        guard let coalesced = raw["coalesced"]?.int else { return nil }
        if options.every || isInitial || event.isPrior { return "coalesced" }
        return coalesced < 2 ? "coalesced \(coalesced)" : event.kind == nil ? nil : "a coalesced edit"
    }

    private func readPrior(_ event: CatchingUpEvent) -> String? {
        if !options.prior || !event.hasMore || event.raw["new"] != nil { return "a prior event" }
        if prior != nil { return "two prior events" }
        if options.debounce > 0 { return "a prior event under debounce" }
        prior = (event.path, event.revision)
        return checkOld(event)
    }

    private func readInitial(
        _ event: CatchingUpEvent,
        _ record: inout CatchingUpPathRecord,
        _ conditions: CatchingUpConditions
    ) -> String? {
        if initial.pending == 0 { return "an initial event too many" }
        initial.pending -= 1
        if record.lastRevision != nil { return "an initial event after another of its path" }
        record.beginCounting(at: event.revision)
        return apply(event)
    }

    private func readChange(
        _ event: CatchingUpEvent,
        _ record: inout CatchingUpPathRecord,
        _ conditions: CatchingUpConditions,
        endsFrame: Bool,
        _ truth: CatchingUpTruth
    ) -> String? {
        if options.isLiteral, initial.announced > 0, record.lastRevision == nil {
            return "a change before the initial event"
        }
        if replayed.pending > 0 { replayed.pending -= 1 }
        let before = seen(event)
        if options.old, let fault = checkOld(event) { return fault }
        if let fault = apply(event) { return fault }
        let isRepeated = event.kind == nil && before != nil && before == comparable(event.new)
        record.cursor.advance(to: event.revision, truth)
        if let fault = checkPace(event, record, conditions, truth) { return fault }
        if options.own, !options.isOverlapped {
            let mayRepeat = conditions.hasLongFrames && endsFrame
            if isRepeated, options.distinct, event.reason != "sourceDeleted",
                !record.hasRootChanged, !mayRepeat
            {
                return "not distinct: \(event.new) was seen before"
            }
            if !isRepeated || !mayRepeat { record.count += event.count }
        }
        if event.reason == "sourceDeleted", !event.new.isNull { return "sourceDeleted with a value" }
        if let fault = checkCount(event, record) { return fault }
        record.noteRoot()
        return nil
    }

    // MARK: What an event says

    /// The value before, where it can be compared: not models below `**`.
    private func seen(_ event: CatchingUpEvent) -> Value? {
        guard let deep = options.deep else { return values[event.path] ?? .null }
        // An event above it in the same frame has shown it already.
        if frame.contains(where: { event.path.hasPrefix($0 + ".") }) { return nil }
        let count = deep.base.count
        var value = values[event.names.prefix(count).joined(separator: ".")] ?? .null
        for name in event.names.dropFirst(count) {
            value = value[name] ?? Int(name).flatMap { value[$0] } ?? .null
        }
        return value.hasModels ? Value?.none : value
    }

    /// The same of an event's value.
    private func comparable(_ value: Value) -> Value? {
        if options.deep == nil { return TreeImage.reduced(value) }
        return value.hasModels ? Value?.none : value
    }

    private func checkOld(_ event: CatchingUpEvent) -> String? {
        guard options.own, !options.isOverlapped, let before = seen(event) else { return nil }
        let old = TreeImage.reduced(event.raw["old"] ?? "missing")
        var expected = before
        if event.kind == "insertion" {
            expected = []
        } else if event.kind != nil, let index = event.index {
            expected = .array([before[index] ?? "missing"])
        }
        return old == expected ? nil : "old is \(old), and \(expected) was seen before"
    }

    private func checkPace(
        _ event: CatchingUpEvent,
        _ record: CatchingUpPathRecord,
        _ conditions: CatchingUpConditions,
        _ truth: CatchingUpTruth
    ) -> String? {
        guard conditions.isPrompt, options.isPaced else { return nil }
        if options.throttle > 0, let last = record.sentAt, conditions.now < last + UInt64(options.throttle) {
            return "sent at \(last) and at \(conditions.now)"
        }
        guard options.debounce > 0, options.own, options.deep == nil, record.cursor.isComplete else {
            return nil
        }
        let last = truth.time(of: record.cursor.lastChange)
        return record.cursor.changes > 0 && conditions.now < last + UInt64(options.debounce)
            ? "sent at \(conditions.now), and the path has changed at \(last)" : nil
    }

    /// The events of a path never stand for more changes than there were.
    private func checkCount(_ event: CatchingUpEvent, _ record: CatchingUpPathRecord) -> String? {
        guard options.deep == nil, options.distinct, options.own,
            !options.isOverlapped
                && record.cursor.isComplete
        else { return nil }
        let changes = record.cursor.changes + record.cursor.rootChanges
        return record.count <= changes ? nil : "\(record.count) changes sent, there were \(changes)"
    }

    /// Compares the event itself with the state at its revision.
    private func compare(_ event: CatchingUpEvent, _ truth: CatchingUpTruth) -> String? {
        guard let image = truth.image(event.revision), !isLost else { return nil }
        let isGone = !image.roots.contains(event.names[0])
        if event.reason != "initial", isGone != (event.reason == "sourceDeleted") { return "reason" }
        let path = event.names.map(CatchingUpComponent.init)
        let state = image.state(of: path)
        guard let deep = options.deep else {
            let value = image.reduced(state.cell)
            if options.own || event.kind == nil, (values[event.path] ?? .null) != value {
                return "at \(event.revision) it is \(value), not \(values[event.path] ?? .null)"
            }
            let nilAt = event.raw["nilAt"]?.string
            return nilAt == state.nilAt ? nil : "nilAt should be \(state.nilAt ?? "missing")"
        }
        guard !options.isOverlapped, event.kind == nil,
            !image.isBelowWeak(event.names, from: deep.base.count)
        else { return nil }
        let value = image.whole(state.cell).withoutNulls
        return value == event.new.withoutNulls ? nil : "at \(event.revision) it is \(value)"
    }

    // MARK: The copy

    private func apply(_ event: CatchingUpEvent) -> String? {
        guard let deep = options.deep else {
            var mirror = ValueMirror(values[event.path] ?? .null)
            let new = TreeImage.reduced(event.new)
            let fault = mirror.apply([], kind: event.kind, index: event.index, new: new)
            set(event.path, mirror.value)
            return options.own ? fault : nil
        }
        guard deep.matches(event.names) else { return nil }
        let base = event.names.prefix(deep.base.count).joined(separator: ".")
        var mirror = ValueMirror(values[base] ?? .null)
        let names = event.names.dropFirst(deep.base.count)
        let fault = mirror.apply(names, kind: event.kind, index: event.index, new: event.new)
        set(base, mirror.value.withoutNulls)
        // An element's event may follow one that shows a later array.
        return options.isOverlapped || !options.isExact ? nil : fault
    }

    private func set(_ path: String, _ value: Value) {
        values.removeValue(forKey: path)
        if !value.isNull { values[path] = value }
    }

    private func endFrame(_ revision: UInt64, _ truth: CatchingUpTruth) -> String? {
        frames += 1
        if initial.pending > 0, !options.isPaced {
            return "the frame lacks \(initial.pending) initial events"
        }
        if replayed.pending > 0 { return "the frame lacks \(replayed.pending) missed events" }
        canResume = initial.pending == 0
        kept = values
        keptRevision = revision
        if replayed.announced > 0 {
            replayed.announced = 0
            if let fault = checkReplay(revision, truth) { return fault }
        }
        return isChecked ? difference(revision, truth).map { "at the end of a frame, \($0)" } : nil
    }

    /// A replay has each change of each path.
    private func checkReplay(_ revision: UInt64, _ truth: CatchingUpTruth) -> String? {
        guard options.isLiteral, options.distinct, isChecked else { return nil }
        for pattern in options.patterns {
            var cursor = CatchingUpCursor(pattern.text, at: beganAt, truth)
            cursor.advance(to: revision, truth)
            let count = paths[pattern.text]?.count ?? 0
            if cursor.isComplete, count < cursor.changes {
                return "\(count) of \(cursor.changes) missed changes of \(pattern.text)"
            }
        }
        return nil
    }

    /// How the copy differs from the state at a revision; nil if it is exact, or cannot be compared.
    func difference(_ revision: UInt64, _ truth: CatchingUpTruth) -> String? {
        guard let image = truth.image(revision), !isLost else { return nil }
        let expected = options.expected(image)
        if values == expected { return nil }
        let paths = Set(values.keys).union(expected.keys).filter { values[$0] != expected[$0] }.sorted()
        let path = paths.first ?? "?"
        return
            "the mirror has \(path) as \(values[path] ?? .null), and at \(revision) it is \(expected[path] ?? .null)"
    }
}
