// SPDX-License-Identifier: MIT
// Past commits as lines: see ``History``. Independent of files.
//
//     {"crc":"…","horizon":30,"types":12}   the commits after that revision follow; the types were replaced at the other
//     {"crc":"…","x":[[instance,type,["name",value,isWeak,revision],…],…]}      the models that they released
//     {"crc":"…","r":31,"a":[pid,uid,gid,lifetime,time],"t":[touch,…],"o":[order change,…],"x":[instance,…],"p":[revision,…]}
//
// A touch is `[instance,"name",old value,flags,cause]`, or with one array edit
// `[instance,"name",old value,flags,cause,kind,[index,…],old element,isEqual]`. A change of the order of properties is
// `[instance,"name","previous name",wasPresent,removal revision]`. `{}` is an absent value. `p` has the revisions that the touches
// replaced.

/// The flags of a touch.
private struct TouchFlags: OptionSet {
    let rawValue: Int64
    static let wasWeak = TouchFlags(rawValue: 1)
    static let isChanged = TouchFlags(rawValue: 2)
    static let isAssignedEqual = TouchFlags(rawValue: 4)
    static let isRemoval = TouchFlags(rawValue: 8)
}

private let editKinds: [(kind: ChangeKind, name: StaticString)] = [
    (.insertion, "insert"), (.removal, "remove"), (.replacement, "replace"), (.setting, "set"),
]

// MARK: - Writing

extension TreeReader {
    /// Writes the past commits into an empty buffer.
    func appendHistory(to out: ByteBuffer) {
        let (commits, horizon, types) = keptCommits()
        CheckedLine.beginHead(out)
        out.append("\"horizon\":")
        out.append(decimal: horizon)
        // Added in version 0.2, like `p`.
        out.append(",\"types\":")
        out.append(decimal: types)
        CheckedLine.end(out)
        line(out) {
            out.append("\"x\":[")
            list(commits.flatMap(\.released), out) { appendReleased($0, to: out) }
            out.append(0x5D)
        }
        for commit in commits { line(out) { append(commit, to: out) } }
        var chain = LineChain()
        chain.seal(out)
    }

    private func line(_ out: ByteBuffer, _ body: () -> Void) {
        CheckedLine.begin(out)
        body()
        CheckedLine.end(out)
    }

    private func list<Element>(_ elements: [Element], _ out: ByteBuffer, _ body: (Element) -> Void) {
        for (index, element) in elements.enumerated() {
            if index > 0 { out.append(0x2C) }
            body(element)
        }
    }

    private func numbers(_ numbers: [Int64], _ out: ByteBuffer) {
        out.append(0x5B)
        list(numbers, out) { out.append(decimal: $0) }
        out.append(0x5D)
    }

    private func appendReleased(_ model: ModelID, to out: ByteBuffer) {
        out.append(0x5B)
        out.append(decimal: instance(of: model))
        out.append(0x2C)
        if let name = typeName(of: model) { out.appendJSONString(utf8: name) } else { out.append("null") }
        forEachProperty(of: model) { id in
            out.append(",[")
            out.appendJSONString(decoded: name(of: id))
            out.append(0x2C)
            let (value, isWeak) = releasedValue(of: id)
            append(value, to: out)
            out.append(isWeak ? ",true," : ",false,")
            // Added in version 0.2, like `p`.
            out.append(decimal: revision(of: id))
            out.append(0x5D)
        }
        out.append(0x5D)
    }

    private func append(_ value: StoredValue, to out: ByteBuffer) {
        if value.isAbsent { out.append("{}") } else { appendStored(value, isWeak: false, to: out) }
    }

    private func append(_ commit: KeptCommit, to out: ByteBuffer) {
        out.append("\"r\":")
        out.append(decimal: commit.revision)
        out.append(",\"a\":")
        let author = commit.author
        numbers(
            [
                Int64(author.process), Int64(author.user), Int64(author.group), author.lifetime, author.time,
            ],
            out
        )
        out.append(",\"t\":[")
        list(commit.touches, out) { append($0, to: out) }
        out.append("],\"o\":[")
        list(commit.orderChanges, out) { change in
            out.append(0x5B)
            appendPlace(change.property, to: out)
            out.append(0x2C)
            if change.previous == .noRecord {
                out.append("null")
            } else {
                out.appendJSONString(decoded: name(of: change.previous))
            }
            out.append(change.wasPresent ? ",true," : ",false,")
            out.append(decimal: change.oldRemovalRevision)
            out.append(0x5D)
        }
        out.append("],\"x\":")
        numbers(commit.released.map { Int64(clamping: instance(of: $0)) }, out)
        // Added in version 0.2: an older program lacks it, and ignores it.
        out.append(",\"p\":")
        numbers(commit.touches.map { Int64(clamping: $0.revision) }, out)
    }

    private func append(_ touch: PastTouch, to out: ByteBuffer) {
        var flags: TouchFlags = []
        if touch.wasWeak { flags.insert(.wasWeak) }
        if touch.isChanged { flags.insert(.isChanged) }
        if touch.isAssignedEqual { flags.insert(.isAssignedEqual) }
        if touch.isRemoval { flags.insert(.isRemoval) }
        out.append(0x5B)
        appendPlace(touch.property, to: out)
        out.append(0x2C)
        append(touch.old, to: out)
        out.append(0x2C)
        out.append(decimal: flags.rawValue)
        out.append(0x2C)
        out.append(decimal: Int64(touch.cause.code))
        if case .one(let edit) = touch.edits {
            out.append(",\"")
            out.append(editKinds.first { $0.kind == edit.kind }?.name ?? "")
            out.append("\",")
            numbers((edit.path + [edit.index]).map(Int64.init), out)
            out.append(0x2C)
            append(edit.old, to: out)
            out.append(edit.isEqual ? ",true" : ",false")
        }
        out.append(0x5D)
    }
}

