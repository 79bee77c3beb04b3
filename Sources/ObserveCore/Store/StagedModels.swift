// SPDX-License-Identifier: MIT
// Models that are built before the commit that assigns them.

/// The models of one load, until a commit adopts them.
///
/// Like a free record, a staged model has no instance, so whatever visits all models passes it over. Nothing refers to the
/// outermost ones.
final class StagedModels {
    /// The models, each before those in it.
    var models: ContiguousArray<ModelID> = []
    /// The bytes of memory that they take.
    var bytes = 0
    private let area: StagingArea

    init(in area: StagingArea) { self.area = area }

    /// No commit adopted them: the tree frees them in slices.
    deinit { if !models.isEmpty { area.discarded.append((models, bytes)) } }
}

final class StagingArea {
    var modelCount = 0
    var propertyCount = 0
    /// The bytes that ``Records/usedBytes`` leaves out: they join the tree with the commit.
    var bytes = 0
    /// Models that no commit adopted. Of those that are left, the last one may have lost some of its properties.
    var discarded: [(models: ContiguousArray<ModelID>, bytes: Int)] = []
}

extension Records {
    /// Counts the bytes that staged models and values have taken, by ``countedBytes`` before.
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
