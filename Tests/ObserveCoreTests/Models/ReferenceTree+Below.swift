// SPDX-License-Identifier: MIT
// What `P.**` is to be told, from the top down: every property below P is looked at after every commit. No index.

@testable import ObserveCore

/// One event below P, the oracle's way.
struct RefBelow {
    var names: [String]
    var old: String
    var new: String
    var kind: ChangeKind?
    var indexes: [Int] = []
    /// False for an equal assignment.
    var differs = true
}

extension ReferenceTree {
    /// The events below P, whose own value, `value`, is no other one than before the commit.
    ///
    /// - Parameter edit: the one change to the array that P is.
    /// - Parameter isWhole: something was assigned the value that it had, and somebody is told of that, with all that is
    ///   in it: then edits on top of it would be applied twice.
    func eventsBelow(_ names: [String], _ value: RefValue, edit: RefEdit?, isWhole: Bool) -> [RefBelow] {
        var found: [RefBelow] = []
        collect(value, names, new: edit.flatMap(newPlace), &found)
        guard isWhole, marks.count > 1, marks.contains(where: isEqualOnlyInPart) else { return found }
        return found.map { event in
            guard event.kind != nil else { return event }
            var event = event
            event.kind = nil
            event.indexes = []
            event.old = walkBefore(event.names).values[event.names.count - 1].json
            event.new = walk(event.names).values[event.names.count - 1].json
            return event
        }
    }

    private func isEqualOnlyInPart(_ mark: RefMark) -> Bool {
        mark.isAssignedEqual || !mark.equalEdits.isEmpty
    }

    /// - Parameter new: the indices of the element that the commit has put there: that is told already.
    private func collect(_ value: RefValue, _ names: [String], new: [Int]?, _ found: inout [RefBelow]) {
        switch value {
        case .array(let elements):
            for (index, element) in elements.enumerated() where element.isContainer {
                if new == [index] { continue }
                let inner = new?.first == index ? new.map { Array($0.dropFirst()) } : nil
                collect(element, names + [String(index)], new: inner, &found)
            }
        case .model(let model):
            var members = model.properties.map(\.name)
            for mark in marks where mark.owner === model && !members.contains(mark.name) {
                members.append(mark.name)
            }
            for name in members { collect(model, name, names + [name], &found) }
        default: break
        }
    }

    private func collect(_ model: RefModel, _ name: String, _ names: [String], _ found: inout [RefBelow]) {
        let now = model.isWeak(name) ? .absent : model.value(name)
        guard let mark = marks.first(where: { $0.owner === model && $0.name == name }) else {
            return collect(now, names, new: nil, &found)
        }
        let before = mark.wasWeak ? .absent : mark.before
        if before.isAbsent, now.isAbsent { return }
        if !mark.isAssigned, mark.edits.count == 1 || (mark.edits.isEmpty && isOneEqualEdit(mark)) {
            let edit = mark.edits.first ?? mark.equalEdits[0]
            found.append(RefBelow(names, outermost(edit, before, now), differs: !mark.edits.isEmpty))
            return collect(now, names, new: mark.edits.first.flatMap(newPlace), &found)
        }
        let differs = !before.equals(now)
        found.append(RefBelow(names: names, old: before.json, new: now.json, differs: differs))
        if !differs { collect(now, names, new: nil, &found) }
    }

    private func isOneEqualEdit(_ mark: RefMark) -> Bool {
        !mark.isAssignedEqual && mark.equalEdits.count == 1
    }

    private func newPlace(_ edit: RefEdit) -> [Int]? {
        edit.kind == .removal ? nil : edit.path + [edit.index]
    }

    /// The edit as the outermost array sees it.
    private func outermost(_ edit: RefEdit, _ before: RefValue, _ now: RefValue) -> RefEdit {
        guard let index = edit.path.first, case .array(let old) = before, case .array(let new) = now else {
            return edit
        }
        return RefEdit(path: [], index: index, kind: .replacement, old: old[index], new: new[index])
    }
}

extension RefBelow {
    init(_ names: [String], _ edit: RefEdit, differs: Bool) {
        self.names = names
        self.differs = differs
        old = edit.kind == .insertion ? "[]" : "[\(edit.old.json)]"
        new = edit.kind == .removal ? "[]" : "[\(edit.new.json)]"
        kind = edit.kind
        indexes = [edit.index]
    }
}
