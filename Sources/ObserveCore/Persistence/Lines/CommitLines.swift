// SPDX-License-Identifier: MIT
// One commit as a line of the journal; ``StateLoader`` reads the lines. Independent of files and checksums.
//
//     {"crc":"…","r":43,"a":[pid,uid,gid,occasion],"t":milliseconds since 1970,
//      "n":[[instance,type,"name",value,…],…],   new models, whole
//      "e":[[instance,"name",value],             assignments
//           [instance,"name"],                   removals
//           [instance,"name",value,[path,index],"insert"],…],
//      "k":[cause,…],                            the cause of each of "e", unless all are the writer
//      "i":[[instance,"name",cause],…],          properties of new models that a binding wrote
//      "o":[[instance,"name",stack],…],          temporary values and what they shadow
//      "c":[[instance,"name"],…],                computed properties that changed; only during a snapshot
//      "b":[[number,"source","target",twoWay],…], new bindings
//      "d":{…},"l":[…],"y":[…],"x":[…],          other declared types and limits: see TypeLines.swift
//      "z":true}                                 it had too few looks to compute all properties
//
// "r" is the revision that the commit made; a line that changes no value repeats the one before.
//
//     {"crc":"…","r":43,"a":[…],"t":…,"s":[[instance,"name",value],…],"k":[cause]}
//
// Commits of one entry each, with consecutive revisions, the first of which is "r": see ``PackedCommits``.
//
//     {"crc":"…","r":43,"u":number}
//
// The end of a binding. It changes no value.

extension TreeReader {
    /// Appends a commit as one line.
    /// - Parameter last: the author and time of the last line, which this one does not repeat.
    func append(
        _ commit: CommitView,
        to out: ByteBuffer,
        author last: inout CommitAuthor?,
        _ clock: WallClock
    ) {
        let changesValues = commit.changesValues
        CheckedLine.begin(out)
        out.append("\"r\":", changesValues ? commit.revision : revision)
        if changesValues, commit.author.withoutNumber != last { append(commit.author, to: out, &last) }
        if let change = commit.typeChange { append(change, to: out) }
        if let limits = commit.limits { limits.append(to: out) }
        if commit.ranShort { out.append(",\"z\":true") }
        appendNewModels(of: commit, to: out)
        if changesValues { appendEntries(of: commit, to: out) }
        appendBound(of: commit, to: out)
        appendStacks(of: commit, clock, to: out)
        append(commit.newBindings, to: out)
        CheckedLine.end(out)
    }

    func append(_ author: CommitAuthor, to out: ByteBuffer, _ last: inout CommitAuthor?) {
        let before = last
        last = author.withoutNumber
        if before?.withoutTime != author.withoutTime {
            out.append(",\"a\":[")
            appendNumbers(of: author, to: out)
            out.append(0x5D)
        }
        if author.time != before?.time ?? 0 { out.append(",\"t\":", author.time) }
    }

    /// Appends `pid,uid,gid,occasion`.
    func appendNumbers(of author: CommitAuthor, to out: ByteBuffer) {
        out.append(decimal: Int64(author.process))
        out.append(",", author.user)
        out.append(",", author.group)
        out.append(",", author.occasion)
    }

    // MARK: Models

    private func appendNewModels(of commit: CommitView, to out: ByteBuffer) {
        var isFirst = true
        commit.forEachNewModel { model in
            out.append(isFirst ? ",\"n\":[" : ",")
            isFirst = false
            appendModelHead(model, to: out)
            forEachProperty(of: model) { id in
                out.append(0x2C)
                out.appendJSONString(decoded: name(of: id))
                out.append(0x2C)
                appendStored(id, to: out)
            }
            out.append(0x5D)
        }
        if !isFirst { out.append(0x5D) }
    }

    /// Appends `[instance,type`.
    func appendModelHead(_ model: ModelID, to out: ByteBuffer) {
        out.append("[", instance(of: model), ",")
        if let type = typeName(of: model) { out.appendJSONString(utf8: type) } else { out.append("null") }
    }

