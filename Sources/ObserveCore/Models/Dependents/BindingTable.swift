// SPDX-License-Identifier: MIT
// X

/// The bindings by their numbers, and how many fail.
struct BindingTable: ~Copyable {
    /// The bindings by their numbers.
    var byNumber: [Int32: DependentID] = [:]
    var last: Int32 = 0
    /// How many bindings could not make their last write, and how many of those would have closed a cycle.
    var failing = 0
    var cyclic = 0
    /// How many writes of bindings could not be made so far.
    var failedWrites: UInt64 = 0
    /// The binding that is writing, to which end, and whether that was something it reads itself.
    var writing: DependentID = .noRecord
    var isWritingTarget = false
    var hasWrittenItself = false
}
