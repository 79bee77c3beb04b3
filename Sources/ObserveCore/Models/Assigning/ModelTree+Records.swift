// SPDX-License-Identifier: MIT
// Makes and frees records as the open commit and the history demand.

extension ModelTree {
    func makeModel() -> ModelID {
        let model = records.makeModel()
        if hooks.isRecording { pending.created.append(model) }
        return model
    }
}
