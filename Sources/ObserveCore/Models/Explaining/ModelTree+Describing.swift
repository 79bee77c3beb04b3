// SPDX-License-Identifier: MIT
// Renders the answer of `describe` for a place: kinds, types, identity, strength. Changes nothing.

extension ModelTree {
    /// Appends the description of the place that `path` leads to, as a JSON object, perhaps with the declared types that values
    /// there need. Returns false if it exceeds `maxRenderedBytes`.
    @discardableResult
    func describe(_ path: ParsedKeyPath, withTypes: Bool = false, to out: ByteBuffer) -> Bool {
        let start = out.count
        let place = walk(path)
        let found = value(at: place)
        out.append(0x7B)
        describe(facts(of: path, at: place), to: out)
        switch found {
        case .array(let array): out.append(",\"count\":", array.elements.count)
        case .model(let model):
            guard describeProperties(of: model, to: out, from: start) else { return false }
        default: break
        }
        if case .broken(let component, _) = place {
            out.append(",\"nilAt\":", path.escaped(first: component + 1))
        }
        if withTypes {
            guard typing.describe(declared(path, at: place).type, to: out, from: start, in: &records)
            else { return false }
        }
        out.append(0x7D)
        return reader.mayRender(out.count - start)
    }

    /// Appends the description of the set of roots, without names that `isShown` refuses; false if it exceeds `maxRenderedBytes`.
    @discardableResult func describeRoots(to out: ByteBuffer, where isShown: (ByteView) -> Bool) -> Bool {
        let start = out.count
        out.append("{\"kind\":\"model\",\"type\":\"Any\",\"weak\":false,\"computed\":false,\"readonly\":true")
        guard describeProperties(of: records.root, to: out, from: start, where: isShown) else { return false }
        out.append(0x7D)
        return reader.mayRender(out.count - start)
    }

    /// The kind and the declaration of the place to which the path has led.
    func facts(of path: ParsedKeyPath, at place: Place) -> PlaceFacts {
        var flags: PropertyRecord.Flags = []
        if case .property(let id) = place { flags = records.properties[id].flags }
        return facts(value(at: place), declared(path, at: place), flags)
    }

    private func facts(_ value: StoredValue, _ declared: Declared, _ flags: PropertyRecord.Flags)
        -> PlaceFacts
    {
        let isComputed = flags.contains(.computed) || declared.traits.contains(.computed)
        return PlaceFacts(
            value: value,
            type: typing.types.text(of: declared.type),
            isWeak: (flags.contains(.weak) || declared.isWeak) && !isComputed,
            isComputed: isComputed,
            isReadOnly: isReadOnly || declared.traits.contains(.readonly)
        )
    }

    /// The declaration of the place. For a place that does not exist yet, it follows from the declared types.
    private func declared(_ path: ParsedKeyPath, at place: Place) -> Declared {
        switch place {
        case .property(let id): return typing.declared(id, in: records)
        case .element(let holder):
            var declared = Declared(type: typing.declared(holder, in: records).type)
            for _ in walk.indices { declared.type = declared.type.element }
            return declared
        case .missingProperty(let model):
            return typing.declared(path.name(path.count - 1), of: model, in: records) ?? .anything
        case .missingElement, .broken: return (try? typing.declared(along: path, in: records)) ?? .anything
        }
    }

    private func describe(_ facts: PlaceFacts, to out: ByteBuffer) {
        out.append("\"kind\":", facts.value.kindName)
        out.append(",\"type\":", facts.type)
        if let model = facts.value.modelID { out.append(",\"instance\":", records.models[model].instance) }
        out.append(facts.isWeak ? ",\"weak\":true" : ",\"weak\":false")
        out.append(facts.isComputed ? ",\"computed\":true" : ",\"computed\":false")
        out.append(facts.isReadOnly ? ",\"readonly\":true" : ",\"readonly\":false")
    }

    private func describeProperties(
        of model: ModelID,
        to out: ByteBuffer,
        from start: Int,
        where isShown: (ByteView) -> Bool = { _ in true }
    ) -> Bool {
        var shown: [PropertyID] = []
        var id = records.models[model].first
        while id != .noRecord, reader.mayRender(shown.count * ModelTree.leastDescription) {
            records.effort.count(4)
            if isShown(records.names.text(records.properties[id].name)) { shown.append(id) }
            id = records.properties[id].next
        }
        out.append(",\"count\":", shown.count, ",\"properties\":[")
        for (index, id) in shown.enumerated() {
            guard reader.mayRender(out.count - start) else { return false }
            records.effort.count(16)
            if index > 0 { out.append(0x2C) }
            out.append("{\"name\":")
            out.appendJSONString(decoded: records.names.text(records.properties[id].name))
            out.append(0x2C)
            let (slot, flags) = (records.properties[id].slot, records.properties[id].flags)
            describe(facts(slot, typing.declared(id, in: records), flags), to: out)
            out.append(0x7D)
        }
        out.append(0x5D)
        return id == .noRecord
    }

    private static var leastDescription: Int { 64 }
}
