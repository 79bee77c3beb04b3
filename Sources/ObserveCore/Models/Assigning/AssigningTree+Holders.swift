// SPDX-License-Identifier: MIT
// Visits the properties that hold a model.

extension AssigningTree {
    /// Calls `body`, which may change records, with each property that holds the model strongly.
    func forEachStrongHolder(of model: ModelID, _ body: (PropertyID) -> Void) {
        if let first = records.firstStrongHolder(of: model) { body(first) }
        // Most models have one holder: this check costs less than the call.
        guard records.models[model].strongReferences > 1 else { return }
        for holder in records.furtherStrongHolders(of: model) { body(holder) }
    }

    /// Calls `body`, which may change records, with the strong holders of the model, then with the weak ones.
    func forEachHolder(of model: ModelID, _ body: (PropertyID) -> Void) {
        forEachStrongHolder(of: model, body)
        guard !records.weakReferrers.isEmpty else { return }
        for referrer in records.weakReferrers.sorted(of: model) { body(referrer) }
    }
}
