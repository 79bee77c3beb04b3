// SPDX-License-Identifier: MIT
// The results of a transaction under way. Independent of how they are sent.

/// The result of a write.
struct WriteOutcome {
    var changed: Bool
    /// Whether the result leaves ``changed`` out: the client may not read the path.
    var isHidden = false
    /// The value at the path, if the result has it: after an increment.
    var value = StoredValue.absent
}

/// The results of the request under way; empty between requests.
struct Reply: ~Copyable {
    /// The results of the operations of the transaction under way.
    var outcomes = Scratch<WriteOutcome>()

    /// The client's turn was over before the request's end. The hub executes it again in the next turn, and the method
    /// continues from what it has kept.
    var isSuspended = false

    /// Whether the request under way must leave nothing: see ``Hub/preview(isLimited:_:)``.
    var isDryRun = false

    var isIdle: Bool { !isSuspended && !isDryRun && outcomes.isEmpty }

    /// Whether the last request is to be executed again.
    mutating func popSuspended() -> Bool {
        defer { isSuspended = false }
        return isSuspended
    }
}
