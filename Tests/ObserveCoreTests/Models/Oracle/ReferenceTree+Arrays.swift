// SPDX-License-Identifier: MIT
// The oracle's arrays: single edits of elements, and the sum of several edits.

@testable import ObserveCore

extension ReferenceTree {
    /// The value with the element at `indices` inserted, replaced or removed; `old` becomes the former element.
    func edited(
        _ value: RefValue,
        _ indices: ArraySlice<Int>,
        _ kind: ChangeKind,
        _ new: RefValue,
        _ old: inout RefValue
    ) -> RefValue {
        guard case .array(var elements) = value, let index = indices.first else { return value }
        if indices.count > 1 {
            elements[index] = edited(elements[index], indices.dropFirst(), kind, new, &old)
        } else if kind == .insertion {
            elements.insert(new, at: index)
        } else {
            old = elements[index]
            if kind == .removal { elements.remove(at: index) } else { elements[index] = new }
        }
        return .array(elements)
    }
}

/// A commit's edits of one array and of the arrays nested in it, as an event for the array shows them.
struct RefEdits {
    /// The edits in order; each path starts at this array.
    var all: [RefEdit]

    var isEmpty: Bool { all.isEmpty }

    /// Whether an element was inserted or removed: that assigns the array.
    var isShifted: Bool { all.contains { $0.path.isEmpty && $0.isShift } }

    /// The edit of the element at an index, if none was inserted or removed.
    func element(_ index: Int) -> (isReplaced: Bool, isAssignedEqual: Bool, inner: RefEdits) {
        let own = all.filter { $0.path.isEmpty && $0.index == index }
        let below = all.filter { $0.path.first == index }.map { edit in
            var edit = edit
            edit.path.removeFirst()
            return edit
        }
        return (own.contains { !$0.isEqual }, own.contains(where: \.isEqual), RefEdits(all: below))
    }

    /// The single edit that an event for the array shows, whether it changed the array or not.
    ///
    /// A change in an array nested in it replaces an element.
    func shown(_ before: RefValue, _ now: RefValue) -> RefEdit? {
        let real = all.filter { !$0.isEqual }
        guard let only = real.isEmpty && all.count == 1 ? all[0] : real.count == 1 ? real[0] : nil else {
            return nil
        }
        guard let index = only.path.first, case .array(let old) = before, case .array(let new) = now else {
            return only
        }
        return RefEdit(
            path: [],
            index: index,
            kind: .replacement,
            old: old[index],
            new: new[index],
            isEqual: only.isEqual
        )
    }
}
