// SPDX-License-Identifier: MIT
// The state of the open commit. Data only.

struct PendingCommit: ~Copyable {
    /// The author of the next commits, or of the commit that the tree replays now.
    var author = CommitAuthor()
    /// Whether the layout in progress is part of one commit: see ``ModelTree/layOut(_:)``.
    var isLayingOut = false
    // The fields below have their initial values between commits.
    /// The value of the text that the commit assigns, if it was built before.
    var loaded: StagedValue?
    var touches = Scratch<Touch>()
    var hasChanged = false
    /// Whether computed properties of types may lack a value, since too few looks were left.
    var ranShort = false
    var cause = ChangeCause.writer
    /// Changes to the order of properties; a rollback reverts them last to first.
    var orderChanges = Scratch<OrderChange>()
    var releasedModels = Scratch<ModelID>()
    /// The released models that the commit brings back.
    var restored: [ModelID: RestoredModel] = [:]
    /// The declared types before the commit, if it replaces them.
    var formerTypes: FormerTypes?
    /// The limits of computed properties before the commit, if it computes all of them.
    var formerLimits: ComputingLimits?
    /// The models that the commit has made, if a recorder gets it.
    var created = Scratch<ModelID>()
    /// The indices of models in the arrays that were scanned after its last write.
    var places: [PropertyID: [ModelID: [[Int]]]] = [:]
    /// The bindings that the commit has made.
    var bound: [Int32] = []

    /// Whether the commit made the model, or brought it back.
    /// - Parameter lastInstance: the newest model before the commit.
    @inline(__always)
    func isNew(_ model: ModelID, after lastInstance: UInt64, in records: borrowing Records) -> Bool {
        records.models[model].instance > lastInstance || restored[model] != nil
    }

    var isIdle: Bool {
        touches.isEmpty && !hasChanged && orderChanges.isEmpty
            && releasedModels.isEmpty && formerTypes == nil && formerLimits == nil && loaded == nil
            && created.isEmpty && bound.isEmpty && restored.isEmpty && places.isEmpty
    }
}

/// The declared types before a commit that replaces them.
struct FormerTypes {
    let generation: TypeTable.Generation
    let declarations: TypeDeclarations?
    var models: [(model: ModelID, type: TypeID)] = []
    /// The bindings that the commit ended.
    var unbound: [Int32] = []
    /// The bindings whose source leads through properties that the types compute no longer (true), or again.
    var sources: [DependentID: Bool] = [:]
}
