// SPDX-License-Identifier: MIT
// The error of stored state from which no tree can be restored. Independent of the state's format.

struct StateFault: Error {
    let sentence: String
    /// Whether the state is not from this program, or from another version of it.
    let isForeign: Bool
    /// Whether a higher limit permits it.
    let exceedsLimit: Bool

    init(_ sentence: String, isForeign: Bool = false, exceedsLimit: Bool = false) {
        self.sentence = sentence
        self.isForeign = isForeign
        self.exceedsLimit = exceedsLimit
    }
}
