// SPDX-License-Identifier: MIT
// Finds or makes a property's record, with the flags that its declaration demands, and the names of nodes for operators and
// selections. Independent of values.

extension TreeState {
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

    /// The reserved name of the node for the path's operator, with a new reference; nil without an operator.
    func operatorName(_ path: ParsedKeyPath) -> NameID? {
        path.operatorIndex.map { internReserved(path, $0..<path.count) }
    }

    /// The name of the node for the component, with a new reference.
    func internNodeName(_ path: ParsedKeyPath, _ index: Int) -> NameID {
        path.isSelection(index)
            ? internReserved(path, index..<index + 1) : records.names.intern(path.name(index))
    }

    private func internReserved(_ path: ParsedKeyPath, _ range: Range<Int>) -> NameID {
        scratchText.removeAll()
        scratchText.append(OperatorName.mark)
        path.appendEscaped(range, to: scratchText)
        return records.names.intern(scratchText.view)
    }
}
