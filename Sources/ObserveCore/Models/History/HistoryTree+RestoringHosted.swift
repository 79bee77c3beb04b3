// SPDX-License-Identifier: MIT
// Refuses to bring back models whose Swift models have ended. Independent of what brings them back.

extension HistoryTree {
    /// Throws if the released model was a Swift model: that one has ended.
    func refuseRestoring(_ model: ModelID) throws(TreeError) {
        guard hosted?.hasClass(model) == true else { return }
        let type = typing.types[records.models[model].type].name
        throw TreeError(
            kind: .readOnly,
            message: "the program has ended a model of the type \(type), which can't be brought back",
            path: nil
        )
    }
}
