// SPDX-License-Identifier: MIT
// The limits, as `status` shows them, and the refusals of what exceeds them.

extension ReadingMethods {
    /// Each limit, and its use if that is the whole daemon's.
    /// - Parameter isCoarse: whether to report the size of the tree in whole MiB, as restricted clients always get it.
    func statusOfLimits(isCoarse: Bool) -> Value {
        let treeBytes = tree.usedBytes
        var current = ServerLimits()
        (current.clients, current.tree) = (clients.limits, tree.limits)
        let used = [
            "maxBindings": tree.bindingCount,
            "maxConnections": clients.sessions.admissions.count,
            "maxBufferedBytes": shown(clients.sessions.buffered.total, in: Hub.mebibyte, isCoarse),
            "maxTreeBytes": isCoarse
                ? roundedUp(treeBytes, Hub.mebibyte) : shown(treeBytes, in: Hub.mebibyte, isCoarse),
        ]
        let members = ServerLimits.all.map { limit in
            let max = ("max", Value.int(Int64(current[keyPath: limit.value])))
            let use = used[limit.name].map { [("used", Value.int(Int64($0)))] } ?? []
            return (limit.name, Value.object(ValueMembers([max] + use)))
        }
        return .object(ValueMembers(members))
    }

    static let mebibyte = 1 << 20

    /// A figure that depends on values. A restricted client gets it in whole units: the exact number would tell the length of a
    /// value that it can replace, and not read.
    ///
    /// - Parameters:
    ///   - unit: a power of two.
    ///   - isShared: whether restricted clients may share the figure with others.
    func shown(_ count: Int, in unit: Int, _ isShared: Bool = false) -> Int {
        let hasRules = access?.rules.isEmpty == false
        return clients.writer.isRestricted || isShared && hasRules ? roundedUp(count, unit) : count
    }

    private func roundedUp(_ count: Int, _ unit: Int) -> Int { (count &+ unit &- 1) & ~(unit &- 1) }

    /// The refusal of a commit that would make the tree too large. A restricted client does not learn how large it is.
    func tooLarge(_ refusal: TreeError) -> TreeError {
        clients.writer.isRestricted ? tree.refusalOfGrowth : refusal
    }

    /// Throws if a part of a load leaves too little for the rest: it and the tree exceed the tree's limit.
    func requireRoom(forLoad bytes: Int) throws(WireError) {
        do throws(TreeError) { try tree.requireRoom(forLoad: bytes) } catch { throw WireError(error) }
    }

    func tooManyOperations(_ what: StaticString, _ elements: StaticString) -> WireError {
        .limitExceeded(
            "\(what) holds at most \(clients.limits.maxOperations) \(elements) (maxOperations); nothing of it was executed"
        )
    }

    /// Throws if the connection has used up the numbers of its subscriptions, which are not reused.
    func requireNumber(of session: Session) throws(WireError) {
        guard session.subscriptions.last >= Numbering.largest else { return }
        throw .limitExceeded(
            "a connection makes at most \(Numbering.largest) subscriptions in its life; connect again for more"
        )
    }

    /// Throws if the connection would observe more paths than it may. A change costs patterns that match a new path about twice as
    /// much as other paths, and their marks again, so only a quarter may be patterns.
    /// - Parameter isPaced: whether they have `throttle` or `debounce`. A change costs these about four times as much, so
    ///   only a quarter may be paced.
    func requireRoom(for survey: PathSurvey, isPaced: Bool, of session: Session) throws(WireError) {
        let room = clients.limits.maxSubscriptions - Int(session.subscriptions.pathCount)
        if survey.count + survey.kilobytes > room {
            throw .limitExceeded(
                "a connection observes at most \(clients.limits.maxSubscriptions) paths and patterns (maxSubscriptions)"
            )
        }
        let quarter = (clients.limits.maxSubscriptions + 3) / 4
        let most = min(max(quarter, Hub.fewestPatterns), clients.limits.maxSubscriptions)
        if survey.hasPattern, survey.count > most - session.subscriptions.further.patternCount {
            throw .limitExceeded(
                "a connection observes at most \(most) patterns (a quarter of maxSubscriptions)"
            )
        }
        if isPaced, survey.count > quarter - session.subscriptions.further.pacedCount {
            throw .limitExceeded(
                "a connection observes at most \(quarter) paths and patterns with throttle or debounce (a quarter of maxSubscriptions)"
            )
        }
    }

    /// A connection may have so many patterns, whatever a quarter is.
    private static let fewestPatterns = 1024
    /// How many dumps all restricted clients may read together: each of them costs every commit.
    private static let mostDumps = 16
    /// How many dumps, and how many loads, the restricted clients of one user may have under way.
    private static let mostTransfersOfUser = 4

    /// Throws if a restricted client may not begin a dump. The daemon's own user and root always may.
    func requireRoomForDump() throws(WireError) {
        guard clients.writer.isRestricted else { return }
        guard clients.sessions.all.count(where: { $0.grant != nil && $0.dump != nil }) < Hub.mostDumps
        else { throw .limitExceeded("\(Hub.mostDumps) dumps are in progress, which is the limit") }
        try requireRoom(forTransfer: "dumps") { $0.dump != nil }
    }

    func requireRoom(forTransfer name: StaticString, _ isUnderWay: (Session) -> Bool) throws(WireError) {
        guard clients.writer.isRestricted else { return }
        let user = unsafe clients.writer.session?.author.user
        let count = clients.sessions.all.count { $0.grant != nil && $0.author.user == user && isUnderWay($0) }
        guard count >= Hub.mostTransfersOfUser else { return }
        throw .limitExceeded("\(count) \(name) of this user are in progress, which is the limit")
    }
}
