// SPDX-License-Identifier: MIT
// Compares what a request expects with what is stored. Changes nothing.

extension Records {
    /// Whether the rendering of `stored` equals `value`. Recursion is as deep as `value` nests.
    mutating func matches(_ stored: StoredValue, _ value: Value) -> Bool {
        switch (stored, value) {
        case (.absent, .null), (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.int(let a), .int(let b)): a == b
        case (.double(let a), .double(let b)): a == b
        case (.int(let a), .double(let b)), (.double(let b), .int(let a)): Numbers.equal(a, b)
        case (.string(let a), .string(let b)): a.equals(utf8: b)
        case (.text(let a), .string(let b)): StoredString.make(a.view).equals(utf8: b)
        case (.array(let a), .array(let b)):
            a.elements.count == b.count && zip(a.elements, b).allSatisfy { matches($0, $1) }
        case (.model(let model), .object(let members)): matches(model, members)
        default: false
        }
    }

    private mutating func matches(_ model: ModelID, _ members: ValueMembers) -> Bool {
        var strong = 0
        var id = models[model].first
        while id != .noRecord, strong <= members.count, effort.look(at: 1) {
            if !properties[id].isWeak { strong += 1 }
            id = properties[id].next
        }
        guard strong == members.count else { return false }
        return members.allSatisfy { member in
            let found = ByteView.with(Array(member.name.utf8)) { presentProperty(model, $0) }
            guard let found, !properties[found].isWeak else { return false }
            return matches(properties[found].slot, member.value)
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

extension StoredString {
    /// Whether the text is `other`, scalar by scalar.
    func equals(utf8 other: String) -> Bool {
        let canonical = ByteBuffer()
        canonical.appendJSONString(utf8: other)
        return equals(canonical.view.slice(1..<canonical.count - 1))
    }
}
