// SPDX-License-Identifier: MIT
// Increments numbers. Independent of how a request spells the step.

extension WritingTree {
    /// Adds a number to the one at `path`; null counts as 0. Two integers make an integer and never wrap; a double on either side
    /// makes a double. A bound takes the place of a sum beyond it. Returns whether the value changed, and the value there now.
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
        let sum = try sum(old, step, path)
        let bounded =
            least.flatMap { sum.low.isLess(than: $0) ? $0 : nil }
            ?? greatest.flatMap { $0.isLess(than: sum.high) ? $0 : nil }
        guard bounded != nil || sum.fits else { throw outOfRange(old, step, path) }
        let new = try converted(bounded ?? sum.low, for: path, at: place)
        let changed = try put(new, path, at: place)
        return (changed, changed ? new : old)
    }

    /// A sum. If its type does not hold it, two neighbours among the doubles: it compares with each bound as one of them does.
    private struct Sum {
        let low, high: StoredValue
        let fits: Bool

        init(_ int: Int64) { (low, high, fits) = (.int(int), .int(int), true) }
        init(_ double: Double) { (low, high, fits) = (.double(double), .double(double), double.isFinite) }
        init(beyond exact: Int128) {
            let nearest = Double(exact)
            low = .double(Int128(nearest) > exact ? nearest.nextDown : nearest)
            high = .double(Int128(nearest) < exact ? nearest.nextUp : nearest)
            fits = false
        }
    }

    private func sum(_ old: StoredValue, _ step: StoredValue, _ path: ParsedKeyPath) throws(TreeError) -> Sum
    {
        switch (old, step) {
        case (.absent, .int(let step)), (.null, .int(let step)): return Sum(step)
        case (.absent, .double(let step)), (.null, .double(let step)): return Sum(step)
        case (.int(let old), .int(let step)):
            let (sum, overflow) = old.addingReportingOverflow(step)
            return overflow ? Sum(beyond: Int128(old) + Int128(step)) : Sum(sum)
        case (.int(let old), .double(let step)): return Sum(Double(old) + step)
        case (.double(let old), .int(let step)): return Sum(old + Double(step))
        case (.double(let old), .double(let step)): return Sum(old + step)
        default:
            throw TreeError(.typeMismatch, path, "is \(old.kindPhrase), and only a number can be incremented")
        }
    }

    private func outOfRange(_ old: StoredValue, _ step: StoredValue, _ path: ParsedKeyPath) -> TreeError {
        let areIntegers = if case (.int, .int) = (old, step) { true } else { false }
        let sentence = areIntegers ? "leave the 64 bits of an integer" : "not be a finite number"
        let sum = "the sum of \(old.json) and \(step.json)"
        return TreeError(.limitExceeded, "\(sum) would \(sentence), at \(path.escaped)", at: path)
    }
}
