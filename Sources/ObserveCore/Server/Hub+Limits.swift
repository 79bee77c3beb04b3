// SPDX-License-Identifier: MIT
// The limits, as `status` shows them.

extension Hub {
    /// Each limit, and its use if that is the whole daemon's.
    var statusOfLimits: Value {
        func limit(_ name: String, _ max: Int, used: Int? = nil) -> (String, Value) {
            let members = [("max", Value.int(Int64(max)))] + (used.map { [("used", .int(Int64($0)))] } ?? [])
            return (name, .object(ValueMembers(members)))
        }
        return .object(
            ValueMembers([
                limit("maxLineBytes", limits.maxLineBytes),
                limit("maxOutboxBytes", limits.maxOutboxBytes),
                limit("foldAfterBytes", limits.foldAfterBytes),
                limit("maxRenderedBytes", tree.limits.maxRenderedBytes),
                limit("maxDepth", tree.limits.maxDepth),
                limit("maxMatches", tree.limits.maxMatches),
                limit("maxConnections", limits.maxConnections, used: sessions.count),
            ])
        )
    }
}
