// SPDX-License-Identifier: MIT
// Increments numbers. Independent of how a request spells the step.

extension WritingTree {
    /// Adds a number to the one at `path`; null counts as 0.
    ///
    /// Two integers make an integer and never wrap; a double on either side makes a double. Beyond a bound, the bound takes
    /// the place of the sum.
    ///
    /// - Returns: whether the value changed, and the value there now.
    func increment(
        _ path: ParsedKeyPath,
        by step: StoredValue,
        from least: StoredValue? = nil,
        to greatest: StoredValue? = nil
    ) throws(TreeError) -> (changed: Bool, value: StoredValue) {
        try refuseReserved(path)
        let place = walk(path)
        try refuseMissing(path, at: place)
        let old = value(at: place)
        let total = try sum(old, step, path)
        let bounded =
            least.flatMap { total.isBelow($0) ? $0 : nil }
            ?? greatest.flatMap { $0.isBelow(total) ? $0 : nil }
        if bounded == nil, case .double(let total) = total, !hasDouble(old, step) || !total.isFinite {
            throw outOfRange(old, step, path)
        }
        let new = try converted(bounded ?? total, for: path, at: place)
        let changed = try put(new, path, at: place)
        return (changed, changed ? new : old)
    }

    private func hasDouble(_ old: StoredValue, _ step: StoredValue) -> Bool {
        if case .double = old { return true }
        if case .double = step { return true }
        return false
    }

    /// The sum, which may be infinite. That of two integers beyond 64 bits is a double beyond them, too.
    private func sum(_ old: StoredValue, _ step: StoredValue, _ path: ParsedKeyPath) throws(TreeError)
        -> StoredValue
    {
        switch (old, step) {
        case (.absent, _), (.null, _): return step
        case (.int(let old), .int(let step)):
            let (sum, overflow) = old.addingReportingOverflow(step)
            let inexact = Double(old) + Double(step)
            return !overflow ? .int(sum) : .double(step < 0 ? min(inexact, (-0x1p63).nextDown) : inexact)
        case (.int(let old), .double(let step)): return .double(Double(old) + step)
        case (.double(let old), .int(let step)): return .double(old + Double(step))
        case (.double(let old), .double(let step)): return .double(old + step)
        default:
            throw TreeError(
                kind: .typeMismatch,
                message: "\(path.escaped) is \(old.kindPhrase), and only a number can be incremented",
                path: path.escaped
            )
        }
    }

    private func outOfRange(_ old: StoredValue, _ step: StoredValue, _ path: ParsedKeyPath) -> TreeError {
        let sentence =
            hasDouble(old, step)
            ? "would not be a finite number" : "would leave the 64 bits of an integer"
        return TreeError(
            kind: .limitExceeded,
            message: "the sum of \(old.json) and \(step.json) \(sentence), at \(path.escaped)",
            path: path.escaped
        )
    }
}
