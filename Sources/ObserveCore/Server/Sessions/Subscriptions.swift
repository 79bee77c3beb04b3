// SPDX-License-Identifier: MIT
// The subscriptions of one connection by their numbers, which are not reused, and the one that is being made. Independent of events.

struct Subscriptions: ~Copyable {
    /// The first attachment of each subscription whose paths are all literal.
    var literal = SubscriptionTable()
    private var rare = Rare<FurtherSubscriptions>()
    /// A subscription with a pattern that is being removed, and the rest of one to literal paths. They get no more events.
    var endingCompound: CompoundID = .noRecord
    var ending: AttachmentID = .noRecord
    var last: Int32 = 0
    /// How many paths and patterns the subscriptions observe. A long one counts once more for each KiB of its text.
    var pathCount: Int32 = 0

    /// What only patterns, options and requests with many paths need.
    var further: FurtherSubscriptions {
        _read { yield rare.value }
        _modify { yield &rare.value }
    }

    /// What the paths of each subscription share that has a pattern.
    var compounds: [Int32: CompoundID] {
        _read { yield further.compounds }
        _modify { yield &further.compounds }
    }

    /// How much all patterns match, apart from those of the root `observed`.
    var matches: SharedNeeds {
        mutating get {
            if let known = further.matches { return known }
            let fresh = SharedNeeds()
            further.matches = fresh
            return fresh
        }
    }

    var isEmpty: Bool { literal.isEmpty && compounds.isEmpty }
    func contains(_ number: Int32) -> Bool { literal[number] != nil || compounds[number] != nil }
    var count: Int { literal.count + compounds.count }

    /// A subscription's tag, as JSON.
    func tag(of number: Int32) -> [UInt8]? { further.notes[number]?.tag }

    /// Keeps the tag of a subscription, and counts the text of its long paths: a KiB like a path.
    mutating func note(_ tag: [UInt8]?, kilobytes: Int, of number: Int32) {
        if tag == nil, kilobytes == 0 { return }
        further.notes[number] = SubscriptionNotes(tag: tag, kilobytes: Int32(kilobytes))
        pathCount += Int32(kilobytes)
    }

    mutating func count(earlierEvents events: UInt64, of number: Int32) {
        further.notes[number, default: SubscriptionNotes()].earlierEvents &+= events
    }

    mutating func removeNotes(of number: Int32) {
        if rare.isMade, let notes = further.notes.removeValue(forKey: number) { pathCount -= notes.kilobytes }
    }

    mutating func popCompound() -> CompoundID? { compounds.isEmpty ? nil : compounds.popFirst()?.value }

    mutating func popCompound(of number: Int32) -> CompoundID? {
        compounds.isEmpty ? nil : compounds.removeValue(forKey: number)
    }

    /// Removes an unfinished subscription to literal paths; nil if it has no attachment.
    mutating func popAttached() -> AttachmentID? {
        guard let first = further.attached?.first else { return nil }
        further.attached = nil
        return first == .noRecord ? nil : first
    }

    mutating func popLiteral() -> AttachmentID? {
        if ending != .noRecord { return exchange(&ending, with: .noRecord) }
        return popAttached() ?? literal.popAny()
    }
}

/// What only few connections need: see ``Subscriptions``.
struct FurtherSubscriptions: Blank, ~Copyable {
    var compounds: [Int32: CompoundID] = [:]
    var notes: [Int32: SubscriptionNotes] = [:]
    /// How many of the paths and patterns have `throttle` or `debounce`.
    var pacedCount = 0
    /// How many of them are of subscriptions with a pattern.
    var patternCount = 0
    var matches: SharedNeeds?
    /// The nodes for the patterns of the subscription that is being made, and the paths that it has until now.
    var preparation: PatternPreparation?
    var attached: AttachedPaths?
}

/// What few open subscriptions have.
struct SubscriptionNotes {
    /// As JSON.
    var tag: [UInt8]?
    /// See ``PathSurvey/kilobytes``.
    var kilobytes: Int32 = 0
    /// The events that no attachment counts any more.
    var earlierEvents: UInt64 = 0
}

