// SPDX-License-Identifier: MIT
// Finds the edit of an array by comparing its old and its new value. Independent of observers.

extension Change {
    /// The kind of edit: elements were inserted, removed or replaced in one place. ``ChangeKind/setting`` for every
    /// other change, and unless both ``ObservingOptions/old`` and ``ObservingOptions/new`` were requested.
    ///
    /// - Cost: compares elements from both ends, at each use.
    public var kind: ChangeKind { arrayChange?.kind ?? .setting }

    /// The indexes of the edited elements: in ``old`` for a removal, otherwise in ``new``. Nil for
    /// ``ChangeKind/setting``.
    public var indexes: Range<Int>? { arrayChange?.indexes }

    private var arrayChange: (kind: ChangeKind, indexes: Range<Int>)? {
        guard let old, let new else { return nil }
        return (Value.self as? any ListValue.Type)?.edit(from: old, to: new)
    }
}

/// A type whose values compare element by element.
private protocol ListValue {
    /// The single edit between both values; nil if there is none. Both must be of the conforming type.
    static func edit(from old: Any, to new: Any) -> (kind: ChangeKind, indexes: Range<Int>)?
}

extension Array: ListValue {
    fileprivate static func edit(from old: Any, to new: Any) -> (kind: ChangeKind, indexes: Range<Int>)? {
        guard let old = old as? [Element], let new = new as? [Element] else { return nil }
        let equality = Equality<Element>()
        guard equality.isKnown else { return nil }
        let shorter = Swift.min(old.count, new.count)
        var head = 0
        while head < shorter, equality.isEqual(old[head], new[head]) { head += 1 }
        var tail = 0
        while tail < shorter - head, equality.isEqual(old[old.count - 1 - tail], new[new.count - 1 - tail]) {
            tail += 1
        }
        let removed = head..<(old.count - tail)
        let inserted = head..<(new.count - tail)
        switch (removed.isEmpty, inserted.isEmpty) {
        case (true, true): return nil
        case (true, false): return (.insertion, inserted)
        case (false, true): return (.removal, removed)
        case (false, false): return removed.count == inserted.count ? (.replacement, inserted) : nil
        }
    }
}

extension Optional: ListValue {
    fileprivate static func edit(from old: Any, to new: Any) -> (kind: ChangeKind, indexes: Range<Int>)? {
        guard let old = old as? Wrapped, let new = new as? Wrapped else { return nil }
        return (Wrapped.self as? any ListValue.Type)?.edit(from: old, to: new)
    }
}
