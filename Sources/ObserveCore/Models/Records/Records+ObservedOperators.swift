// SPDX-License-Identifier: MIT
// HEADER

extension Records {
    /// Strong ones and weak ones.
    func forEachHolder(of model: ModelID, _ body: (PropertyID) -> Void) {
        forEachStrongHolder(of: model, body)
        for referrer in weakReferrers.sorted(of: model) { body(referrer) }
    }
}
