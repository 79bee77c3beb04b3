// SPDX-License-Identifier: MIT
// Goes through the properties that hold a model.

extension ModelTree {
    /// Calls `body`, which may change records, with each property that holds the model strongly.
    func forEachStrongHolder(of model: ModelID, _ body: (PropertyID) -> Void) {
        if let first = records.firstStrongHolder(of: model) { body(first) }
        for holder in records.furtherStrongHolders(of: model) { body(holder) }
    }

    /// Calls `body`, which may change records, with the strong holders of the model, then with the weak ones.
    func forEachHolder(of model: ModelID, _ body: (PropertyID) -> Void) {
        forEachStrongHolder(of: model, body)
        for referrer in records.weakReferrers.sorted(of: model) { body(referrer) }
    }
}
