// SPDX-License-Identifier: MIT
// Parses the parts of a kept line: bindings, revisions, authors, edits, temporary values.

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
        // The tree marks computed properties by 0.
        guard number > 0 else { throw StateFault("the number of a binding is positive") }
        let binding = try LineMembers.bindingNumber(number)
        builder.noteBinding(binding)
        bindings[binding] = KeptBinding(
            source: source.decodedString(),
            target: target.decodedString(),
            isTwoWay: isTwoWay.kind == .true
        )
    }

    /// A time of the system's clock, in milliseconds since 1970, before the year 10000; 0 if it is unknown.
    static func time(_ milliseconds: Int64) -> Int64 { min(max(milliseconds, 0), 253_402_300_799_999) }

    static func author(_ json: JSONView) throws(StateFault) -> CommitAuthor {
        author(try LineMembers.numbers(json, 4...4, elseSay: "an author has four numbers"))
    }

    private static func author(_ numbers: [Int64]) -> CommitAuthor {
        CommitAuthor(
            process: Int32(clamping: numbers[0]),
            user: UInt32(clamping: numbers[1]),
            group: UInt32(clamping: numbers[2]),
            occasion: numbers[3]
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

    // MARK: Temporary values

    func loadStack(_ json: JSONView) throws(StateFault) {
        var elements = json.elements
        guard let instance = elements.next(), let name = elements.next(), let list = elements.next()
        else { throw StateFault("a stack has a place and temporary values") }
        let id = try property(name, of: try model(instance))
        try builder.requireStored(id)
        var layers: [StackedValue] = []
        for layer in list.elements {
            var parts = layer.elements
            guard let value = parts.next(), let term = parts.next()
            else { throw StateFault("a temporary value has an expiry") }
            var (below, isWeak) = (StoredValue.null, false)
            if case .value(let value, let isReference) = try content(value, mayBeAbsent: true) {
                (below, isWeak) = (value, isReference)
            }
            let ending = try self.term(term)
            let source = try parts.next().map { (json) throws(StateFault) in try origin(json) }
            layers.append(StackedValue(term: ending, origin: source, value: below, isWeak: isWeak))
        }
        builder.setStack(id, layers)
    }

    private func origin(_ json: JSONView) throws(StateFault) -> ValueOrigin {
        let numbers = try LineMembers.numbers(json, 5...5, elseSay: "an origin has five numbers")
        return ValueOrigin(
            author: StateLoader.author(numbers),
            cause: ChangeCause(code: Int32(clamping: numbers[4]))
        )
    }

    private func term(_ json: JSONView) throws(StateFault) -> Term? {
        if json.kind == .null { return nil }
        var parts = json.elements
        guard let first = parts.next(), let second = parts.next()?.int64()
        else { throw StateFault("an expiry has two parts") }
        if first.kind == .string { return .owner(try LineMembers.bindingNumber(second, "a connection")) }
        guard let end = first.int64() else { throw StateFault("an expiry has a time") }
        return .time(clock.time(atMilliseconds: end), milliseconds: second)
    }
}

/// The members of a commit's line: see `CommitLines.swift`. Each name is one small letter.
struct JournalRecord {
    private var members = InlineArray<32, JSONView?>(repeating: nil)

    init(_ line: JSONView) {
        for (name, value) in line.members where name.contents.count == 1 {
            let letter = name.contents[0]
            if (0x61...0x7A).contains(letter) { members[Int(letter & 31)] = value }
        }
    }

    subscript(letter: Unicode.Scalar) -> JSONView? { members[Int(letter.value & 31)] }
}
