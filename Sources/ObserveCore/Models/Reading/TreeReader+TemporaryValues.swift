// SPDX-License-Identifier: MIT
// Temporary values as other layers read them. Independent of clocks.

extension TreeReader {
    @inline(__always)
    func hasStack(_ id: PropertyID) -> Bool { tree.records.properties[id].flags.contains(.isStacked) }

    /// The property's stack, the permanent value first. The last value is unused: the property holds it. A shadowed weak
    /// reference to a released model is null.
    func stack(of id: PropertyID) -> [StackedValue] {
        var stack = Array(tree.stack(of: id))
        for index in stack.indices.dropLast() { stack[index].value = tree.shown(stack[index]) }
        return stack
    }

    var temporaryOwners: [Int32] { tree.stacks.owners.keys.sorted() }

    func hasTemporaryValues(of owner: Int32) -> Bool { tree.stacks.owners[owner] != nil }

    func countTemporaryValues(of owner: Int32) -> Int { tree.stacks.owners[owner]?.count ?? 0 }

    func hasTimedValue(_ number: UInt64) -> Bool { tree.stacks.timed[number] != nil }

    /// The numbers of the temporary values that expire at a time, in order.
    var timedValues: [UInt64] { tree.stacks.timed.keys.sorted() }

    var lastTemporaryValue: UInt64 { tree.stacks.last }

    /// For each model's number, whether strong references from `value` reach it: also shadowed ones, unless `isVisibleOnly`.
    func reached(from value: StoredValue, isVisibleOnly: Bool = false) -> [Bool] {
        Reachability.models(from: value, isVisibleOnly ? [:] : tree.stacks.byProperty, in: tree.records)
    }
}
