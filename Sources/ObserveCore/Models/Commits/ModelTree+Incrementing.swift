// SPDX-License-Identifier: MIT
// Increments numbers. Independent of how a request spells the step.

extension ModelTree {
    /// Adds a number to the one at `path`; null counts as 0.
    ///
    /// Two integers make an integer and never wrap; a double on either side makes a double.
    ///
    /// - Returns: whether the value changed, and the value there now.
    func increment(_ path: ParsedKeyPath, by step: Step) throws(TreeError) -> (
        changed: Bool, value: StoredValue
    ) {
        try refuseReserved(path)
        let place = walk(path)
        try refuseMissing(path, at: place)
        let old = value(at: place)
        let new = try converted(try sum(old, step, path), for: path, at: place)
        let changed = try put(new, path, at: place)
        return (changed, changed ? new : old)
    }

    /// The number to add.
    enum Step {
        case int(Int64)
        case double(Double)
    }

    private func sum(_ old: StoredValue, _ step: Step, _ path: ParsedKeyPath) throws(TreeError) -> StoredValue
    {
        switch (old, step) {
        case (.absent, .int(let step)), (.null, .int(let step)): return .int(step)
        case (.absent, .double(let step)), (.null, .double(let step)): return .double(step)
        case (.int(let old), .int(let step)):
            let (sum, overflow) = old.addingReportingOverflow(step)
            if overflow {
                throw outOfRange(path, "\(old) and \(step) would leave the 64 bits of an integer")
            }
            return .int(sum)
        case (.int(let old), .double(let step)): return try finite(Double(old), step, path)
        case (.double(let old), .int(let step)): return try finite(old, Double(step), path)
        case (.double(let old), .double(let step)): return try finite(old, step, path)
        case (.bool, _), (.string, _), (.text, _), (.array, _), (.model, _):
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
