// SPDX-License-Identifier: MIT
// The parts of a kept line: revisions, authors, edits, what lies below values.

extension StateLoader {
    struct ParsedProperty {
        let name: NameID
        let value: JSONView
        let revision: UInt64
    }

    struct KeptBinding {
        let source: String
        let target: String
        let isTwoWay: Bool
    }

    func load(binding json: JSONView) throws(StateFault) {
        var parts = json.elements
        guard let number = parts.next()?.int64(), let source = parts.next(), let target = parts.next(),
            let isTwoWay = parts.next()
        else { throw StateFault("a binding has a number and two paths") }
        tree.dependents.bindings.last = max(tree.dependents.bindings.last, Int32(clamping: number))
        bindings[Int32(clamping: number)] = KeptBinding(
            source: source.decodedString(),
            target: target.decodedString(),
            isTwoWay: isTwoWay.kind == .true
        )
    }

    static func revision(_ json: JSONView?) throws(StateFault) -> UInt64 {
        guard let number = json?.int64(), number >= 0 else { throw StateFault("a revision is a number") }
        return UInt64(number)
    }

    static func author(_ json: JSONView) throws(StateFault) -> CommitAuthor {
        var numbers: [Int64] = []
        for element in json.elements { numbers.append(element.int64() ?? 0) }
        guard numbers.count == 4 else { throw StateFault("an author has four numbers") }
        return CommitAuthor(
            process: Int32(clamping: numbers[0]),
            user: UInt32(clamping: numbers[1]),
            group: UInt32(clamping: numbers[2]),
            lifetime: numbers[3]
        )
    }

    static func indices(_ json: JSONView) throws(StateFault) -> (path: [Int], index: Int) {
        var indices: [Int] = []
        for element in json.elements {
            guard let index = element.int64(), index >= 0 else { throw StateFault("an index is a number") }
            indices.append(Int(index))
        }
        guard let last = indices.popLast() else { throw StateFault("an edit has an index") }
        return (indices, last)
    }

    /// The edit, if the array has such a place.
    static func edit(_ kind: JSONView?, _ path: [Int], _ index: Int, in value: StoredValue)
        throws(StateFault) -> ArrayEdit
    {
        var array = value
        for step in path {
            guard case .array(let outer) = array, step < outer.elements.count else {
                throw StateFault("there is no such element")
            }
            array = outer.elements[step]
        }
        guard case .array(let last) = array, let kind else { throw StateFault("there is no such array") }
        let count = last.elements.count
        switch kind.contents {
        case _ where kind.contents == "insert":
            guard index <= count else { throw StateFault("there is no such element") }
            return ArrayEdit(kind: .insertion, path: path, index: index, old: .absent)
        case _ where kind.contents == "remove":
            guard index < count else { throw StateFault("there is no such element") }
            return ArrayEdit(kind: .removal, path: path, index: index, old: last.elements[index])
        case _ where kind.contents == "replace":
            guard index < count else { throw StateFault("there is no such element") }
            return ArrayEdit(kind: .replacement, path: path, index: index, old: last.elements[index])
        default: throw StateFault("an edit is of no known kind")
        }
    }

    // MARK: What lies below

    func loadStack(_ json: JSONView) throws(StateFault) {
        var elements = json.elements
        guard let instance = elements.next(), let name = elements.next(), let list = elements.next() else {
            throw StateFault("a stack has a place and overlays")
        }
        let id = property(name, of: try find(instance))
        if isPatching { emptied.append(id) }
        var stack: [TemporaryValue] = []
        for temporaryValue in list.elements {
            var parts = temporaryValue.elements
            guard let value = parts.next(), let term = parts.next() else {
                throw StateFault("an overlay has a term")
            }
            let kept = try kept(value)
            tree.temporary.last += 1
            var made = TemporaryValue(
                number: stack.isEmpty ? 0 : tree.temporary.last,
                term: try self.term(term)
            )
            made.value = kept.value
            made.isWeak = kept.isWeak
            if kept.isWeak, let model = kept.value.modelID {
                made.instance = tree.records.models[model].instance
            }
            stack.append(made)
        }
        if isPatching {
            stacks[id] = stack
        } else {
            tree.restoreStack(stack, of: id)
            // It came and went within the commit, and was looked up for this alone.
            if tree.temporary.stacks[id] == nil { tree.freeIfUnused(id) }
        }
    }

    private func term(_ json: JSONView) throws(StateFault) -> Expiry? {
        if json.kind == .null { return nil }
        var parts = json.elements
        guard let first = parts.next(), let second = parts.next()?.int64() else {
            throw StateFault("a term has two parts")
        }
        if first.kind == .string { return .owner(Int32(clamping: second)) }
        guard let end = first.int64() else { throw StateFault("a term ends at a time") }
        return .time(clock.time(atMilliseconds: end), milliseconds: second)
    }
}

/// What is wrong with one line that is whole.
struct StateFault: Error {
    let sentence: String
    /// The file is none of ours, whatever the line says.
    let isForeign: Bool

    init(_ sentence: String, isForeign: Bool = false) {
        self.sentence = sentence
        self.isForeign = isForeign
    }
}

/// The members of a commit's line.
struct JournalRecord {
    var revision: JSONView?
    var author: JSONView?
    var models: JSONView?
    var entries: JSONView?
    /// Commits of one entry each.
    var packed: JSONView?
    var causes: JSONView?
    var stacks: JSONView?
    var bindings: JSONView?
    var unbound: JSONView?

    mutating func consume(_ name: JSONView, _ value: JSONView) {
        guard name.contents.count == 1 else { return }
        switch name.contents[0] {
        case UInt8(ascii: "r"): revision = value
        case UInt8(ascii: "a"): author = value
        case UInt8(ascii: "n"): models = value
        case UInt8(ascii: "e"): entries = value
        case UInt8(ascii: "s"): packed = value
        case UInt8(ascii: "k"): causes = value
        case UInt8(ascii: "o"): stacks = value
        case UInt8(ascii: "b"): bindings = value
        case UInt8(ascii: "u"): unbound = value
        default: return
        }
    }
}
