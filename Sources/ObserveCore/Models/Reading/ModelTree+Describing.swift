// SPDX-License-Identifier: MIT
// Renders the answer of `describe` for a place: kinds, types, identity, strength. Changes nothing.

extension ModelTree {
    /// Appends the description of the place that `path` leads to, as a JSON object.
    func describe(_ path: ParsedKeyPath, to out: ByteBuffer) {
        let place = walk(path)
        let found = value(at: place)
        var flags: PropertyRecord.Flags = []
        if case .property(let id) = place { flags = records.properties[id].flags }
        out.append(0x7B)
        describe(found, declared(path, at: place), flags, to: out)
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

    /// Appends the description of the set of roots; omits names that `isShown` refuses.
    func describeRoots(to out: ByteBuffer, where isShown: (ByteView) -> Bool) {
        out.append("{\"kind\":\"model\",\"type\":\"Any\",\"weak\":false,\"computed\":false,\"readonly\":true")
        describeProperties(of: records.root, to: out, where: isShown)
        out.append(0x7D)
    }

    /// The declaration of the place. For a place that does not exist yet, it follows from the declared types.
    private func declared(_ path: ParsedKeyPath, at place: Place) -> Declared {
        switch place {
        case .property(let id): return declared(id)
        case .element(let holder):
            var declared = Declared(type: declared(holder).type)
            for _ in walk.indices { declared.type = declared.type.element }
            return declared
        case .missingProperty(let model):
            return declared(path.name(path.count - 1), in: model) ?? .anything
        case .missingElement, .broken: return (try? declared(along: path)) ?? .anything
        }
    }

    /// Appends the members of every description.
    private func describe(
        _ value: StoredValue,
        _ declared: Declared,
        _ flags: PropertyRecord.Flags,
        to out: ByteBuffer
    ) {
        out.append("\"kind\":\"")
        out.append(utf8: value.kindName)
        out.append("\",\"type\":")
        out.appendJSONString(utf8: typing.types.text(of: declared.type))
        if case .model(let model) = value {
            out.append(",\"instance\":")
            out.append(decimal: records.models[model].instance)
        }
        out.append(",\"weak\":")
        let isComputed = flags.contains(.computed) || declared.traits.contains(.computed)
        out.append((flags.contains(.weak) || declared.isWeak) && !isComputed ? "true" : "false")
        out.append(",\"computed\":")
        out.append(isComputed ? "true" : "false")
        out.append(",\"readonly\":")
        out.append(isReadOnly || declared.traits.contains(.readonly) ? "true" : "false")
    }

    private func describeProperties(
        of model: ModelID,
        to out: ByteBuffer,
        where isShown: (ByteView) -> Bool = { _ in true }
    ) {
        var shown: [PropertyID] = []
        var id = records.models[model].first
        while id != .noRecord {
            if isShown(records.names.text(records.properties[id].name)) { shown.append(id) }
            id = records.properties[id].next
        }
        out.append(",\"count\":")
        out.append(decimal: UInt64(shown.count))
        out.append(",\"properties\":[")
        for (index, id) in shown.enumerated() {
            if index > 0 { out.append(0x2C) }
            out.append("{\"name\":")
            out.appendJSONString(decoded: records.names.text(records.properties[id].name))
            out.append(0x2C)
            describe(records.properties[id].slot, declared(id), records.properties[id].flags, to: out)
            out.append(0x7D)
        }
        out.append(0x5D)
    }
}
