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
        let bound = overflow(old, step, least, greatest)
        let total = if let bound { bound } else { try sum(old, step, path) }
        let bounded =
            least.flatMap { total.isBelow($0) ? $0 : nil }
            ?? greatest.flatMap { $0.isBelow(total) ? $0 : nil }
        let new = try converted(bounded ?? total, for: path, at: place)
        let changed = try put(new, path, at: place)
        return (changed, changed ? new : old)
    }

    /// The bound on the side on which two integers leave 64 bits; nil if they do not, or without such a bound.
    private func overflow(
        _ old: StoredValue,
        _ step: StoredValue,
        _ least: StoredValue?,
        _ greatest: StoredValue?
    ) -> StoredValue? {
        guard case (.int(let old), .int(let step)) = (old, step), old.addingReportingOverflow(step).overflow
        else {
            return nil
        }
        return step < 0 ? least : greatest
    }

    private func sum(_ old: StoredValue, _ step: StoredValue, _ path: ParsedKeyPath) throws(TreeError)
        -> StoredValue
    {
        switch (old, step) {
        case (.absent, _), (.null, _): return step
        case (.int(let old), .int(let step)):
            let (sum, overflow) = old.addingReportingOverflow(step)
            if overflow {
                throw outOfRange(path, "\(old) and \(step) would leave the 64 bits of an integer")
            }
            return .int(sum)
        case (.int(let old), .double(let step)): return try finite(Double(old), step, path)
        case (.double(let old), .int(let step)): return try finite(old, Double(step), path)
        case (.double(let old), .double(let step)): return try finite(old, step, path)
        default:
            throw TreeError(
                kind: .typeMismatch,
                message: "\(path.escaped) is \(old.kindPhrase), and only a number can be incremented",
                path: path.escaped
            )
        }
    }

    private func finite(_ old: Double, _ step: Double, _ path: ParsedKeyPath) throws(TreeError) -> StoredValue
    {
        let sum = old + step
        guard sum.isFinite else {
            throw outOfRange(path, "\(old) and \(step) would not be a finite number")
        }
        return .double(sum)
    }

    private func outOfRange(_ path: ParsedKeyPath, _ sentence: String) -> TreeError {
        TreeError(
            kind: .limitExceeded,
            message: "the sum of \(sentence), at \(path.escaped)",
            path: path.escaped
        )
    }
}
