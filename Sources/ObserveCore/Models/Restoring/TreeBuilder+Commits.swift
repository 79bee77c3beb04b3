// SPDX-License-Identifier: MIT
// The author, time and causes of a commit that recovery repeats, and the ends of bindings in it. Restores bindings, and the
// numbers from which the next ones continue.

extension TreeBuilder {
    func setAuthor(_ author: CommitAuthor) {
        let time = tree.pending.author.time
        tree.pending.author = author
        tree.pending.author.time = time
    }

    func setTime(_ time: Int64) { tree.pending.author.time = time }

    func setCause(_ cause: ChangeCause) { tree.pending.cause = cause }

    /// Notes a change of a present property in a new model, for the commit's entry in the history.
    func noteChange(of id: PropertyID) {
        let touched = tree.touch(id)
        tree.pending.touches[touched].isChanged = true
        tree.pending.touches[touched].isOfNewModel = true
    }

    func endTemporaryValues() { tree.commit { tree.expireAll() } }

    /// Reserves the number: no new binding gets it.
    func noteBinding(_ number: Int32) { tree.continueBindings(after: max(tree.reader.lastBinding, number)) }

    /// Makes a binding of the stored state again, with its number. It continues from the current values of both ends.
    func restoreBinding(_ number: Int32, _ source: String, _ target: String, isTwoWay: Bool) throws(TreeError)
    {
        let last = tree.reader.lastBinding
        tree.continueBindings(after: number - 1)
        defer { tree.continueBindings(after: max(last, number)) }
        try tree.bind(source: source, target: target, isTwoWay: isTwoWay, isRestored: true)
    }

    /// Makes the next model and the next binding get higher numbers than these.
    func continueNumbers(after instance: UInt64, binding: Int32) {
        tree.records.lastInstance = max(tree.records.lastInstance, instance)
        tree.continueBindings(after: binding)
    }
}
