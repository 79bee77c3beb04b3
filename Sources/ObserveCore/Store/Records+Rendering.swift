// SPDX-License-Identifier: MIT
// Renders values as JSON text, and compares renderings with what a request expects.

extension Records {
    /// Appends `value` as JSON: a model with its strong properties inline, without weak ones.
    ///
    /// Bounded, since links can make a small graph render huge. Returns false, with nothing appended, if the text would exceed
    /// `maxRenderedBytes` or nest deeper than `maxDepth`. Counts the work in both cases.
    ///
    /// - Parameter revision: the revision that is rendered; nil while a commit is open.
    mutating func render(_ value: StoredValue, to out: ByteBuffer, at revision: UInt64?) -> Bool {
        let start = out.count
        if isKnownTooLarge(value, at: revision) { return false }
        let fits = render(value, to: out, from: start, level: 1)
        effort.count((out.count - start) >> 5)
        if fits { return true }
        out.truncate(to: start)
        if let model = value.modelID, let revision { effort.tooLarge = (model, revision) }
        return false
    }

    /// Whether the limits do not permit a rendering of the value, as far as this shows without one.
    private func isKnownTooLarge(_ value: StoredValue, at revision: UInt64?) -> Bool {
        switch value {
        case .array(let array):
            // Each element takes a comma or a bracket, and a byte at least.
            array.elements.count > limits.maxRenderedBytes / 2 || array.isExcess
        case .model(let model):
            revision != nil && effort.tooLarge?.revision == revision && effort.tooLarge?.model == model
        case .string(let text): text.count > limits.maxRenderedBytes
        default: false
        }
    }

    /// Appends a part of a value; false if the text gets too long or too deep. Recursion is as deep as a rendering may nest.
    private mutating func render(_ value: StoredValue, to out: ByteBuffer, from start: Int, level: Int)
        -> Bool
    {
        guard level <= limits.maxDepth || !value.isContainer else { return false }
        var isFirst = true
        switch value {
        case .model(let model):
            out.append(0x7B)
            var id = models[model].first
            while id != .noRecord, limits.mayRender(out.count - start) {
                if properties[id].isWeak {
                    effort.count(1)
                } else {
                    effort.count(3)
                    if !isFirst { out.append(0x2C) }
                    isFirst = false
                    out.appendJSONString(decoded: names.text(properties[id].name))
                    out.append(0x3A)
                    // A scalar is written in place: a copy would count a reference.
                    if !properties[id].slot.isContainer {
                        properties[id].slot.writeScalar(to: out)
                    } else if !render(properties[id].slot, to: out, from: start, level: level + 1) {
                        return false
                    }
                }
                id = properties[id].next
            }
            effort.count(3)
            out.append(0x7D)
        case .array(let array):
            effort.count(3)
            out.append(0x5B)
            for element in array.elements {
                effort.count(element.isContainer ? 6 : 3)
                if !isFirst { out.append(0x2C) }
                isFirst = false
                guard render(element, to: out, from: start, level: level + 1) else { return false }
            }
            out.append(0x5D)
        default: value.writeScalar(to: out)
        }
        return limits.mayRender(out.count - start)
    }

    // MARK: Comparing

    /// Whether the rendering of `stored` equals `value`. Recursion is as deep as `value` nests.
    mutating func isEqual(_ stored: StoredValue, to value: Value) -> Bool {
        switch (stored, value) {
        case (.array(let a), .array(let b)):
            a.elements.count == b.count && zip(a.elements, b).allSatisfy { isEqual($0, to: $1) }
        case (.model(let model), .object(let members)): isEqual(model, to: members)
        case (_, .array), (_, .object): false
        default: stored.equals(StoredValue(scalar: value))
        }
    }

    private mutating func isEqual(_ model: ModelID, to members: ValueMembers) -> Bool {
        var strong = 0
        var id = models[model].first
        while id != .noRecord, strong <= members.count, effort.look(at: 1) {
            if !properties[id].isWeak { strong += 1 }
            id = properties[id].next
        }
        guard strong == members.count, id == .noRecord else { return false }
        return members.allSatisfy { member in
            let found = ByteView.with(Array(member.name.utf8)) { presentProperty(model, $0) }
            guard let found, !properties[found].isWeak else { return false }
            return isEqual(properties[found].slot, to: member.value)
        }
    }

    /// The latest change of anything that `value` renders, or the first one beyond `revision`. Visits a shared model once.
    mutating func lastChange(inside value: StoredValue, beyond revision: UInt64) -> UInt64 {
        var latest: UInt64 = 0
        var pending = [value]
        // Only models with several references can be found again.
        var seen: Set<ModelID> = []
        while latest <= revision, let next = pending.popLast() {
            switch next {
            case .array(let array) where !array.isPlain:
                guard effort.look(at: array.elements.count) else { return latest }
                pending.append(contentsOf: array.elements.lazy.filter(\.isContainer))
            case .model(let model) where models[model].strongReferences < 2 || seen.insert(model).inserted:
                guard effort.look(at: 2 + Int(models[model].count)) else { return latest }
                latest = max(latest, models[model].removalRevision)
                var id = models[model].first
                while id != .noRecord {
                    if !properties[id].flags.contains(.computed) {
                        latest = max(latest, properties[id].revision)
                    }
                    if !properties[id].isWeak, properties[id].slot.isContainer {
                        pending.append(properties[id].slot)
                    }
                    id = properties[id].next
                }
            default: break
            }
        }
        return latest
    }
}

extension StoredValue {
    /// Appends a scalar as JSON; null for a container.
    func writeScalar(to out: ByteBuffer) {
        switch self {
        case .bool(true): out.append("true")
        case .bool(false): out.append("false")
        case .int(let int): out.append(decimal: int)
        case .double(let double): out.append(double: double)
        case .string, .text:
            out.append(0x22)
            withText { out.append($0) }
            out.append(0x22)
        default: out.append("null")
        }
    }
}
