// SPDX-License-Identifier: MIT
// Refuses state whose strong references lead in a circle: no tree has such state. Independent of lines and files.

extension TreeBuilder {
    /// Notes that a commit gives the property's model a strong reference.
    @inline(__always)
    func noteHolder(_ id: PropertyID, of value: StoredValue, isWeak: Bool) {
        if value.isContainer, !isWeak { newHolders.append(tree.records.properties[id].model) }
    }

    /// Refuses the commit if its references close a circle. Call it after all entries: there may be one in between.
    func refuseCycles() throws(StateFault) {
        if newHolders.isEmpty { return }
        for model in newHolders where tree.holdsItself(model) { throw cycleFault(model) }
        newHolders.removeAll(keepingCapacity: true)
    }

    /// Refuses a snapshot with a circle. Call it after all references are counted.
    func refuseCycles(among reached: [Bool], _ stacks: [PropertyID: TemporaryStack]) throws(StateFault) {
        if let model = tree.modelInCycle(among: reached, stacks) { throw cycleFault(model) }
    }

    private func cycleFault(_ model: ModelID) -> StateFault {
        StateFault("strong references lead from the model \(tree.records.models[model].instance) to itself")
    }
}