// MARK: - Loading

extension StateLoader {
    /// Restores the past commits of a restored tree from their lines.
    func load(history text: [UInt8]) throws(StateFault) {
        try ByteView.with(text) { (text) throws(StateFault) in
            var lines = CheckedLines(text)
            while case .line(let line) = lines.next() {
                lines.chain.isLinked = true
                let members = LineMembers(line)
                if let horizon = members["horizon"] {
                    builder.beginHistory(
                        after: try StateLoader.revision(horizon),
                        types: UInt64(clamping: members["types"]?.int64() ?? 0)
                    )
                } else if members["r"] == nil, let models = members["x"] {
                    try load(released: models)
                } else {
                    try load(kept: members)
                }
            }
            guard lines.offset == text.count else { throw StateFault("the history is cut off") }
        }
        builder.endHistory()
    }

    private func load(released models: JSONView) throws(StateFault) {
        for model in models.elements {
            var elements = model.elements
            guard let instance = elements.next()?.int64(), let type = elements.next() else {
                throw StateFault("a released model has an instance and a type")
            }
            try builder.makeReleased(
                UInt64(clamping: instance),
                type: type.kind == .string ? type.decodedString() : nil
            )
        }
        for released in models.elements {
            var elements = released.elements
            guard let instance = elements.next(), elements.next() != nil else { continue }
            let model = try model(instance)
            while let entry = elements.next() {
                var parts = entry.elements
                guard let name = parts.next(), name.kind == .string, let value = parts.next(),
                    let isWeak = parts.next()
                else { throw StateFault("a property has a name, a value and a strength") }
                let id = try property(name, of: model)
                let revision = UInt64(clamping: parts.next()?.int64() ?? 0)
                builder.addReleased(id, try kept(value), isWeak: isWeak.kind == .true, at: revision)
            }
        }
    }

    /// A value of the past; `{}` if it was absent.
    private func kept(_ json: JSONView) throws(StateFault) -> StoredValue {
        guard case .value(let value, _) = try content(json, mayBeAbsent: true) else {
            throw StateFault("a past value is of no known kind")
        }
        return value
    }

    private func load(kept members: LineMembers) throws(StateFault) {
        guard let authorNumbers = members["a"], let touches = members["t"], let orders = members["o"],
            let released = members["x"]
        else { throw StateFault("a past commit lacks a part") }
        let numbers = authorNumbers.elements.map { $0.int64() ?? 0 }
        guard numbers.count == 5 else { throw StateFault("the author of a past commit has five numbers") }
        var author = CommitAuthor(
            process: Int32(clamping: numbers[0]),
            user: UInt32(clamping: numbers[1]),
            group: UInt32(clamping: numbers[2]),
            lifetime: numbers[3]
        )
        author.time = numbers[4]
        var loaded: (touches: [PastTouch], orders: [OrderChange], released: [ModelID]) = ([], [], [])
        let former = members["p"]?.elements.map { UInt64(clamping: $0.int64() ?? 0) } ?? []
        for (index, touch) in touches.elements.enumerated() {
            loaded.touches.append(try load(touch: touch))
            if index < former.count { loaded.touches[index].revision = former[index] }
        }
        for change in orders.elements { loaded.orders.append(try load(orderChange: change)) }
        for instance in released.elements { loaded.released.append(try model(instance)) }
        builder.append(
            KeptCommit(
                revision: try StateLoader.revision(members["r"]),
                author: author,
                touches: loaded.touches,
                orderChanges: loaded.orders,
                released: loaded.released
            )
        )
    }

    private func place(_ elements: inout JSONElements) throws(StateFault) -> PropertyID {
        guard let instance = elements.next(), let name = elements.next(), name.kind == .string else {
            throw StateFault("a place has an instance and a name")
        }
        return try property(name, of: try model(instance))
    }

    private func load(touch: JSONView) throws(StateFault) -> PastTouch {
        var elements = touch.elements
        let id = try place(&elements)
        guard let old = elements.next(), let flags = elements.next()?.int64(),
            let cause = elements.next()?.int64()
        else { throw StateFault("a touch has a value, flags and a cause") }
        let bits = TouchFlags(rawValue: flags)
        var edits = ArrayEdits.none
        if let kind = elements.next() {
            guard let indices = elements.next(), let element = elements.next(), let isEqual = elements.next(),
                let known = editKinds.first(where: { kind.contents == $0.name })
            else { throw StateFault("an edit has a kind, indices and an element") }
            let (path, index) = try StateLoader.indices(indices)
            edits = .one(
                ArrayEdit(
                    kind: known.kind,
                    path: path,
                    index: index,
                    old: try kept(element),
                    isEqual: isEqual.kind == .true
                )
            )
        }
        return PastTouch(
            old: try kept(old),
            wasWeak: bits.contains(.wasWeak),
            isChanged: bits.contains(.isChanged),
            isAssignedEqual: bits.contains(.isAssignedEqual),
            isRemoval: bits.contains(.isRemoval),
            property: id,
            cause: ChangeCause(code: Int32(clamping: cause)),
            edits: edits
        )
    }

    private func load(orderChange: JSONView) throws(StateFault) -> OrderChange {
        var elements = orderChange.elements
        let id = try place(&elements)
        guard let previous = elements.next(), let wasPresent = elements.next(), let removal = elements.next()
        else { throw StateFault("a change of the order has a place and a revision") }
        let model = builder.model(of: id)
        return OrderChange(
            property: id,
            previous: previous.kind == .string ? try property(previous, of: model) : .noRecord,
            wasPresent: wasPresent.kind == .true,
            oldRemovalRevision: try StateLoader.revision(removal)
        )
    }
}
