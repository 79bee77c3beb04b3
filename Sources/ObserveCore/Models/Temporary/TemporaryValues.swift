// SPDX-License-Identifier: MIT
// The state of all temporary values in a tree.

/// Stacks of temporary values and the values they shadow.
struct TemporaryValues: ~Copyable {
    /// Each property's stack, the permanent value first. The properties with temporary values by owner, and by
    /// the number of a timed value.
    var stacks: [PropertyID: [TemporaryValue]] = [:]
    var owners: [Int32: Set<PropertyID>] = [:]
    var timed: [UInt64: PropertyID] = [:]
    var last: UInt64 = 0
    /// The stacks that the open commit has changed, as they were before it.
    var saved: [PropertyID: [TemporaryValue]] = [:]

    /// Holds between commits.
    var isIdle: Bool { saved.isEmpty }
}

extension TemporaryValues {
    mutating func unlist(_ temporaryValue: TemporaryValue, of id: PropertyID) {
        switch temporaryValue.term {
        case .owner(let owner):
            owners[owner]?.remove(id)
            if owners[owner]?.isEmpty == true { owners[owner] = nil }
        case .time: timed[temporaryValue.number] = nil
        case nil: break
        }
    }

    /// Drops a property's stack, and keeps the property's value.
    mutating func freeShadowed(_ id: PropertyID) {
        for temporaryValue in stacks.removeValue(forKey: id) ?? [] {
            unlist(temporaryValue, of: id)
        }
    }
}
