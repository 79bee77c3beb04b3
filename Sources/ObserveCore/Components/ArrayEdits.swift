// SPDX-License-Identifier: MIT
// The edits that one commit makes to array elements, as each enclosing array sees them. Notifies no observer.

/// One insertion, removal or replacement of an element in a property's array, or in one nested in it.
final class ArrayEdit: Equatable {
    let kind: ChangeKind
    /// The indices that lead from the property's array to the edited one.
    let path: [Int]
    let index: Int
    /// The element before: absent for an insertion.
    let old: StoredValue
    /// Whether the edit replaced the element by an equal one, and so changed nothing.
    let isEqual: Bool

    init(kind: ChangeKind, path: [Int], index: Int, old: StoredValue, isEqual: Bool = false) {
        self.kind = kind
        self.path = path
        self.index = index
        self.old = old
        self.isEqual = isEqual
    }

    /// The edit of the element to which these indices lead.
    convenience init(kind: ChangeKind, at indices: [Int], old: StoredValue, isEqual: Bool = false) {
        let path = Array(indices.dropLast())
        self.init(kind: kind, path: path, index: indices[path.count], old: old, isEqual: isEqual)
    }

    static func == (edit: ArrayEdit, other: ArrayEdit) -> Bool { edit === other }

    /// Whether the edit moves the later elements, and so assigns the array as a whole.
    var isShift: Bool { kind == .insertion || kind == .removal }

    /// Makes the edit in an array, or reverts it. Copies arrays that others share.
    /// - Parameter new: the element that the array gets; absent if it loses one.
    func apply(_ new: StoredValue, to value: inout StoredValue, isReverted: Bool = false, level: Int = 0) {
        guard case .array(var array) = value else { return }
        value = .null
        if !isKnownUniquelyReferenced(&array) { array = StoredArray(copying: array) }
        if level < path.count {
            array.withArray(at: path[level]) { apply(new, to: &$0, isReverted: isReverted, level: level + 1) }
        } else {
            switch (kind, isReverted) {
            case (.insertion, false), (.removal, true): array.insert(new, at: index)
            case (.removal, false), (.insertion, true): _ = array.remove(at: index)
            case (.replacement, _), (.setting, _): array.replace(at: index, with: new)
            }
        }
        value = .array(array)
    }

    /// The array before this edit, from the one after it.
    func reverted(_ array: StoredArray, level: Int = 0) -> StoredValue {
        var before = StoredValue.array(array)
        apply(old, to: &before, isReverted: true, level: level)
        return before
    }

    /// The element at `position` before the edit, in the edited array.
    fileprivate func oldElement(_ position: Int, in array: StoredArray) -> StoredValue {
        switch kind {
        case .insertion: array.element(position < index ? position : position + 1)
        case .removal: position == index ? old : array.element(position < index ? position : position - 1)
        case .replacement, .setting: position == index ? old : array.element(position)
        }
    }

    /// The edit as an outer array sees it: a change inside an inner array replaces an element there.
    fileprivate func seen(from level: Int, _ array: StoredArray) -> ArrayEdit {
        guard level < path.count, case .array(let inner) = array.element(path[level]) else { return self }
        return ArrayEdit(
            kind: .replacement,
            path: Array(path[..<level]),
            index: path[level],
            old: isEqual ? .array(inner) : reverted(inner, level: level + 1),
            isEqual: isEqual
        )
    }
}

/// The edits of one commit to the elements of one array, and of the arrays nested in it. The property's array has level 0.
enum ArrayEdits {
    case none
    case one(ArrayEdit)
    case several(ArrayChanges)

    var isEmpty: Bool { if case .none = self { true } else { false } }

    mutating func add(_ edit: ArrayEdit) {
        switch self {
        case .none: self = .one(edit)
        case .one(let first):
            let changes = ArrayChanges()
            changes.add(first, level: 0)
            changes.add(edit, level: 0)
            self = .several(changes)
        case .several(let changes): changes.add(edit, level: 0)
        }
    }

