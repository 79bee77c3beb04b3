// SPDX-License-Identifier: MIT
// Refuses state that no tree has: strong references in a circle, temporary values of a property that is not there, writes of
// computed properties. Independent of lines and files.

extension TreeBuilder {
    /// Notes that a commit gives the property's model a strong reference.
    @inline(__always) func noteHolder(_ id: PropertyID, of value: StoredValue, isWeak: Bool) {
        if value.isContainer, !isWeak { newHolders.append(tree.records.properties[id].model) }
    }

    /// Refuses the commit if its references close a circle. Call it after all entries: there may be one in between.
    func refuseCycles() throws(StateFault) {
        if newHolders.isEmpty { return }
        for model in newHolders where tree.holdsItself(model) { throw cycleFault(model) }
        newHolders.removeAll(keepingCapacity: true)
    }

    /// Refuses a snapshot with a circle. Call it after all references are counted.
    func refuseCycles(among reached: [Bool], _ stacks: [PropertyID: ValueStack]) throws(StateFault) {
        if let model = Reachability.modelInCycle(among: reached, stacks, in: tree.records) {
            throw cycleFault(model)
        }
    }

    private func cycleFault(_ model: ModelID) -> StateFault {
        StateFault("strong references lead from the model \(tree.records.models[model].instance) to itself")
    }

    /// Refuses a commit that leaves temporary values of a property that is not there. Call it after all entries and stacks.
    func refuseAbsentStacks() throws(StateFault) {
        if absentStacks.isEmpty { return }
        for id in absentStacks where tree.records.properties[id].flags.contains(.isStacked) {
            if !isPresent(id) { throw StateFault("a property that is not there has temporary values") }
        }
        absentStacks.removeAll()
    }

    /// Refuses a write of a computed property: a commit has its new value from its inputs.
    func requireStored(_ id: PropertyID) throws(StateFault) {
        guard tree.records.properties[id].flags.contains(.computed) else { return }
        let name = tree.records.names.text(tree.records.properties[id].name).string
        let instance = tree.records.models[model(of: id)].instance
        throw StateFault("the computed property \(name) of the model \(instance) was written")
    }
}
