// SPDX-License-Identifier: MIT
// Swift models as they become models of the tree, and as these are released.

extension HostedModels {
    /// The Swift model's number in the tree, which shows it from now on.
    func number(of object: any ObservableModel) -> ModelID {
        if let known = numbers[ObjectIdentifier(object)] { return known }
        let model = tree.makeLooseModel()
        tree.records.models[model].type = declare(type(of: object)).type
        enter(object, as: model)
        unfilled.append(model)
        unfilledSet.insert(model)
        return model
    }

    /// Gives all new models in the tree what their Swift models have. Only once something refers to them: whether a
    /// reference of theirs would close a cycle is found by climbing from them.
    func fillAll() {
        while let model = unfilled.popLast() {
            unfilledSet.remove(model)
            guard let object = objects[model], let hosted = hostedClass(of: model) else { continue }
            for (index, property) in hosted.properties.enumerated() {
                guard let property else { continue }
                let id = tree.propertyOrPlaceholder(model, property.name)
                tree.fill(
                    id,
                    stored(
                        hosted.table.value(ofProperty: index, of: object),
                        Slot(model: model, index: index),
                        property
                    )
                )
            }
        }
    }

    /// Lets the Swift models go whose models in the tree have died.
    func releaseDead() {
        var gone: [any ObservableModel] = []
        for index in tree.pending.releasedModels.indices {
            let model = tree.pending.releasedModels[index]
            guard let object = objects.removeValue(forKey: model) else { continue }
            numbers[ObjectIdentifier(object)] = nil
            object.endHosting(by: self)
            gone.append(object)
            hasNewReferences = true
        }
        // Their ends may assign others.
        gone.removeAll()
    }
}