    /// The edit that an event shows: the only one that changed something, else the only equal one. Nil for the whole array.
    var only: ArrayEdit? {
        switch self {
        case .none: nil
        case .one(let edit): edit
        case .several(let changes): changes.only
        }
    }

    /// ``only``, as the array at that level sees it.
    func shown(at level: Int, _ array: StoredArray) -> ArrayEdit? {
        guard let only else { return nil }
        return level == only.path.count ? only : only.seen(from: level, array)
    }

    /// Whether elements of the array at that level moved. If so, the commit assigned the array as a whole.
    func isShifted(at level: Int) -> Bool {
        switch self {
        case .none: false
        case .one(let edit): level == edit.path.count && edit.isShift
        case .several(let changes): changes.isShifted
        }
    }

    /// The edited elements of the array at that level; nil if elements moved.
    func editedElements(at level: Int) -> [Int]? {
        switch self {
        case .none: []
        case .one(let edit): level < edit.path.count ? [edit.path[level]] : edit.isShift ? nil : [edit.index]
        case .several(let changes): changes.editedElements
        }
    }

    /// The effect of the commit on an element of the array at that level.
    func effect(on index: Int, at level: Int) -> ElementEffect {
        switch self {
        case .none: return .untouched
        case .one(let edit):
            if level < edit.path.count {
                return index == edit.path[level] ? .edited(self, isAssignedEqual: false) : .untouched
            }
            if edit.isShift { return index >= edit.index ? .assigned : .untouched }
            return index != edit.index ? .untouched : edit.isEqual ? .assignedEqual : .assigned
        case .several(let changes): return changes.effect(on: index)
        }
    }

    /// The element at `index` before the commit, in the array at that level.
    /// - Parameter old: that array before the commit; nil after a single edit, which does not keep the array.
    func oldElement(_ index: Int, at level: Int, _ old: StoredArray?, _ new: StoredArray) -> StoredValue {
        if let old { return old.element(index) }
        guard index >= 0, let only, only.path.count == level else { return new.element(index) }
        return only.oldElement(index, in: new)
    }
}

enum ElementEffect {
    case untouched
    /// The commit replaced the element, or moved another one to its index.
    case assigned
    case assignedEqual
    /// The element is an array, and the commit edited its elements.
    case edited(ArrayEdits, isAssignedEqual: Bool)
}

/// Several edits of an array and of the arrays nested in it, by the edited elements.
/// - Cost: O(levels) to add an edit, and to look up an element.
final class ArrayChanges {
    private struct Element {
        var isReplaced = false
        var isAssignedEqual = false
        var inner: ArrayChanges?
    }

    private var changing: ArrayEdit?
    private var equal: ArrayEdit?
    private var changingCount = 0
    private var equalCount = 0
    private(set) var isShifted = false
    private var elements: [Int: Element] = [:]

    var editedElements: [Int]? { isShifted ? nil : Array(elements.keys) }

    var only: ArrayEdit? {
        changingCount == 0 && equalCount == 1 ? equal : changingCount == 1 ? changing : nil
    }

    func add(_ edit: ArrayEdit, level: Int) {
        if edit.isEqual {
            equalCount += 1
            equal = edit
        } else {
            changingCount += 1
            changing = edit
        }
        // Once elements have moved, each one counts as assigned.
        if isShifted { return }
        if level < edit.path.count {
            let inner = elements[edit.path[level]]?.inner ?? ArrayChanges()
            inner.add(edit, level: level + 1)
            elements[edit.path[level], default: Element()].inner = inner
        } else if edit.isShift {
            isShifted = true
            elements = [:]
        } else if edit.isEqual {
            elements[edit.index, default: Element()].isAssignedEqual = true
        } else {
            elements[edit.index, default: Element()].isReplaced = true
        }
    }

    func effect(on index: Int) -> ElementEffect {
        if isShifted { return .assigned }
        guard let element = elements[index] else { return .untouched }
        if element.isReplaced { return .assigned }
        guard let inner = element.inner else { return .assignedEqual }
        return .edited(.several(inner), isAssignedEqual: element.isAssignedEqual)
    }
}
