// SPDX-License-Identifier: MIT
// Restores bindings, and the numbers from which the next ones continue. Independent of lines and files.

extension TreeBuilder {
    /// Reserves the number: no new binding gets it.
    func noteBinding(_ number: Int32) {
        tree.continueBindings(after: max(tree.reader.lastBinding, number))
    }

    /// Makes a binding of the stored state again, with its number. It continues from the current values of both
    /// ends.
    func restoreBinding(_ number: Int32, _ source: String, _ target: String, isTwoWay: Bool)
        throws(TreeError)
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