    // MARK: Entries

    private func appendEntries(of commit: CommitView, to out: ByteBuffer) {
        var causes: [ChangeCause] = []
        commit.forEachEntry { entry in
            out.append(causes.isEmpty ? ",\"e\":[" : ",")
            causes.append(entry.cause)
            append(entry, to: out)
        }
        guard !causes.isEmpty else { return }
        out.append(0x5D)
        if causes.allSatisfy({ $0 == .writer }) { return }
        out.append(",\"k\":", arrayOf: causes) { out.append(decimal: Int64($0.code)) }
    }

    @inline(__always) func append(_ entry: CommitView.Entry, to out: ByteBuffer) {
        out.append(0x5B)
        appendPlace(entry.property, to: out)
        switch entry.action {
        case .assignment:
            out.append(0x2C)
            appendStored(entry.property, to: out)
        case .removal: break
        case .edit(let edit): append(edit, of: entry.property, to: out)
        }
        out.append(0x5D)
    }

    /// Appends a scalar's entry. Copies its text if that is canonical.
    @inline(__always) func appendEntry(of json: JSONView, to id: PropertyID, to out: ByteBuffer) {
        out.append(0x5B)
        appendPlace(id, to: out)
        out.append(0x2C)
        if json.isCanonicalScalar { out.append(json.view) } else { appendStored(id, to: out) }
        out.append(0x5D)
    }

    private func append(_ edit: ArrayEdit, of id: PropertyID, to out: ByteBuffer) {
        out.append(0x2C)
        if edit.kind == .removal {
            out.append("null")
        } else {
            appendStored(element(edit.path + [edit.index], of: id), isWeak: false, to: out)
        }
        out.append(",[")
        for index in edit.path { out.append("", index, ",") }
        out.append(decimal: Int64(edit.index))
        switch edit.kind {
        case .insertion: out.append("],\"insert\"")
        case .removal: out.append("],\"remove\"")
        case .replacement, .setting: out.append("],\"replace\"")
        }
    }

    private func appendBound(of commit: CommitView, to out: ByteBuffer) {
        var isFirst = true
        commit.forEachBoundProperty { id, cause in
            out.append(isFirst ? ",\"i\":[[" : ",[")
            isFirst = false
            appendPlace(id, to: out)
            out.append(",", cause.code, "]")
        }
        if !isFirst { out.append(0x5D) }
    }

    // MARK: Computed properties, temporary values, bindings

    private func appendStacks(of commit: CommitView, _ clock: WallClock, to out: ByteBuffer) {
        var isFirst = true
        commit.forEachChangedStack { id in
            out.append(isFirst ? ",\"o\":[" : ",")
            isFirst = false
            appendStackEntry(id, clock, to: out)
        }
        if !isFirst { out.append(0x5D) }
    }

    /// Appends `,"b":[…]`.
    func append(_ bindings: [Binding], to out: ByteBuffer) {
        for (index, binding) in bindings.enumerated() {
            out.append(index == 0 ? ",\"b\":[[" : ",[", binding.number)
            out.append(",", binding.source.escaped)
            out.append(",", binding.target.escaped, binding.isTwoWay ? ",true]" : ",false]")
        }
        if !bindings.isEmpty { out.append(0x5D) }
    }
}

extension CommitAuthor {
    fileprivate var withoutTime: CommitAuthor {
        var author = withoutNumber
        author.time = 0
        return author
    }

    /// Without the number of the session, which has no meaning in another process.
    var withoutNumber: CommitAuthor {
        var author = self
        author.number = 0
        return author
    }
}

extension JSONView {
    /// Whether a scalar's text is the one that its value would be written as: numbers have more than one form.
    @inline(__always) fileprivate var isCanonicalScalar: Bool {
        switch kind {
        case .integer: view[0] != 0x2D || view[1] != 0x30
        case .string: !hasEscapes
        case .true, .false, .null: true
        case .double, .array, .object: false
        }
    }
}
