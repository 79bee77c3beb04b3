// SPDX-License-Identifier: MIT
// Models that are built before the commit that assigns them.

/// The models of one load, until a commit adopts them.
///
/// A staged model has properties, names and values, but no instance, like a free record. So whatever visits all models of the tree
/// passes it over. Nothing refers to the outermost ones.
final class StagedModels {
    /// The models, each before those in it.
    var models: ContiguousArray<ModelID> = []
    /// The bytes of memory that they take.
    var bytes = 0
    private let area: StagingArea

    init(in area: StagingArea) { self.area = area }

    /// A load was dropped, or its commit built the value in another way: the tree frees the models in slices.
    deinit { if !models.isEmpty { area.discarded.append(DiscardedModels(models: models, bytes: bytes)) } }
}

/// Staged models that no commit will adopt.
struct DiscardedModels {
    /// The models that are left; the last one may have lost some of its properties.
    var models: ContiguousArray<ModelID>
    var bytes: Int
}

/// All staged models of a tree.
final class StagingArea {
    var modelCount = 0
    var propertyCount = 0
    /// The bytes that ``Records/usedBytes`` leaves out: they join the tree with the commit.
    var bytes = 0
    var discarded: ContiguousArray<DiscardedModels> = []
}

extension Records {
    /// Counts the bytes that staged models and values have taken.
    ///
    /// - Parameter before: ``countedBytes`` before they were staged.
    func noteStaged(_ staged: StagedModels, since before: Int) {
        let added = countedBytes &- before
        staged.bytes &+= added
        staging.bytes &+= added
    }

    /// Makes a model outside of the tree.
    mutating func makeStagedModel(_ staged: StagedModels) -> ModelID {
        let model = allocateModel()
        staging.modelCount += 1
        staged.models.append(model)
        return model
    }
}
