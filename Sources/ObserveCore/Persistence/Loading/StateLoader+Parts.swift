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
        var numbers: [Int64] = []
        for element in json.elements { numbers.append(element.int64() ?? 0) }
        guard numbers.count == 4 else { throw StateFault("an author has four numbers") }
        return author(numbers)
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
        guard let instance = elements.next(), let name = elements.next(), let list = elements.next() else {
            throw StateFault("a stack has a place and temporary values")
        }
        let id = try property(name, of: try model(instance))
        try builder.requireStored(id)
        var layers: [StackLayer] = []
        for layer in list.elements {
            var parts = layer.elements
            guard let value = parts.next(), let term = parts.next() else {
                throw StateFault("a temporary value has an expiry")
            }
            var (below, isWeak) = (StoredValue.null, false)
            if case .value(let value, let isReference) = try content(value, mayBeAbsent: true) {
                (below, isWeak) = (value, isReference)
            }
            layers.append(
                StackLayer(
                    value: below,
                    isWeak: isWeak,
                    term: try self.term(term),
                    origin: try parts.next().map { (json) throws(StateFault) in try origin(json) }
                )
            )
        }
        builder.setStack(id, layers)
    }

    private func origin(_ json: JSONView) throws(StateFault) -> ValueOrigin {
        var numbers: [Int64] = []
        for element in json.elements { numbers.append(element.int64() ?? 0) }
        guard numbers.count == 5 else { throw StateFault("an origin has five numbers") }
        return ValueOrigin(
            author: StateLoader.author(numbers),
            cause: ChangeCause(code: Int32(clamping: numbers[4]))
        )
    }

    private func term(_ json: JSONView) throws(StateFault) -> Term? {
        if json.kind == .null { return nil }
        var parts = json.elements
        guard let first = parts.next(), let second = parts.next()?.int64() else {
            throw StateFault("an expiry has two parts")
        }
        if first.kind == .string { return .owner(try LineMembers.bindingNumber(second, "a connection")) }
        guard let end = first.int64() else { throw StateFault("an expiry has a time") }
        return .time(clock.time(atMilliseconds: end), milliseconds: second)
    }
}

/// The members of a commit's line.
struct JournalRecord {
    var revision: JSONView?
    var author: JSONView?
    var time: JSONView?
    var models: JSONView?
    var entries: JSONView?
    /// Commits of one entry each.
    var packed: JSONView?
    var causes: JSONView?
    var bound: JSONView?
    var stacks: JSONView?
    var computed: JSONView?
    var bindings: JSONView?
    var unbound: JSONView?
    /// Other declared types, the models that get other types, and bindings that end with them.
    var types: JSONView?
    var retyped: JSONView?
    var ended: JSONView?

    mutating func consume(_ name: JSONView, _ value: JSONView) {
        guard name.contents.count == 1 else { return }
        switch name.contents[0] {
        case UInt8(ascii: "r"): revision = value
        case UInt8(ascii: "a"): author = value
        case UInt8(ascii: "t"): time = value
        case UInt8(ascii: "n"): models = value
        case UInt8(ascii: "e"): entries = value
        case UInt8(ascii: "s"): packed = value
        case UInt8(ascii: "k"): causes = value
        case UInt8(ascii: "i"): bound = value
        case UInt8(ascii: "o"): stacks = value
        case UInt8(ascii: "c"): computed = value
        case UInt8(ascii: "b"): bindings = value
        case UInt8(ascii: "u"): unbound = value
        case UInt8(ascii: "d"): types = value
        case UInt8(ascii: "y"): retyped = value
        case UInt8(ascii: "x"): ended = value
        default: return
        }
    }
}
