// SPDX-License-Identifier: MIT
// Values that hold for a while, and what they lie over. Knows no clock and no connection.

/// Until when a value holds, where that is not until somebody writes again (contract §5).
enum Lifetime: Equatable, Sendable {
    /// Until the connection ends that set it.
    case connection
    case milliseconds(Int64)
}

/// When an overlay ends: with its owner, a number of the writer's own, or at a time.
enum Expiry {
    case owner(Int32)
    case time(MonotonicTime, milliseconds: Int64)

    var lifetime: Lifetime {
        switch self {
        case .owner: .connection
        case .time(_, let milliseconds): .milliseconds(milliseconds)
        }
    }
}

/// One value in a property's stack.
struct TemporaryValue {
    /// Counts all overlays of the tree; 0 for the permanent value, which has no end.
    let number: UInt64
    let term: Expiry?
    /// What shows again when all above it have ended. Unused at the top: that is what the property holds.
    var value: StoredValue = .absent
    var isWeak = false
    /// Which model a weak reference was to: what is shadowed is not told when that goes.
    var instance: UInt64 = 0

    func isOwned(by other: Int32) -> Bool {
        if case .owner(let owner) = term { owner == other } else { false }
    }

    /// Whether it gives way to one with that term that is laid over it: an owner's earlier value does, and one that
    /// would end before it could ever show.
    func givesWay(to other: Expiry) -> Bool {
        switch (term, other) {
        case (_, .owner(let owner)): isOwned(by: owner)
        case (.time(let end, _), .time(let other, _)): end <= other
        default: false
        }
    }
}

/// What a temporary value is made of, or, as the first of a stack, the permanent value.
struct TemporaryLayer {
    /// Unused in the last of a stack: the property holds it.
    let value: StoredValue
    let isWeak: Bool
    let expiry: Expiry?
}
