// SPDX-License-Identifier: MIT
// One commit as a line of the journal. Knows nothing of files; ``StateLoader`` reads what is written here.
//
//     {"crc":"…","r":43,"a":[pid,uid,gid,lifetime],
//      "n":[[instance,type,"name",value,…],…],   models that were made, whole
//      "e":[[instance,"name",value],             what was assigned
//           [instance,"name"],                   what was removed
//           [instance,"name",value,[path,index],"insert"],…],
//      "k":[cause,…],                            who assigned each of "e", where that was not the writer alone
//      "o":[[instance,"name",stack],…],          what lies below values that end
//      "b":[[number,"source","target",twoWay],…]} bindings that were made
//
// "r" is the revision that the commit made; a line that changes no value repeats the one before.
//
//     {"crc":"…","r":43,"a":[…],"s":[[instance,"name",value],…],"k":[cause]}
//
// Commits of one entry each, one revision after the other, the first of which is "r": see ``PackedCommits``.

extension ModelTree {
    /// Appends the commit under way, which is settled.
    ///
    /// - Parameter author: who was written last; the line says who made the commit only if that was another.
    func appendCommit(to out: ByteBuffer, author last: inout CommitAuthor?, _ clock: WallClock) {
        let start = out.count
        CheckedLine.begin(out)
        out.append("\"r\":")
        out.append(decimal: pending.hasChanged ? pendingRevision : revision)
        if pending.hasChanged, pending.author.withoutNumber != last { appendAuthor(to: out, &last) }
        if !history.undoing.created.isEmpty { appendCreated(to: out) }
        if pending.hasChanged { appendAssigned(to: out) }
        if !temporary.saved.isEmpty { appendStacks(clock, to: out) }
        if !history.undoing.bound.isEmpty { appendBindings(history.undoing.bound, to: out) }
        CheckedLine.end(out, from: start)
    }

    // MARK: One entry

    /// Who made the commit's only entry; nil if there is more to be said of the commit than that.
    var causeOfOnlyEntry: ChangeCause? {
        guard pending.touches.count == 1, pending.touches[0].isChanged, pending.orderChanges.isEmpty,
            history.undoing.created.isEmpty,
            pending.releasedModels.isEmpty, temporary.saved.isEmpty, history.undoing.bound.isEmpty,
            !records.properties[pending.touches[0].property].flags.contains(.computed)
        else { return nil }
        return pending.touches[0].cause
    }

    func appendOnlyEntry(to out: ByteBuffer) { appendEntry(0, to: out) }

    /// Appends `[instance,"name",value]` for a scalar, whose text is copied where it is what would be written.
    @inline(__always)
    func appendEntry(of json: JSONView, to id: PropertyID, to out: ByteBuffer) {
        out.append(0x5B)
        appendPlace(id, to: out)
        out.append(0x2C)
        if json.isCanonicalScalar { out.append(json.view) } else { appendStored(id, to: out) }
        out.append(0x5D)
    }

    func appendAuthor(to out: ByteBuffer, _ last: inout CommitAuthor?) {
        last = pending.author.withoutNumber
        out.append(",\"a\":[")
        out.append(decimal: Int64(pending.author.process))
        out.append(0x2C)
        out.append(decimal: UInt64(pending.author.user))
        out.append(0x2C)
        out.append(decimal: UInt64(pending.author.group))
        out.append(0x2C)
        out.append(decimal: pending.author.lifetime)
        out.append(0x5D)
    }

    // MARK: Models

    private func appendCreated(to out: ByteBuffer) {
        var isFirst = true
        for index in history.undoing.created.indices {
            let model = history.undoing.created[index]
            if records.models[model].isReleased || records.models[model].strongReferences == 0 { continue }
            out.append(isFirst ? ",\"n\":[" : ",")
            isFirst = false
            appendModelHead(model, to: out)
            var id = records.models[model].first
            while id != .noRecord {
                out.append(0x2C)
                out.appendJSONString(decoded: records.names.text(records.properties[id].name))
                out.append(0x2C)
                appendStored(id, to: out)
                id = records.properties[id].next
            }
            out.append(0x5D)
        }
        if !isFirst { out.append(0x5D) }
    }

    /// Appends `[instance,type`.
    func appendModelHead(_ model: ModelID, to out: ByteBuffer) {
        out.append(0x5B)
        out.append(decimal: records.models[model].instance)
        out.append(0x2C)
        let type = records.models[model].type
        if type == .noRecord || model == records.root {
            out.append("null")
        } else {
            out.appendJSONString(utf8: typing.types[type].name)
        }
    }

    // MARK: Properties

    private func appendAssigned(to out: ByteBuffer) {
        var entries = Entries(out)
        let made = Set(history.undoing.created.array)
        let moved = pending.orderChanges.isEmpty ? [] : appendMoved(made, &entries)
        for index in pending.touches.indices {
            let id = pending.touches[index].property
            guard pending.touches[index].isChanged, !records.properties[id].flags.contains(.computed),
                !moved.contains(id),
                !made.contains(records.properties[id].model),
                !records.models[records.properties[id].model].isReleased
            else { continue }
            entries.begin(pending.touches[index].cause)
            appendEntry(index, to: out)
        }
        entries.end()
    }

