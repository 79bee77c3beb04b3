// SPDX-License-Identifier: MIT
// The expected events of each path: the oracle walks it after every commit and compares. No index.

@testable import ObserveCore

/// The effect of a commit's assignments on one path.
struct RefCause {
    /// The first assigned component, and the first with another value.
    private(set) var firstAssigned: Int?
    private(set) var firstChanged: Int?
    /// Whether the path's value is an array in which the commit assigned only single elements, directly or nested.
    fileprivate(set) var isEdited = false
    /// The edit, if it is the only one.
    fileprivate(set) var edit: RefEdit?

    fileprivate mutating func assigned(_ component: Int, changed: Bool) {
        if firstAssigned == nil { firstAssigned = component }
        if changed, firstChanged == nil { firstChanged = component }
    }
}

extension ReferenceTree {
    /// The path's event. The flag is false if only indistinct observers get it.
    func event(_ watch: RefWatch, _ now: RefWalk) -> (TreeEvent, Bool)? {
        let last = watch.names.count - 1
        let cause = cause(watch, now)
        guard let firstAssigned = cause.firstAssigned else { return nil }
        let (old, new) = (watch.walk.last, now.last)
        let isDeleted = !watch.walk.values[0].isAbsent && now.values[0].isAbsent
        let differs = !old.equals(new)
        let component = differs ? cause.firstChanged ?? firstAssigned : firstAssigned
        let isOwn = component == last
        var event = TreeEvent(
            watcher: 0,
            path: watch.path,
            reason: isDeleted ? .sourceDeleted : isOwn ? .valueChanged : .pathChanged,
            old: old.json,
            new: new.json,
            changedAt: isDeleted || isOwn ? nil : dotted(watch.names[...component]),
            nilAt: now.broken.map { dotted(watch.names[...$0]) },
            revision: revision
        )
        if isOwn, let edit = cause.edit { event.show(edit) }
        return (event, differs || isDeleted)
    }

    /// Walks the path as it led before the commit, up to the first component that leads elsewhere now.
    func cause(_ watch: RefWatch, _ now: RefWalk) -> RefCause {
        var cause = RefCause()
        for component in 0..<watch.names.count {
            guard let owner = watch.walk.owners[component] else { continue }
            for mark in marks where mark.owner === owner && mark.name == watch.names[component] {
                if mark.isAssigned {
                    cause.assigned(component, changed: !mark.before.equals(owner.value(mark.name)))
                } else {
                    let edits = RefEdits(all: mark.edits)
                    apply(edits, isAssignedEqual: mark.isAssignedEqual, component, watch, now, &cause)
                }
            }
            if cause.firstChanged != nil { break }
        }
        return cause
    }

    /// An insertion or removal assigns its array, a replacement its element, even with an equal value.
    private func apply(
        _ edits: RefEdits,
        isAssignedEqual: Bool,
        _ component: Int,
        _ watch: RefWatch,
        _ now: RefWalk,
        _ cause: inout RefCause
    ) {
        if isAssignedEqual { cause.assigned(component, changed: false) }
        if edits.isEmpty { return }
        let (old, new) = (watch.walk.values[component], now.values[component])
        if component == watch.names.count - 1 {
            cause.assigned(component, changed: !old.equals(new))
            // If the array was also assigned as a whole, its single edits do not count.
            cause.isEdited = !isAssignedEqual || edits.all.contains { !$0.isEqual }
            cause.edit = edits.shown(old, new).flatMap { $0.isEqual && isAssignedEqual ? nil : $0 }
            return
        }
        if edits.isShifted { return cause.assigned(component, changed: !old.equals(new)) }
        guard let index = arrayIndex(watch.names[component + 1]) else { return }
        let (isReplaced, isEqual, inner) = edits.element(index)
        if isReplaced {
            let differs = !watch.walk.values[component + 1].equals(now.values[component + 1])
            return cause.assigned(component + 1, changed: differs)
        }
        apply(inner, isAssignedEqual: isEqual, component + 1, watch, now, &cause)
    }
}

extension TreeEvent {
    /// Whether the event shows only the affected element.
    mutating func show(_ edit: RefEdit) {
        kind = edit.kind
        indexes = [edit.index]
        old = edit.kind == .insertion ? "[]" : "[\(edit.old.json)]"
        new = edit.kind == .removal ? "[]" : "[\(edit.new.json)]"
    }
}
