// SPDX-License-Identifier: MIT
// What the pending commit did to a property, and to the order of a model's properties.

/// A property that the commit under way assigned, with its old value.
struct Touch {
    let property: PropertyID
    /// Its value before the commit; after a single edit the array is not kept (see ``ModelTree/before(_:)``).
    /// The touch, and later the history, owns text in ``Records/texts``.
    var old: StoredValue
    let oldFlags: PropertyRecord.Flags
    let oldRevision: UInt64
    /// Edits of single elements of its array, as long as it got no other value as a whole.
    var edits = ArrayEdits.none
    /// It got another value.
    var isChanged = false
    /// It was also assigned an equal value, as a whole.
    var isAssignedEqual = false
    /// A mirror of the strongly referenced models sees another value. Set when deep observers are notified.
    var differsBelow = false
    /// The cause of its last assignment.
    var cause = ChangeCause.writer

    /// The one edit, if nothing else happened to the property.
    var edit: ArrayEdit? { if case .one(let edit) = edits { edit } else { nil } }
}

/// A property that joined its model's order, or left it.
struct OrderChange {
    let property: PropertyID
    /// Its predecessor before it left; unused if it joined.
    let previous: PropertyID
    let wasPresent: Bool
    let oldRemovalRevision: UInt64
}
