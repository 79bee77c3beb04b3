// SPDX-License-Identifier: MIT
// The flags of a property's record that follow from its declaration.

extension Typing {
    /// The initial flags of a property's record.
    func declaredFlags(of id: PropertyID, in records: borrowing Records) -> PropertyRecord.Flags {
        let type = records.models[records.properties[id].model].type
        guard type != .noRecord, let declared = types[type].declared(records.properties[id].name),
            declared.isStrict
        else { return [] }
        if declared.isWeak { return [.declared, .weak, .declaredWeak] }
        return declared.isChoosy ? [.declared, .choosy] : .declared
    }

    /// Updates the flags of all properties that follow from their declarations.
    ///
    /// - Returns: the properties without a value that became weak or strong.
    func updateDeclaredFlags(in records: inout Records) -> [(property: PropertyID, model: ModelID)] {
        var nulls: [(property: PropertyID, model: ModelID)] = []
        for index in 0..<records.properties.allocatedCount {
            let id = PropertyID(index: index)
            guard records.properties[id].model != .noRecord, !records.isSelection(id) else { continue }
            let fresh = declaredFlags(of: id, in: records)
            let wasWeak = records.properties[id].flags.contains(.declaredWeak)
            records.properties[id].flags.subtract([.declared, .declaredWeak, .choosy])
            records.properties[id].flags.formUnion(fresh.subtracting(.weak))
            let isWeak = fresh.contains(.declaredWeak)
            // References in use change with their counts. An open model's null stays as it is.
            if wasWeak != isWeak, records.models[records.properties[id].model].type != .noRecord,
                records.properties[id].isWeak != isWeak, records.properties[id].slot.isNull,
                !records.properties[id].flags.contains(.computed)
            {
                records.properties[id].isWeak = isWeak
                nulls.append((id, records.properties[id].model))
            }
        }
        return nulls
    }
}
