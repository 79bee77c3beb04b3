// SPDX-License-Identifier: MIT
// The open commit's changes of properties, and of the order of a model's properties. Data only.

/// A property that the open commit assigned, with its old value.
struct Touch {
    let property: PropertyID
    /// The value before the commit; absent after a single edit (see ``ModelTree/before(_:)``). The touch, and
    /// later the history, owns text in ``Records/texts``.
    var old: StoredValue
    let oldFlags: PropertyRecord.Flags
    let oldRevision: UInt64
    /// Edits of single elements of the property's array; none once the commit assigned the whole property.
    var edits = ArrayEdits.none
    /// The property got a different value.
    var isChanged = false
    /// The commit also assigned an equal value, as a whole.
    var isAssignedEqual = false
    /// The value differs for a mirror of strong references. Set when the tree notifies deep observers.
    var differsBelow = false
    /// The cause of the last assignment.
    var cause = ChangeCause.writer
    /// The causes by element; nil if all have the same.
    var elementCauses: ElementCauses?

    /// The edit, if it is the only one.
    var edit: ArrayEdit? { if case .one(let edit) = edits { edit } else { nil } }
}

/// A property that joined its model's order, or left it.
struct OrderChange {
    let property: PropertyID
    /// The property's predecessor before it left the order; unused if it joined.
    let previous: PropertyID
    let wasPresent: Bool
    let oldRemovalRevision: UInt64
}

extension Touch {
    /// The property's values before and after the commit. Weak references count as absent.
    @inline(__always)
    func strongValues(in records: borrowing Records) -> (old: StoredValue, new: StoredValue) {
        let record = records.properties[property]
        return (oldFlags.contains(.weak) ? .absent : old, record.isWeak ? .absent : record.slot)
    }

    @inline(__always)
    func isDifferentBelow(in records: borrowing Records) -> Bool {
        if case .one(let edit) = edits { return !edit.isEqual }
        let (old, new) = strongValues(in: records)
        return !old.equals(new)
    }
}
