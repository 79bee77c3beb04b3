// SPDX-License-Identifier: MIT
// Renders values as JSON text, and compares renderings with what a request expects.

extension Records {
    /// A container being rendered, and the position in it.
    private enum Frame {
        case model(next: PropertyID, isFirst: Bool)
        case array(ElementList<StoredValue>.Iterator, isFirst: Bool)
    }

    /// Appends `value` as JSON: a model with its strong properties inline, without weak ones.
    ///
    /// Iterative and bounded, since links can make a small graph render huge. Returns false, with nothing
    /// appended, if the text would exceed `maxRenderedBytes` or nest deeper than `maxDepth`. Counts the work in both cases.
    ///
    /// - Parameter revision: the revision that is rendered; nil while a commit is open.
    mutating func render(_ value: StoredValue, to out: ByteBuffer, at revision: UInt64?) -> Bool {
        let start = out.count
        if isKnownTooLarge(value, at: revision) { return false }
        if !value.isContainer {
            value.writeScalar(to: out)
            effort.count((out.count - start) >> 5)
        } else if !renderContainers(value, to: out, start: start) {
            out.truncate(to: start)
        }
        if out.count - start > limits.maxRenderedBytes { out.truncate(to: start) }
        let fits = out.count > start
        if !fits, let model = value.modelID, let revision {
            effort.tooLarge = (model, revision)
        }
        return fits
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

    private mutating func renderContainers(_ value: StoredValue, to out: ByteBuffer, start: Int) -> Bool {
        var frames: [Frame] = []
        var steps = 0
        defer { effort.count(steps + (out.count - start) >> 5) }
        open(value, in: &frames, to: out)
        while let frame = frames.popLast() {
            guard out.count - start <= limits.maxRenderedBytes, frames.count < limits.maxDepth else {
                return false
            }
            switch frame {
            case .model(let next, let isFirst):
                steps += 3
                renderNext(next, isFirst, in: &frames, to: out)
            case .array(let elements, let isFirst):
                steps += 3 + 3 * render(elements, isFirst, in: &frames, to: out, start: start)
            }
        }
        return true
    }

    /// Renders elements of an array up to a container among them, which comes next, or the array's closing bracket.
    ///
    /// - Returns: how many elements.
    private mutating func render(
        _ elements: ElementList<StoredValue>.Iterator,
        _ isFirst: Bool,
        in frames: inout [Frame],
        to out: ByteBuffer,
        start: Int
    ) -> Int {
        // Not frame by frame: many arrays have only scalars.
        var elements = elements
        var count = 0
        while let element = elements.next() {
            if !isFirst || count > 0 { out.append(0x2C) }
            count += 1
            if element.isContainer || out.count - start > limits.maxRenderedBytes {
                frames.append(.array(elements, isFirst: false))
                open(element, in: &frames, to: out)
                return count
            }
            element.writeScalar(to: out)
        }
        out.append(0x5D)
        return count
    }

    /// Renders the model's next strong property, or its closing brace.
    private mutating func renderNext(
        _ id: PropertyID,
        _ isFirst: Bool,
        in frames: inout [Frame],
        to out: ByteBuffer
    ) {
        var id = id
        while id != .noRecord, properties[id].isWeak {
            effort.count(1)
            id = properties[id].next
        }
        guard id != .noRecord else {
            out.append(0x7D)
            return
        }
        if !isFirst { out.append(0x2C) }
        out.appendJSONString(decoded: names.text(properties[id].name))
        out.append(0x3A)
        frames.append(.model(next: properties[id].next, isFirst: false))
        open(properties[id].slot, in: &frames, to: out)
    }

    private func open(_ value: StoredValue, in frames: inout [Frame], to out: ByteBuffer) {
        switch value {
        case .model(let id):
            out.append(0x7B)
            frames.append(.model(next: models[id].first, isFirst: true))
        case .array(let array):
            out.append(0x5B)
            frames.append(.array(array.elements.makeIterator(), isFirst: true))
        default: value.writeScalar(to: out)
        }
    }

    // MARK: Comparing

    /// Whether the rendering of `stored` equals `value`. Recursion is as deep as `value` nests.
    mutating func isEqual(_ stored: StoredValue, to value: Value) -> Bool {
        switch (stored, value) {
        case (.absent, .null), (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.int(let a), .int(let b)): a == b
        case (.double(let a), .double(let b)): a == b
        case (.int(let a), .double(let b)), (.double(let b), .int(let a)): Numbers.equal(a, b)
        case (.string(let a), .string(let b)): a.equals(utf8: b)
        case (.text(let a), .string(let b)): StoredString.make(a.view).equals(utf8: b)
        case (.array(let a), .array(let b)):
            a.elements.count == b.count && zip(a.elements, b).allSatisfy { isEqual($0, to: $1) }
        case (.model(let model), .object(let members)): isEqual(model, to: members)
        default: false
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

    /// The latest change of anything that `value` renders; it stops at the first one beyond `revision`. Visits each model once,
    /// however often it is shared.
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
            case .model(let model)
            where models[model].strongReferences < 2 || seen.insert(model).inserted:
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
        case .string(let string): string.write(to: out)
        case .text(let text):
            out.append(0x22)
            out.append(text.view)
            out.append(0x22)
        default: out.append("null")
        }
    }
}

extension StoredString {
    /// Whether the text is `other`, scalar by scalar.
    func equals(utf8 other: String) -> Bool {
        let canonical = ByteBuffer()
        canonical.appendJSONString(utf8: other)
        return equals(canonical.view.slice(1..<canonical.count - 1))
    }
}
