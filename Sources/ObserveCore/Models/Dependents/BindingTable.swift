// SPDX-License-Identifier: MIT
// The tree's bindings, and how many of them fail.

/// The bindings, the results of their writes, and the write under way.
struct BindingTable: ~Copyable {
    /// The bindings by their numbers.
    var byNumber: [Int32: DependentID] = [:]
    var numbers = Numbering()
    /// How many bindings failed at their last write, and how many of those would have closed a cycle.
    var failing = 0
    var cyclic = 0
    /// How many writes of bindings have failed so far.
    var failedWrites: UInt64 = 0
    /// The binding that is writing, whether it writes its target, and whether it assigned a property that it
    /// reads.
    var writing: DependentID = .noRecord
    var isWritingTarget = false
    var hasWrittenItself = false
    /// The failures that the open commit replaced.
    var formerFailures: [FormerFailure] = []

    /// Takes the next number that no binding has.
    mutating func advanceNumber() -> Int32 {
        repeat { numbers.advance() } while byNumber[numbers.last] != nil
        return numbers.last
    }
}

/// The result of a binding's last write before the open commit.
struct FormerFailure {
    let binding: Binding
    /// Nil if the write succeeded.
    let failure: TreeError?
    let isBackward: Bool
}
