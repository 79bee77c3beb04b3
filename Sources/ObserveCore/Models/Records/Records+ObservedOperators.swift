// SPDX-License-Identifier: MIT
// Every property that refers to a model, for observed operators.

extension Records {
    /// Calls `body` with the strong holders of the model, then with the weak ones.
    func forEachHolder(of model: ModelID, _ body: (PropertyID) -> Void) {
        forEachStrongHolder(of: model, body)
        for referrer in weakReferrers.sorted(of: model) { body(referrer) }
    }
}
