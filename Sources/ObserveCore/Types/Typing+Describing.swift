// SPDX-License-Identifier: MIT
// Renders declared types for the answer of `describe`. Independent of values.

extension Typing {
    /// Appends the declared types that values of `type` need: those in it, then those of their properties, each once. Returns
    /// false if the description, which begins at `start`, exceeds `maxRenderedBytes`.
    func describe(_ type: ValueType, to out: ByteBuffer, from start: Int, in records: inout Records) -> Bool {
        out.append(",\"types\":[")
        var needed: [TypeID] = []
        appendModelTypes(in: type, to: &needed)
        var next = 0
        while next < needed.count {
            if next > 0 { out.append(0x2C) }
            let type = types[needed[next]]
            next += 1
            out.append("{\"name\":", type.name)
            out.append(",\"properties\":[")
            for (index, property) in type.properties.enumerated() {
                guard records.limits.mayRender(out.count - start) else { return false }
                records.effort.count(16)
                if index > 0 { out.append(0x2C) }
                describe(property, to: out)
                appendModelTypes(in: property.declared.type, to: &needed)
            }
            out.append("]}")
        }
        out.append(0x5D)
        return records.limits.mayRender(out.count - start)
    }

    private func describe(_ property: DeclaredProperty, to out: ByteBuffer) {
        out.append("{\"name\":", property.text)
        out.append(",\"type\":", types.text(of: property.declared.type))
        out.append(property.declared.isWeak ? ",\"weak\":true" : ",\"weak\":false")
        out.append(property.isComputed ? ",\"computed\":true" : ",\"computed\":false")
        let isReadonly = property.declared.traits.contains(.readonly)
        out.append(isReadonly ? ",\"readonly\":true" : ",\"readonly\":false")
        if !property.initialText.isEmpty {
            out.append(",\"default\":")
            out.append(contentsOf: property.initialText)
        }
        out.append(0x7D)
    }

    /// Appends the types with declared properties that are in `type`, and not in `needed` yet.
    private func appendModelTypes(in type: ValueType, to needed: inout [TypeID]) {
        switch type {
        case .array(let inside), .optional(let inside): appendModelTypes(in: inside, to: &needed)
        case .model(let id):
            if let elements = types[id].elements {
                appendModelTypes(in: elements, to: &needed)
            } else if !needed.contains(id) {
                needed.append(id)
            }
        case .any, .bool, .int, .double, .string, .refined: break
        }
    }
}
