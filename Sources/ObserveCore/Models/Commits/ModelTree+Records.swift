// SPDX-License-Identifier: MIT
// Makes and frees records as the open commit and the history demand.

extension ModelTree {
    func makeModel() -> ModelID {
        let model = records.makeModel()
        if hooks.isRecording { pending.created.append(model) }
        return model
    }

    /// Frees the property's record if it is absent, and no node, dependent or commit uses it. Commits in the
    /// history count.
    func freeIfUnused(_ id: PropertyID) {
        guard records.properties[id].slot.isAbsent, records.properties[id].bound == .noRecord,
            records.properties[id].touch == 0,
            !records.properties[id].flags.contains(.read), records.properties[id].revision <= history.horizon
        else { return }
        records.free(id)
    }
}
