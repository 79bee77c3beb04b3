// SPDX-License-Identifier: MIT
// The state of all temporary values in a tree.

/// Stacks of temporary values and the values they shadow.
struct TemporaryValues: ~Copyable {
    /// Each property's stack, the permanent value first.
    var stacks: [PropertyID: TemporaryStack] = [:]
    /// For each owner, the properties where it has a value, and the value's number.
    var owners: [Int32: [PropertyID: UInt64]] = [:]
    /// The properties of timed values, by the values' numbers.
    var timed: [UInt64: PropertyID] = [:]
    var last: UInt64 = 0
    /// The stacks that the open commit has changed, as they were before it.
    var saved: [PropertyID: TemporaryStack] = [:]
    /// About how many bytes of memory the stacks of the tree's properties take, with the values in them.
    var byteCount = 0

    /// Holds between commits.
    var isIdle: Bool { saved.isEmpty }
}

extension TemporaryValues {
    /// Replaces the property's stack; nil for none.
    mutating func setStack(_ stack: TemporaryStack?, of id: PropertyID) {
        byteCount += (stack?.byteCount ?? 0) - (stacks[id]?.byteCount ?? 0)
        stacks[id] = stack
    }

    mutating func unlist(_ temporaryValue: TemporaryValue, of id: PropertyID) {
        switch temporaryValue.term {
        case .owner(let owner):
            owners[owner]?[id] = nil
            if owners[owner]?.isEmpty == true { owners[owner] = nil }
        case .time: timed[temporaryValue.number] = nil
        case nil: break
        }
    }

    /// Drops the stack of a released model's property, and keeps the property's value.
    mutating func freeShadowed(_ id: PropertyID) {
        guard let stack = stacks.removeValue(forKey: id) else { return }
        for temporaryValue in stack { unlist(temporaryValue, of: id) }
    }
}
