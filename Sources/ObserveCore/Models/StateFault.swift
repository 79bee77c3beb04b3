// SPDX-License-Identifier: MIT
// The error of state that a tree can't be made from. Independent of what the state is written in.

/// A fault of kept state.
struct StateFault: Error {
    let sentence: String
    /// The state is not one of this program.
    let isForeign: Bool

    init(_ sentence: String, isForeign: Bool = false) {
        self.sentence = sentence
        self.isForeign = isForeign
    }
}
