// SPDX-License-Identifier: MIT
// Properties' records as declared: the flags that follow from a declaration. Independent of values.

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

    /// The property's record. Makes a placeholder if there is none.
    func propertyOrPlaceholder(_ model: ModelID, _ name: NameID, in records: inout Records) -> PropertyID {
        if let known = records.property(model, name) { return known }
        let fresh = records.makePlaceholder(model, name)
        if records.models[model].type != .noRecord {
            records.properties[fresh].flags = declaredFlags(of: fresh, in: records)
        }
        return fresh
    }

    /// The property's record; its value is absent if the model does not have the property yet.
    func addProperty(named name: ByteView, to model: ModelID, in records: inout Records) -> PropertyID {
        let id = records.names.intern(name)
        defer { records.names.release(id) }
        return propertyOrPlaceholder(model, id, in: &records)
    }
}
