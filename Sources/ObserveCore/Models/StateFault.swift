// SPDX-License-Identifier: MIT
// The error of state that a tree can't be made from. Independent of what the state is written in.

/// What is wrong with kept state.
struct StateFault: Error {
    let sentence: String
    /// The state is not one of this program, whatever else it says.
    let isForeign: Bool

    init(_ sentence: String, isForeign: Bool = false) {
        self.sentence = sentence
        self.isForeign = isForeign
    }
}
