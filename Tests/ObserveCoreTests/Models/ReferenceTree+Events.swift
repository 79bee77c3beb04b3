// SPDX-License-Identifier: MIT
// What the oracle expects observers to be told: every watched path is read again after every commit. No index.

@testable import ObserveCore

/// What the commit's assignments mean for one path.
private struct RefCause {
    /// The first component that was assigned, and the first that was given another value.
    var firstAssigned: Int?
    var firstChanged: Int?
    /// The one change to the array that is the path's own value; seen from outside, the array within is what changed.
    var edit: RefEdit?
    var equalEdit: RefEdit?

    mutating func assigned(_ component: Int, changed: Bool) {
        if firstAssigned == nil { firstAssigned = component }
        if changed, firstChanged == nil { firstChanged = component }
    }
}

extension ReferenceTree {
    /// The events of the commit that has just ended, and every watch brought up to date.
    func events() -> [TreeEvent] {
        var events: [TreeEvent] = []
        for watch in watches {
            let now = walk(watch.names)
            defer { watch.walk = now }
            guard let (event, isForAll) = event(watch, now) else { continue }
            for watcher in watch.watchers where isForAll || !watcher.isDistinct {
                var told = event
                told.watcher = watcher.id
                events.append(told)
            }
        }
        return events
    }

    /// The event that the path gets; false when only those want it who are not `distinct`.
    func event(_ watch: RefWatch, _ now: RefWalk) -> (TreeEvent, Bool)? {
        let last = watch.names.count - 1
        let cause = cause(watch)
        guard let firstAssigned = cause.firstAssigned else { return nil }
        let (old, new) = (watch.walk.values[last], now.values[last])
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
            revision: revision
        )
        if isOwn, let edit = differs ? cause.edit : cause.equalEdit {
            event.kind = edit.kind
            event.indexes = [edit.index]
            event.old = edit.kind == .insertion ? "[]" : "[\(edit.old.json)]"
            event.new = edit.kind == .removal ? "[]" : "[\(edit.new.json)]"
        }
        for above in 0..<last where !now.values[above].isContainer {
            event.nilAt = dotted(watch.names[...above])
            break
        }
        return (event, differs || isDeleted)
    }

    /// Goes along the path as it led before the commit, up to the first component that leads elsewhere now.
    private func cause(_ watch: RefWatch) -> RefCause {
        var cause = RefCause()
        for component in 0..<watch.names.count {
            guard let owner = watch.walk.owners[component] else { continue }
            for mark in marks where mark.owner === owner && mark.name == watch.names[component] {
                apply(mark, component, watch, &cause)
            }
            if cause.firstChanged != nil { break }
        }
        return cause
    }

    /// Several writes to one array are a setting of it. Among them, one that changed nothing does not make the one
    /// that did less precise.
    private func apply(_ mark: RefMark, _ component: Int, _ watch: RefWatch, _ cause: inout RefCause) {
        let hasEqual = mark.isAssignedEqual || !mark.equalEdits.isEmpty
        if mark.isAssigned || mark.edits.count > 1 {
            let now = mark.owner.value(mark.name)
            cause.assigned(component, changed: !mark.before.equals(now))
        } else if mark.edits.count == 1 {
            if hasEqual { cause.assigned(component, changed: false) }
            apply(mark.edits[0], from: component, watch, changed: true, &cause)
        } else if mark.isAssignedEqual || mark.equalEdits.count > 1 {
            cause.assigned(component, changed: false)
        } else if mark.equalEdits.count == 1 {
            apply(mark.equalEdits[0], from: component, watch, changed: false, &cause)
        }
    }

    /// An insertion or removal assigns its array, a replacement its element; the arrays around it see a replacement.
    private func apply(
        _ edit: RefEdit,
        from component: Int,
        _ watch: RefWatch,
        changed: Bool,
        _ cause: inout RefCause
    ) {
        var component = component
        let last = watch.names.count - 1
        for level in 0...edit.path.count {
            let isInnermost = level == edit.path.count
            if component == last {
                let own = isInnermost ? edit : outer(edit, level, watch, component)
                if cause.firstAssigned == nil || changed {
                    if changed { cause.edit = own } else { cause.equalEdit = own }
                }
                return cause.assigned(component, changed: changed)
            }
            if isInnermost, edit.kind != .replacement { return cause.assigned(component, changed: changed) }
            let index = isInnermost ? edit.index : edit.path[level]
            component += 1
            guard arrayIndex(watch.names[component]) == index else { return }
            if isInnermost { return cause.assigned(component, changed: changed) }
        }
    }

    private func outer(_ edit: RefEdit, _ level: Int, _ watch: RefWatch, _ component: Int) -> RefEdit {
        let index = edit.path[level]
        var seen = RefEdit(path: [], index: index, kind: .replacement, old: .absent, new: .absent)
        if case .array(let before) = watch.walk.values[component] { seen.old = before[index] }
        if case .array(let after) = walk(watch.names).values[component] { seen.new = after[index] }
        return seen
    }
}
