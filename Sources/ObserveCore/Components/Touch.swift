// SPDX-License-Identifier: MIT
// A commit's changes of properties, and of the order of a model's properties. Data only.

/// A property that a commit assigned, with its old value: in the open commit, and then in the history. The order of the fields
/// makes it small, since every write adds one.
struct Touch {
    /// The value before the commit; absent after a single edit (see ``ModelTree/before(_:)``). The touch owns text in
    /// ``Records/texts``. During a rewind: the value after the commit; for a single edit, the new element.
    var old: StoredValue
    var wasWeak = false
    /// The property got a different value.
    var isChanged = false
    /// The commit also assigned an equal value, as a whole.
    var isAssignedEqual = false
    /// The value differs for a mirror of strong references. Set when the tree notifies deep observers.
    var differsBelow = false
    /// Whether the property was absent after the commit. Set when the history gets the touch.
    var isRemoval = false
    /// Whether the commit made the property's model, or brought it back. Set when the history gets the touch.
    var isOfNewModel = false
    let property: PropertyID
    /// The cause of the last assignment.
    var cause = ChangeCause.writer
    /// Edits of single elements of the property's array; none once the commit assigned the whole property.
    var edits = ArrayEdits.none
    /// The causes by element; nil if all have the same.
    var elementCauses: ElementCauses?
    /// The property's revision before the commit; during a rewind, after it.
    var oldRevision: UInt64

    /// The edit, if it is the only one, and not an equal one: rewinding and redoing apply it in place.
    var edit: ArrayEdit? { if case .one(let edit) = edits, !edit.isEqual { edit } else { nil } }

    /// Bytes of text and arrays that the touch keeps in memory.
    @inline(__always) var textBytes: Int { edits.isEmpty ? old.textBytes : old.textBytes &+ edits.textBytes }
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
        return (wasWeak ? .absent : old, record.isWeak ? .absent : record.slot)
    }

    @inline(__always) func isDifferentBelow(in records: borrowing Records) -> Bool {
        if case .one(let edit) = edits { return !edit.isEqual }
        let (old, new) = strongValues(in: records)
        return !old.equals(new)
    }
}
