// SPDX-License-Identifier: MIT
// Assigns imported values. Independent of where they come from.

extension WritingTree {
    /// The place to which a loaded value goes, and its declaration. Throws if it can't be written.
    func place(toLoad path: ParsedKeyPath) throws(TreeError) -> (Place, Declared?) {
        try refuseReserved(path)
        try refuseUnknown(path)
        let place = walk(path)
        try refuseMissing(path, at: place)
        return (place, try writable(path, at: place))
    }

    func assign(_ value: StoredValue, to path: ParsedKeyPath, isWeak: Bool) throws(TreeError) {
        let (place, declared) = try place(toLoad: path)
        var new = value
        if let declared {
            typing.beginTrail(.path(path))
            new = try typing.converted(value, as: declared, isWeak: isWeak, in: records)
            if declared.isWeak, new.modelID != nil {
                let fault = "it is weak, and nothing else would keep the model alive"
                throw TreeError(.typeMismatch, "\(path.escaped): \(fault)", at: path)
            }
        }
        guard isWeak, let id = property(at: place, path) else {
            _ = try put(new, path, at: place)
            return
        }
        assign(id, new, isWeak: true)
    }
}
