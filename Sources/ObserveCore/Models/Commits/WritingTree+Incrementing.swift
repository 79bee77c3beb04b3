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
        let (total, fits) = try sum(old, step, path)
        let bounded =
            least.flatMap { total.isLess(than: $0) ? $0 : nil }
            ?? greatest.flatMap { $0.isLess(than: total) ? $0 : nil }
        guard bounded != nil || fits else { throw outOfRange(old, step, path) }
        let new = try converted(bounded ?? total, for: path, at: place)
        let changed = try put(new, path, at: place)
        return (changed, changed ? new : old)
    }

    /// The sum, and whether its type holds it. If not, it is a double beyond the type's range, to compare with bounds.
    private func sum(_ old: StoredValue, _ step: StoredValue, _ path: ParsedKeyPath) throws(TreeError)
        -> (total: StoredValue, fits: Bool)
    {
        func total(_ sum: Double) -> (StoredValue, Bool) { (.double(sum), sum.isFinite) }
        switch (old, step) {
        case (.absent, _), (.null, _): return (step, true)
        case (.int(let old), .int(let step)):
            let (sum, overflow) = old.addingReportingOverflow(step)
            if !overflow { return (.int(sum), true) }
            let inexact = Double(old) + Double(step)
            return (.double(step < 0 ? min(inexact, (-0x1p63).nextDown) : inexact), false)
        case (.int(let old), .double(let step)): return total(Double(old) + step)
        case (.double(let old), .int(let step)): return total(old + Double(step))
        case (.double(let old), .double(let step)): return total(old + step)
        default:
            let fault = "is \(old.kindPhrase), and only a number can be incremented"
            throw TreeError(.typeMismatch, "\(path.escaped) \(fault)", at: path)
        }
    }

    private func outOfRange(_ old: StoredValue, _ step: StoredValue, _ path: ParsedKeyPath) -> TreeError {
        let areIntegers = if case (.int, .int) = (old, step) { true } else { false }
        let sentence = areIntegers ? "leave the 64 bits of an integer" : "not be a finite number"
        let sum = "the sum of \(old.json) and \(step.json)"
        return TreeError(.limitExceeded, "\(sum) would \(sentence), at \(path.escaped)", at: path)
    }
}
