// SPDX-License-Identifier: MIT
// Finds or makes a property's record, with the flags that its declaration demands. Independent of values.

extension TreeState {
    /// The property's record. Makes a placeholder if there is none.
    func propertyOrPlaceholder(_ model: ModelID, _ name: NameID) -> PropertyID {
        if let known = records.property(model, name) { return known }
        let fresh = records.makePlaceholder(model, name)
        if records.models[model].type != .noRecord {
            records.properties[fresh].flags = typing.declaredFlags(of: fresh, in: records)
        }
        return fresh
    }

    /// The property's record; its value is absent if the model does not have the property yet.
    func addProperty(named name: ByteView, to model: ModelID) -> PropertyID {
        let id = records.names.intern(name)
        defer { records.names.release(id) }
        return propertyOrPlaceholder(model, id)
    }
}
