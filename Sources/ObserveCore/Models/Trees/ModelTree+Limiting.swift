// SPDX-License-Identifier: MIT
// Refuses commits that would make the tree larger than it may be. Independent of what a commit writes.

extension ModelTree {
    /// About how many bytes of memory the tree's models, properties, names and values take. Counted, not computed.
    @inline(__always) package var usedBytes: Int { records.usedBytes &+ stacks.byteCount }

    /// The same as ``commit(_:)``, but rolls back a commit that makes the tree larger, and larger than
    /// ``TreeLimits/maxTreeBytes``: `error` makes the error from the refusal.
    @discardableResult @inline(__always)
    func commit<E: Error>(refusingAs error: (TreeError) -> E, _ body: () throws(E) -> Void) throws(E) -> Bool
    {
        try write(refusingAs: error, body)
        return finish()
    }

    /// The same, but leaves the commit open. The tree may grow beyond its limit unless `isLimited`.
    @inline(__always) func write<E: Error>(
        refusingAs error: (TreeError) -> E,
        isLimited: Bool = true,
        _ body: () throws(E) -> Void
    ) throws(E) {
        let before = usedBytes
        try write(body)
        addConsequences()
        if isLimited, usedBytes > limits.maxTreeBytes, usedBytes > before {
            let refusal = tooLarge(before)
            rollBackUpdated()
            throw error(refusal)
        }
    }

    private func tooLarge(_ before: Int) -> TreeError {
        let excess = "more than \(limit) allows; it takes \(before) now"
        return TreeError(.limitExceeded, "the tree would take \(usedBytes) bytes, \(excess)")
    }

    private var limit: String { "maxTreeBytes (\(limits.maxTreeBytes))" }

    /// Says that the tree is larger than a lowered ``TreeLimits/maxTreeBytes``; nil if it is not.
    package var sizeExcess: String? {
        guard usedBytes > limits.maxTreeBytes else { return nil }
        return "the tree takes \(usedBytes) bytes, more than \(limit)"
    }

    /// The refusal for a client that may not learn how large the tree is.
    var refusalOfGrowth: TreeError {
        TreeError(.limitExceeded, "the tree would take more bytes than \(limit) allows")
    }

    func requireRoom(forLoad bytes: Int) throws(TreeError) {
        guard usedBytes + bytes > limits.maxTreeBytes else { return }
        let fault = "the load and the tree would take more bytes than \(limit) allows; the load was cancelled"
        throw TreeError(.limitExceeded, fault)
    }

    /// Whether a text of that many bytes surely leaves the tree within its limit.
    @inline(__always)
    func hasRoom(forText count: Int) -> Bool { usedBytes &+ count &+ 64 <= limits.maxTreeBytes }
}
