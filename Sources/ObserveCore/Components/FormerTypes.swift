// SPDX-License-Identifier: MIT
// The declared types before a commit that replaces them. Data only.

struct FormerTypes {
    let generation: TypeTable.Generation
    let declarations: TypeDeclarations?
    var models: [(model: ModelID, type: TypeID)] = []
    /// The properties without a value that became weak or strong.
    var nulls: [(property: PropertyID, model: ModelID)] = []
    /// The bindings that the commit ended.
    var unbound: [Int32] = []
    /// The bindings whose source leads through properties that the types compute no longer (true), or again.
    var sources: [DependentID: Bool] = [:]
}
