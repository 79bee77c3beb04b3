// SPDX-License-Identifier: MIT
// Tells selections from other properties, and the age of a property. Changes nothing.

extension ModelTree {
    /// Whether it is the name of a choice, of a component with a condition, or of an operator over chosen elements.
    func isSelection(named name: NameID) -> Bool {
        let text = records.names.text(name)
        guard text.byteOrZero(0) == OperatorName.mark, text.count > 1 else { return false }
        return text.firstIndex(of: 0x5B, from: 0) != nil || Choice(text.dropFirst(1)) != nil
    }

    /// Whether the property stands for a selection.
    @inline(__always)
    func isSelection(_ id: PropertyID) -> Bool {
        records.properties[id].flags.contains(.computed)
            && records.names.text(records.properties[id].name).byteOrZero(0) == OperatorName.mark
    }

    /// The revision that last changed the property, at the replayed revision.
    func revision(of id: PropertyID) -> UInt64 {
        selections.revisions.isEmpty
            ? records.properties[id].revision : selections.revisions[id] ?? records.properties[id].revision
    }
}
