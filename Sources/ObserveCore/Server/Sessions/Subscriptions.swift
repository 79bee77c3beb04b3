// SPDX-License-Identifier: MIT
// The subscriptions of one connection by their numbers, and the one that is being made. Independent of paths and events.

/// Finds a connection's subscriptions by number. Numbers count up and are not reused.
struct Subscriptions: ~Copyable {
    /// The first attachment of each subscription whose paths are all literal.
    var literal = SubscriptionTable()
    /// The subscriptions that have a pattern.
    var patterns: [Int32: CompoundID] = [:]
    /// The tags of subscriptions, as JSON.
    var tags: [Int32: [UInt8]] = [:]
    /// How many paths and patterns the subscriptions observe.
    var pathCount = 0
    /// How many of them have `throttle` or `debounce`.
    var pacedCount = 0
    /// How much all patterns match, apart from those of the root `observed`.
    let matches = PatternAccount()
    /// The nodes for the patterns of the subscription that is being made.
    var preparation: PatternPreparation?
    /// The paths that it has, if all of them are literal.
    var attached: AttachedPaths?
    /// The rest of a subscription to literal paths that is being removed, since the connection is closed.
    var ending: AttachmentID = .noRecord
    /// The last number in use.
    var last: Int32 = 0

    var isEmpty: Bool { literal.isEmpty && patterns.isEmpty }
    /// Whether there is an open subscription of that number.
    func contains(_ number: Int32) -> Bool { patterns[number] != nil || literal[number] != nil }
    var count: Int { literal.count + patterns.count }

    /// Removes an unfinished subscription to literal paths; nil if it has no attachment.
    mutating func popAttached() -> AttachmentID? {
        guard let first = attached.take()?.first, first != .noRecord else { return nil }
        return first
    }

    /// Removes the attachments of any literal paths; nil without any.
    mutating func popLiteral() -> AttachmentID? {
        guard ending == .noRecord else {
            defer { ending = .noRecord }
            return ending
        }
        return popAttached() ?? literal.popAny()
    }
}

/// What kinds of paths a `subscribe` has.
struct PathSurvey {
    var count = 0
    var hasPattern = false
    /// One of them is below the root `observed`.
    var hasDaemonPath = false
}

/// The first paths of a `subscribe`, which have their attachments. The others follow in the client's next turns.
///
/// All of them are ``AttachmentFlags/delayed`` until the last path has its attachment. So the subscription gets no event
/// before the answer.
///
/// - Threading: none of its own; its session's hub is its only user.
final class AttachedPaths {
    let survey: PathSurvey
    /// The attachments are linked in the order of the paths.
    private(set) var first: AttachmentID = .noRecord
    private var last: AttachmentID = .noRecord
    /// The observed nodes: each path counts once.
    private var nodes: Set<NodeID> = []
    private var daemonNodes: Set<NodeID> = []
    /// The offset behind the last of them in the param `paths`; nil before the first.
    var position: Int?

    var count: Int { nodes.count + daemonNodes.count }

    init(_ survey: PathSurvey) { self.survey = survey }

    /// Notes a path's node.
    ///
    /// - Parameter isDaemons: whether it is in the tree of the root `observed`.
    /// - Returns: false if an earlier path has the same.
    func insert(_ node: NodeID, isDaemons: Bool) -> Bool {
        isDaemons ? daemonNodes.insert(node).inserted : nodes.insert(node).inserted
    }

    /// Adds the attachment of the next path.
    ///
    /// - Returns: the one before, which links to it; `noRecord` for the first.
    func append(_ id: AttachmentID) -> AttachmentID {
        defer { last = id }
        if last == .noRecord { first = id }
        return last
    }
}
