// SPDX-License-Identifier: MIT
// The limits, as `status` shows them, and the refusals of what exceeds them.

extension Hub {
    /// Each limit, and its use if that is the whole daemon's.
    var statusOfLimits: Value {
        var current = ServerLimits()
        (current.clients, current.tree) = (limits, tree.limits)
        let used = ["maxBindings": tree.bindingCount, "maxConnections": sessions.count]
        let members = ServerLimits.all.map { limit in
            let max = ("max", Value.int(Int64(current[keyPath: limit.value])))
            let use = used[limit.name].map { [("used", Value.int(Int64($0)))] } ?? []
            return (limit.name, Value.object(ValueMembers([max] + use)))
        }
        return .object(ValueMembers(members))
    }

    /// The refusal of a transaction or batch with too many elements.
    ///
    /// - Parameter what: the line's kind and its elements' name.
    func tooManyOperations(_ what: StaticString, _ elements: StaticString) -> WireError {
        WireError(
            .limitExceeded,
            "\(what) holds at most \(limits.maxOperations) \(elements) (maxOperations); nothing of it was executed"
        )
    }

    /// Throws if the connection would observe so many more paths than it may.
    func requireRoom(forPaths count: Int, of session: Session) throws(WireError) {
        guard count > limits.maxSubscriptions - session.subscriptions.pathCount else { return }
        throw WireError(
            .limitExceeded,
            "a connection observes at most \(limits.maxSubscriptions) paths and patterns (maxSubscriptions)"
        )
    }
}
