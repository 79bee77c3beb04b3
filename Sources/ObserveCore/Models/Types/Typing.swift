// SPDX-License-Identifier: MIT
// The state of declared types and type checks.

/// The declared types, and the state of checking a value against one.
struct Typing: ~Copyable {
    var types = TypeTable()
    /// The declarations of ``types``; nil until the first one.
    var declarations: TypeDeclarations?
    /// Whether the tree is building a default, which may contain models of any type.
    var isMakingDefault = false
    /// Whether a required model without a default is made of its type's defaults.
    var isMakingRequired = false
    /// The way to the value being checked.
    var trail = Scratch<TrailStep>()
    /// The refusals while the tree collects instead of throws them; nil otherwise.
    var refusals: [TreeError]?
    /// The types before the open commit, if it changes them.
    var changed: FormerTypes?
    /// The types before the commits that the tree may still have to undo, if one changed them.
    var pinned: FormerTypes?
}

extension Typing {
    /// Whether the open commit changes the types, or an undo restores them.
    var isChanging: Bool { changed != nil || pinned != nil }

    /// Keeps the types from before the open commit until ``ModelTree/unpin()``.
    mutating func pinChanged() {
        guard let changed else { return }
        pinned = pinned.map { $0.followed(by: changed) } ?? changed
    }
}

/// The declared types before a commit, and the types of the models that it changed.
struct FormerTypes {
    let generation: TypeTable.Generation
    let declarations: TypeDeclarations?
    var models: [(model: ModelID, type: TypeID)] = []
    /// The properties without a value that became weak or strong.
    var nulls: [(property: PropertyID, model: ModelID)] = []
    /// The bindings that the commit ended.
    var unbound: [Int32] = []

    /// The types before this commit and the next one. A model's first type counts.
    func followed(by next: FormerTypes) -> FormerTypes {
        var both = self
        let known = Set(models.map(\.model))
        both.models += next.models.filter { !known.contains($0.model) }
        return both
    }
}
