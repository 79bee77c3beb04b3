// SPDX-License-Identifier: MIT
// Drives a randomised test step by step, and reports the first fault with its seed.

import Testing

/// A randomised test that makes one random step after the other.
protocol SeededRun {
    /// The first fault, with the steps that led to it.
    var fault: String? { get }
    mutating func step()
    /// Closes all clients and checks that the hub holds nothing for them.
    mutating func finish()
}

extension SeededRun {
    /// Makes that many steps and finishes, or stops at the first fault.
    ///
    /// - Parameter afterStep: further checks, after each step.
    mutating func run(seed: UInt64, steps: Int, afterStep: (inout Self, Int) -> Void = { _, _ in }) {
        for index in 0..<steps {
            step()
            afterStep(&self, index)
            guard let fault else { continue }
            Issue.record("seed \(seed), step \(index): \(fault)")
            return
        }
        finish()
        if let fault { Issue.record("seed \(seed), at the end: \(fault)") }
    }
}