    /// The properties that have come, gone, or come again at another place; in the order in which they came.
    private func appendMoved(_ made: Set<ModelID>, _ entries: inout Entries) -> Set<PropertyID> {
        var last: [PropertyID: Int] = [:]
        for index in pending.orderChanges.indices { last[pending.orderChanges[index].property] = index }
        for index in pending.orderChanges.indices {
            let id = pending.orderChanges[index].property
            let model = records.properties[id].model
            guard last[id] == index, !made.contains(model), !records.models[model].isReleased else {
                continue
            }
            let touched = Int(records.properties[id].touch) - 1
            if !pending.touches[touched].old.isAbsent {
                entries.begin(pending.touches[touched].cause)
                appendRemoval(id, to: entries.out)
            }
            if !records.properties[id].slot.isAbsent {
                entries.begin(pending.touches[touched].cause)
                appendWhole(id, to: entries.out)
            }
        }
        return Set(last.keys)
    }

    @inline(__always)
    private func appendEntry(_ touched: Int, to out: ByteBuffer) {
        let id = pending.touches[touched].property
        if let edit = pending.touches[touched].edit, !edit.isEqual {
            append(edit, of: id, to: out)
        } else if records.properties[id].slot.isAbsent {
            appendRemoval(id, to: out)
        } else {
            appendWhole(id, to: out)
        }
    }

    @inline(__always)
    private func appendWhole(_ id: PropertyID, to out: ByteBuffer) {
        out.append(0x5B)
        appendPlace(id, to: out)
        out.append(0x2C)
        appendStored(id, to: out)
        out.append(0x5D)
    }

    private func appendRemoval(_ id: PropertyID, to out: ByteBuffer) {
        out.append(0x5B)
        appendPlace(id, to: out)
        out.append(0x5D)
    }

    private func append(_ edit: ArrayEdit, of id: PropertyID, to out: ByteBuffer) {
        out.append(0x5B)
        appendPlace(id, to: out)
        out.append(0x2C)
        if edit.kind == .removal {
            out.append("null")
        } else {
            appendStored(
                element(of: records.properties[id].value, edit.path + [edit.index]),
                isWeak: false,
                to: out
            )
        }
        out.append(",[")
        for index in edit.path {
            out.append(decimal: Int64(index))
            out.append(0x2C)
        }
        out.append(decimal: Int64(edit.index))
        switch edit.kind {
        case .insertion: out.append("],\"insert\"]")
        case .removal: out.append("],\"remove\"]")
        case .replacement, .setting: out.append("],\"replace\"]")
        }
    }

    // MARK: What lies below, bindings

    private func appendStacks(_ clock: WallClock, to out: ByteBuffer) {
        var isFirst = true
        for id in temporary.saved.keys.sorted() where !records.models[records.properties[id].model].isReleased
        {
            out.append(isFirst ? ",\"o\":[" : ",")
            isFirst = false
            appendStackEntry(id, clock, to: out)
        }
        if !isFirst { out.append(0x5D) }
    }

    /// Appends `,"b":[…]`.
    func appendBindings(_ numbers: [Int32], to out: ByteBuffer) {
        var isFirst = true
        for number in numbers {
            guard let dependent = dependents.bindings.byNumber[number],
                let binding = dependents.records[dependent].binding
            else { continue }
            out.append(isFirst ? ",\"b\":[[" : ",[")
            isFirst = false
            out.append(decimal: Int64(number))
            out.append(0x2C)
            out.appendJSONString(utf8: binding.source.escaped)
            out.append(0x2C)
            out.appendJSONString(utf8: binding.target.escaped)
            out.append(binding.isTwoWay ? ",true]" : ",false]")
        }
        if !isFirst { out.append(0x5D) }
    }
}

/// The entries of one line, and who made each.
private struct Entries {
    let out: ByteBuffer
    private var causes: [ChangeCause] = []

    init(_ out: ByteBuffer) { self.out = out }

    mutating func begin(_ cause: ChangeCause) {
        out.append(causes.isEmpty ? ",\"e\":[" : ",")
        causes.append(cause)
    }

    func end() {
        guard !causes.isEmpty else { return }
        out.append(0x5D)
        guard causes.contains(where: { $0 != .writer }) else { return }
        out.append(",\"k\":[")
        for (index, cause) in causes.enumerated() {
            if index > 0 { out.append(0x2C) }
            out.append(decimal: Int64(cause.code))
        }
        out.append(0x5D)
    }
}

extension CommitAuthor {
    /// Numbers of sessions mean nothing in another process.
    var withoutNumber: CommitAuthor {
        var author = self
        author.number = 0
        return author
    }
}

extension JSONView {
    /// Whether a scalar reads as the value that is made of it is written: numbers have more than one form.
    @inline(__always)
    fileprivate var isCanonicalScalar: Bool {
        switch kind {
        case .integer: view[0] != 0x2D || view[1] != 0x30
        case .string: !hasEscapes
        case .true, .false, .null: true
        case .double, .array, .object: false
        }
    }
}