/// What kinds of paths a `subscribe` has.
struct PathSurvey {
    var count = 0
    /// How many KiB of text they have, each rounded down.
    var kilobytes = 0
    var hasPattern = false
    var hasDaemonPath = false
    var hasCondition = false
    /// Whether it has evaluated an operator or its conditions.
    var hasOperator = false
}

/// The first paths of a `subscribe`: those that the survey has seen, then those that have their attachments. The others
/// follow in the client's next turns.
///
/// All of them are ``AttachmentFlags/delayed`` until the last path has its attachment. So the subscription gets no event
/// before the answer.
final class AttachedPaths {
    var survey: PathSurvey
    /// Whether the survey has seen all paths. Then each gets its attachment.
    var isSurveyed: Bool
    /// The attachments are linked in the order of the paths.
    private(set) var first: AttachmentID = .noRecord
    private var last: AttachmentID = .noRecord
    /// The observed nodes: each path counts once.
    private var nodes: Set<NodeID> = []
    private var daemonNodes: Set<NodeID> = []
    /// The offset in the param `paths` of the path that comes next; 0 before the first.
    var position = 0

    /// - Parameter survey: that of all paths; nil before the first path.
    init(_ survey: PathSurvey? = nil) { (self.survey, isSurveyed) = (survey ?? PathSurvey(), survey != nil) }

    var count: Int { nodes.count + daemonNodes.count }

    /// - Returns: false if an earlier path has the same.
    func insert(_ node: NodeID, isDaemons: Bool) -> Bool {
        isDaemons ? daemonNodes.insert(node).inserted : nodes.insert(node).inserted
    }

    /// - Returns: the one before, which links to it; `noRecord` for the first.
    func append(_ id: AttachmentID) -> AttachmentID {
        defer { last = id }
        if last == .noRecord { first = id }
        return last
    }
}

/// The first attachment of each subscription, by the subscription's number.
///
/// The latest subscriptions are in an array, four bytes each. When most of these are gone, the others move to a dictionary.
///
/// - Bounds: the array has at most five entries for each of its subscriptions, and 32 more.
/// - Cost: O(1), amortised.
struct SubscriptionTable {
    /// The number of `latest[0]`.
    private var base: Int32 = 1
    /// How many entries of ``latest`` have a subscription.
    private var latestCount: Int32 = 0
    /// `noRecord` for numbers without a subscription.
    private var latest: ContiguousArray<AttachmentID> = []
    private var lasting: [Int32: AttachmentID] = [:]

    var count: Int { Int(latestCount) + lasting.count }
    var isEmpty: Bool { count == 0 }

    subscript(number: Int32) -> AttachmentID? {
        guard number >= base else { return lasting[number] }
        let index = Int(number) - Int(base)
        return index < latest.count && latest[index] != .noRecord ? latest[index] : nil
    }

    /// Adds a subscription; its number is higher than any before.
    mutating func append(_ number: Int32, _ first: AttachmentID) {
        let gap = Int(number) - Int(base) - latest.count
        precondition(gap >= 0, "subscriptions are numbered upwards")
        if isSparse(latest.count + gap) {
            moveToDictionary()
            base = number
        } else {
            for _ in 0..<gap { latest.append(.noRecord) }
        }
        latest.append(first)
        latestCount += 1
    }

    mutating func remove(_ number: Int32) -> AttachmentID? {
        guard number >= base else { return lasting.removeValue(forKey: number) }
        guard let first = self[number] else { return nil }
        latest[Int(number) - Int(base)] = .noRecord
        latestCount -= 1
        if isSparse(latest.count) { moveToDictionary() }
        return first
    }

    mutating func popAny() -> AttachmentID? {
        while let first = latest.popLast() {
            guard first != .noRecord else { continue }
            latestCount -= 1
            return first
        }
        return lasting.popFirst()?.value
    }

    func forEach(_ body: (AttachmentID) -> Void) {
        for first in lasting.values { body(first) }
        for first in latest where first != .noRecord { body(first) }
    }

    private func isSparse(_ room: Int) -> Bool { room > 5 * Int(latestCount) + 32 }

    private mutating func moveToDictionary() {
        for (index, first) in latest.enumerated() where first != .noRecord {
            lasting[base + Int32(index)] = first
        }
        base += Int32(latest.count)
        latest = []
        latestCount = 0
    }
}
