// SPDX-License-Identifier: MIT
// The expected events of `P.**`: the oracle checks each property below P after every commit. No index.

@testable import ObserveCore

extension ReferenceTree {
    /// The events below P, whose own value the commit did not replace. The flag is false for events that only
    /// indistinct observers get.
    ///
    /// - Parameter notified: the element of the array P that P's own event shows.
    func eventsBelow(_ names: [String], _ value: RefValue, notified: Int?) -> [(
        event: TreeEvent, isForAll: Bool
    )] {
        var found: [(TreeEvent, Bool)] = []
        collect(value, names, notified: notified, &found)
        return found
    }

    private func collect(
        _ value: RefValue,
        _ names: [String],
        notified: Int?,
        _ found: inout [(TreeEvent, Bool)]
    ) {
        switch value {
        case .array(let elements):
            for (index, element) in elements.enumerated() where element.isContainer && index != notified {
                collect(element, names + [String(index)], notified: nil, &found)
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

    private func collect(
        _ model: RefModel,
        _ name: String,
        _ names: [String],
        _ found: inout [(TreeEvent, Bool)]
    ) {
        let now = model.isWeak(name) ? .absent : model.value(name)
        guard let mark = marks.first(where: { $0.owner === model && $0.name == name }) else {
            return collect(now, names, notified: nil, &found)
        }
        let before = mark.wasWeak ? .absent : mark.before
        if before.isAbsent, now.isAbsent { return }
        let differs = !before.equals(now)
        var event = TreeEvent(
            watcher: 0,
            path: dotted(names[...]),
            reason: .valueChanged,
            old: before.json,
            new: now.json,
            revision: revision
        )
        if !mark.isAssigned, let edit = RefEdits(all: mark.edits).shown(before, now),
            !(edit.isEqual && mark.isAssignedEqual)
        {
            event.show(edit)
        }
        found.append((event, differs))
        if event.kind == nil, differs { return }
        collect(now, names, notified: differs ? event.sentElement : nil, &found)
    }
}

extension TreeEvent {
    /// The element that the event shows with its new value.
    var sentElement: Int? { kind == .insertion || kind == .replacement ? indexes.first : nil }
}
