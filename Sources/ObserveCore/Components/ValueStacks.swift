// SPDX-License-Identifier: MIT
// The state of all temporary values in a tree.

struct ValueStacks: ~Copyable {
    /// Each property's stack, the permanent value first.
    var byProperty: [PropertyID: ValueStack] = [:]
    /// For each owner, the properties where it has a value, and the value's number.
    var owners: [Int32: [PropertyID: UInt64]] = [:]
    /// The properties of timed values, by the values' numbers.
    var timed: [UInt64: PropertyID] = [:]
    var last: UInt64 = 0
    /// The stacks that the open commit has changed, as they were before it.
    var saved: [PropertyID: ValueStack] = [:]
    /// About how many bytes of memory the stacks of the tree's properties take, with the values in them.
    var byteCount = 0

    var isIdle: Bool { saved.isEmpty }
}

extension ValueStacks {
    mutating func setStack(_ stack: ValueStack?, of id: PropertyID) {
        byteCount += (stack?.byteCount ?? 0) - (byProperty[id]?.byteCount ?? 0)
        byProperty[id] = stack
    }

    mutating func unlist(_ layer: StackedValue, of id: PropertyID) {
        switch layer.term {
        case .owner(let owner):
            owners[owner]?[id] = nil
            if owners[owner]?.isEmpty == true { owners[owner] = nil }
        case .time: timed[layer.number] = nil
        case nil: break
        }
    }

    /// Drops the stack of a released model's property, and keeps the property's value.
    mutating func freeStack(_ id: PropertyID) {
        guard let stack = byProperty.removeValue(forKey: id) else { return }
        for layer in stack { unlist(layer, of: id) }
    }
}

extension [PropertyID: ValueStack] {
    /// Calls `body` for each strong reference of the property, also in the values that it shadows.
    func forEachModel(heldBy id: PropertyID, in records: borrowing Records, _ body: (ModelID) -> Void) {
        let slot = records.properties[id].slot
        if slot.isContainer, !records.properties[id].isWeak { slot.forEachModel(body) }
        // While state is read, the properties have no flags yet.
        guard !isEmpty, let stack = self[id] else { return }
        for layer in stack.dropLast() where !layer.isWeak { layer.value.forEachModel(body) }
    }
}
