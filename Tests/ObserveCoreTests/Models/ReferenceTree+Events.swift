// SPDX-License-Identifier: MIT
// What the oracle expects of each path: it is walked again after every commit, and compared. No index.

@testable import ObserveCore

/// What the commit's assignments mean for one path.
struct RefCause {
    /// The first component that was assigned, and the first that was given another value.
    private(set) var firstAssigned: Int?
    private(set) var firstChanged: Int?
    /// The path's own value is an array of which nothing but single elements was assigned, or of arrays in it.
    fileprivate(set) var isEdited = false
    /// The one edit among them.
    fileprivate(set) var edit: RefEdit?

    fileprivate mutating func assigned(_ component: Int, changed: Bool) {
        if firstAssigned == nil { firstAssigned = component }
        if changed, firstChanged == nil { firstChanged = component }
    }
}

extension ReferenceTree {
    /// The event that the path gets; false when only those want it who are not `distinct`.
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

    /// Goes along the path as it led before the commit, up to the first component that leads elsewhere now.
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

    /// An insertion or removal assigns its array, a replacement its element; so does one that changes nothing.
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
            // Where it was also assigned as a whole, equal elements say no more.
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
    /// Carries only the element concerned.
    mutating func show(_ edit: RefEdit) {
        kind = edit.kind
        indexes = [edit.index]
        old = edit.kind == .insertion ? "[]" : "[\(edit.old.json)]"
        new = edit.kind == .removal ? "[]" : "[\(edit.new.json)]"
    }
}
