// SPDX-License-Identifier: MIT
// Finds the references to a model, and a path to each. Changes nothing.

extension ModelTree {
    /// The references to the model from properties that have a path, strong ones first.
    ///
    /// - Parameter isShown: whether the client may see the path; nil if it may see all.
    /// - Cost: proportional to the references, and to the arrays that have them.
    func holders(of model: ModelID, where isShown: ((String) -> Bool)?) -> Explanation.HolderList {
        var list = Explanation.HolderList()
        var examined = 0
        forEachHolder(of: model) { id in
            let isFull = list.listed.count == Explanation.HolderList.most
            if isShown != nil, examined == Explanation.HolderList.mostExamined {
                return list.hasHidden = true
            }
            // A path is needed to list it, and to know whether the client may see it.
            guard let start = isFull && isShown == nil ? "" : path(of: id) else { return }
            forEachPlace(of: model, in: id) { indices in
                if let isShown {
                    guard examined < Explanation.HolderList.mostExamined else { return list.hasHidden = true }
                    examined += 1
                    guard isShown(indices.reduce(start) { "\($0).\($1)" }) else {
                        return list.hasHidden = true
                    }
                }
                guard list.listed.count < Explanation.HolderList.most else { return list.further += 1 }
                let path = indices.reduce(start) { "\($0).\($1)" }
                list.listed.append(Explanation.Holder(path: path, isWeak: records.properties[id].isWeak))
            }
        }
        return list
    }

    /// A path to the property, through strong references; nil if only shadowed values hold its model.
    func path(of id: PropertyID) -> String? {
        var failed: Set<ModelID> = []
        let model = records.properties[id].model
        guard let start = path(to: model, atMost: limits.maxDepth, &failed) else { return nil }
        // The set of a model's properties has the path of the model.
        if records.names.text(records.properties[id].name) == membersName.view { return start }
        return start.isEmpty ? escapedName(of: id) : "\(start).\(escapedName(of: id))"
    }

    /// A path to the model; empty for the set of roots. Recursion is as deep as a path may be long.
    ///
    /// - Parameter failed: models without a path, which the search need not visit again.
    private func path(to model: ModelID, atMost depth: Int, _ failed: inout Set<ModelID>) -> String? {
        if model == records.root { return "" }
        if depth == 0 || failed.contains(model) { return nil }
        if let first = records.firstStrongHolder(of: model),
            let path = path(to: model, by: first, depth, &failed)
        {
            return path
        }
        for holder in records.furtherStrongHolders(of: model) {
            if let path = path(to: model, by: holder, depth, &failed) { return path }
        }
        failed.insert(model)
        return nil
    }

    private func path(to model: ModelID, by holder: PropertyID, _ depth: Int, _ failed: inout Set<ModelID>)
        -> String?
    {
        var place: [Int]?
        forEachPlace(of: model, in: holder) { if place == nil { place = $0 } }
        guard let place,
            let start = path(to: records.properties[holder].model, atMost: depth - 1 - place.count, &failed)
        else { return nil }
        let name = start.isEmpty ? escapedName(of: holder) : "\(start).\(escapedName(of: holder))"
        return place.reduce(name) { "\($0).\($1)" }
    }

    private func escapedName(of id: PropertyID) -> String {
        let out = ByteBuffer()
        out.appendEscaped(name: records.names.text(records.properties[id].name))
        return out.string
    }
}
