// SPDX-License-Identifier: MIT
// A property that the pending commit assigned, and a change of a model's order. Independent of how either comes about.

/// A property that the commit under way assigned, and what it held before.
struct Touch {
    let property: PropertyID
    /// What it held before the commit; after a single edit the array is not kept (see ``ModelTree/before(_:)``). Text in the
    /// tree's ``ModelTree/texts`` is the touch's own, and then the history's.
    var old: StoredValue
    let oldFlags: PropertyRecord.Flags
    let oldRevision: UInt64
    /// What was done to single elements of the array that it holds, as long as it got no other value as a whole.
    var edits = ArrayEdits.none
    /// It was given another value.
    var isChanged = false
    /// It was also assigned an equal value, as a whole.
    var isAssignedEqual = false
    /// A mirror of what is strongly referred to sees another value. Found out when deep observers are told.
    var differsBelow = false
    /// Who assigned it last.
    var cause = ChangeCause.writer

    /// The one edit, if nothing else happened to the property.
    var edit: ArrayEdit? { if case .one(let edit) = edits { edit } else { nil } }
}

/// A property that came into its model's order, or left it.
struct OrderChange {
    let property: PropertyID
    /// Where it stood before it left; unused when it came.
    let previous: PropertyID
    let wasPresent: Bool
    let oldRemovalRevision: UInt64
}
