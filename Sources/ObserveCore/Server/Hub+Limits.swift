// SPDX-License-Identifier: MIT
// The limits, as `status` shows them.

extension Hub {
    /// Each limit, and its use if that is the whole daemon's.
    var statusOfLimits: Value {
        func limit(_ name: String, _ max: Int, used: Int? = nil) -> (String, Value) {
            let members = [("max", Value.int(Int64(max)))] + (used.map { [("used", .int(Int64($0)))] } ?? [])
            return (name, .object(ValueMembers(members)))
        }
        let ofTree = tree.limits
        return .object(
            ValueMembers([
                limit("maxLineBytes", limits.maxLineBytes),
                limit("maxOutboxBytes", limits.maxOutboxBytes),
                limit("foldAfterBytes", limits.foldAfterBytes),
                limit("maxRenderedBytes", ofTree.maxRenderedBytes),
                limit("maxDepth", ofTree.maxDepth),
                limit("maxMatches", ofTree.maxMatches),
                limit("maxLifetimes", ofTree.maxLifetimes),
                limit("maxConnections", limits.maxConnections, used: sessions.count),
            ])
        )
    }
}
