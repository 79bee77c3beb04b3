// SPDX-License-Identifier: MIT
// X

/// The declared types, and the check of a value against one.
struct Typing: ~Copyable {
    var types = TypeTable()
    /// A default is being built, in which all types may be made.
    var isMakingDefault = false
    /// The way to the value that is being checked against its type.
    var trail = Scratch<TrailStep>()
    /// What was refused, where it is noted instead of thrown.
    var refusals: [TreeError]?
}
