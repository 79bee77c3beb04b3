// SPDX-License-Identifier: MIT
// What `describe` says of a place: kinds, identity, strength. Changes nothing.

extension ModelTree {
    /// Appends the description of what `path` names, as a JSON object.
    func describe(_ path: ParsedKeyPath, to out: ByteBuffer) {
        let place = walk(path)
        let found = value(at: place)
        var flags: PropertyRecord.Flags = []
        if case .property(let id) = place { flags = properties[id].flags }
        out.append(0x7B)
        describe(found, flags, to: out)
        switch found {
        case .array(let array):
            out.append(",\"count\":")
            out.append(decimal: UInt64(array.elements.count))
        case .model(let model): describeProperties(of: model, to: out)
        default: break
        }
        if case .broken(let component, _) = place {
            out.append(",\"nilAt\":")
            out.appendJSONString(utf8: path.escaped(first: component + 1))
        }
        out.append(0x7D)
    }

    /// Appends the description of the set of roots.
    func describeRoots(to out: ByteBuffer) {
        out.append("{\"kind\":\"model\",\"type\":\"Any\",\"weak\":false,\"computed\":false,\"readonly\":true")
        describeProperties(of: rootModel, to: out)
        out.append(0x7D)
    }

    /// The members that every description has. Types are `Any` as long as none are declared.
    private func describe(_ value: StoredValue, _ flags: PropertyRecord.Flags, to out: ByteBuffer) {
        out.append("\"kind\":\"")
        out.append(utf8: value.kindName)
        out.append("\",\"type\":\"Any\"")
        if case .model(let model) = value {
            out.append(",\"instance\":")
            out.append(decimal: models[model].instance)
        }
        out.append(",\"weak\":")
        let isComputed = flags.contains(.computed)
        out.append(flags.contains(.weak) && !isComputed ? "true" : "false")
        out.append(",\"computed\":")
        out.append(isComputed ? "true" : "false")
        out.append(",\"readonly\":")
        out.append(isReadOnly ? "true" : "false")
    }

    private func describeProperties(of model: ModelID, to out: ByteBuffer) {
        out.append(",\"count\":")
        out.append(decimal: UInt64(models[model].count))
        out.append(",\"properties\":[")
        var id = models[model].first
        while id != noRecord {
            out.append("{\"name\":")
            out.appendJSONString(decoded: names.text(properties[id].name))
            out.append(0x2C)
            describe(properties[id].value, properties[id].flags, to: out)
            out.append(0x7D)
            id = properties[id].next
            if id != noRecord { out.append(0x2C) }
        }
        out.append(0x5D)
    }
}
