// SPDX-License-Identifier: MIT
// The flags by which a property's record says that its type declares something for it.

extension ModelTree {
    /// What a property's flags begin with.
    func declaredFlags(of id: PropertyID) -> PropertyRecord.Flags {
        let type = records.models[records.properties[id].model].type
        guard type != .noRecord, let declared = typing.types[type].declared(records.properties[id].name),
            declared.isStrict
        else { return [] }
        if declared.isWeak { return [.declared, .weak, .declaredWeak] }
        return declared.isChoosy ? [.declared, .choosy] : .declared
    }
}
