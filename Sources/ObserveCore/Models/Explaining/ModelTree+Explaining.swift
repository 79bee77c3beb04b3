// SPDX-License-Identifier: MIT
// The parts of an explanation that follow from the path's place, and the references to models. Changes nothing.

extension ModelTree {
    /// Each component of the path, with the references to its model: see ``holders(of:where:)``.
    func components(of path: ParsedKeyPath, where isShown: ((String) -> Bool)?) -> [Explanation.Component] {
        (1...path.count).map { count in
            let prefix = path.prefix(count)
            let facts = facts(of: prefix, at: walk(prefix))
            let instance = facts.value.modelID.map { records.models[$0].instance }
            var component = Explanation.Component(path: prefix.escaped, facts: facts, instance: instance)
            if let model = facts.value.modelID { component.holders = holders(of: model, where: isShown) }
            return component
        }
    }

    /// The property's temporary values, beginning with the one that shows, and the permanent one; empty without temporary values.
    /// With indices, those of an element of its array.
    func layers(of id: PropertyID, _ indices: [Int]) -> [StackedValue] {
        var stack = reader.stack(of: id)
        if let top = stack.indices.last { stack[top].value = records.properties[id].value }
        for index in stack.indices { stack[index].value = element(of: stack[index].value, indices) }
        return stack.reversed()
    }

    /// The references to the model from properties that have a path, strong ones first.
    /// - Parameter isShown: whether the client may see the path; nil if it may see all.
    func holders(of model: ModelID, where isShown: ((String) -> Bool)?) -> Explanation.HolderList {
        var list = Explanation.HolderList()
        var examined = 0
        forEachHolder(of: model) { id in
            records.effort.count(4)
            // Only its observers see it.
            if records.isSelection(id) { return }
            let isFull = list.listed.count == Explanation.HolderList.most
            if isShown != nil, examined == Explanation.HolderList.mostExamined {
                return list.hasHidden = true
            }
            // A path is needed to list it, and to know whether the client may see it.
            guard let start = isFull && isShown == nil ? "" : path(of: id) else { return }
            forEachPlace(of: model, in: id) { indices in
                let path = { indices.reduce(start) { "\($0).\($1)" } }
                if let isShown {
                    guard examined < Explanation.HolderList.mostExamined else { return list.hasHidden = true }
                    examined += 1
                    guard isShown(path()) else { return list.hasHidden = true }
                }
                guard list.listed.count < Explanation.HolderList.most else { return list.further += 1 }
                list.listed.append((path(), records.properties[id].isWeak))
            }
        }
        return list
    }
}
