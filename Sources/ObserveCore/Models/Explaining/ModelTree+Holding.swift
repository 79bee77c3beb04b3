// SPDX-License-Identifier: MIT
// Finds the references to a model. Changes nothing.

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
}
