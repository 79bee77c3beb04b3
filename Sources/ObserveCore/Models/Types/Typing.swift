// SPDX-License-Identifier: MIT
// The state of declared types and type checks.

/// The declared types, and the state of checking a value against one.
struct Typing: ~Copyable {
    var types = TypeTable()
    /// The declarations of ``types``; nil until the first one.
    var declarations: TypeDeclarations?
    /// The compiled templates.
    var computations: [Computation] = []
    /// Whether the tree is building a default, which may contain models of any type.
    var isMakingDefault = false
    /// Whether a required model without a default is made of its type's defaults.
    var isMakingRequired = false
    /// The way to the value being checked.
    var trail = Scratch<TrailStep>()
    /// The refusals while the tree collects instead of throws them; nil otherwise.
    var refusals: [TreeError]?
}
