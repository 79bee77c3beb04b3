// SPDX-License-Identifier: MIT
// The flags of a property's record that follow from its declaration.

extension ModelTree {
    /// The initial flags of a property's record.
    func declaredFlags(of id: PropertyID) -> PropertyRecord.Flags {
        let type = records.models[records.properties[id].model].type
        guard type != .noRecord, let declared = typing.types[type].declared(records.properties[id].name),
            declared.isStrict
        else { return [] }
        if declared.isWeak { return [.declared, .weak, .declaredWeak] }
        return declared.isChoosy ? [.declared, .choosy] : .declared
    }
}
