// SPDX-License-Identifier: MIT
// The tree's bindings, and how many of them fail.

struct BindingTable: ~Copyable {
    var byNumber: [Int32: DependentID] = [:]
    private(set) var byEnds: [BoundPaths: Int32] = [:]
    var numbers = Numbering()
    /// How many bindings failed at their last write, and how many of those would have closed a cycle.
    var failing = 0
    var cyclic = 0
    /// How many writes of bindings have failed so far.
    var failedWrites: UInt64 = 0
    /// The binding that is writing, whether it writes its target, and whether it assigned a property that it reads.
    var writing: DependentID = .noRecord
    var isWritingTarget = false
    var hasWrittenItself = false
    /// The bindings that the open commit has updated. They know what they were before.
    private(set) var former: [Binding] = []

    mutating func add(_ binding: Binding, _ dependent: DependentID) {
        byNumber[binding.number] = dependent
        byEnds[BoundPaths(binding)] = binding.number
    }

    mutating func remove(_ binding: Binding) {
        byNumber[binding.number] = nil
        let ends = BoundPaths(binding)
        if byEnds[ends] == binding.number { byEnds[ends] = nil }
    }

    /// Keeps the binding as it is before its first update in the open commit.
    mutating func note(_ binding: Binding) {
        if binding.former != nil { return }
        binding.keepFormer()
        former.append(binding)
    }

    mutating func forgetFormer() {
        for binding in former { binding.forgetFormer() }
        former.removeAll(keepingCapacity: true)
    }

    /// Takes the next number that no binding has.
    mutating func advanceNumber() -> Int32 {
        repeat { numbers.advance() } while byNumber[numbers.last] != nil
        return numbers.last
    }
}

/// The paths of a binding's ends, in escaped form. As bytes, since strings are equal also if only their canonical forms are.
struct BoundPaths: Hashable {
    let source: [UInt8]
    let target: [UInt8]

    init(source: String, target: String) {
        (self.source, self.target) = (Array(source.utf8), Array(target.utf8))
    }

    init(_ binding: Binding) { self.init(source: binding.source.escaped, target: binding.target.escaped) }
}
