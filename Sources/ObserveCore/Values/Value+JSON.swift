// SPDX-License-Identifier: MIT
// Parses values from JSON text and writes them as JSON text.

extension Value {
    /// Parses JSON text.
    /// - Throws: A ``JSONError`` if the text is not JSON, nests deeper than `maxDepth`, or has a number out of range.
    public init(json: String, maxDepth: Int = 512) throws(JSONError) {
        self = try ByteView.with(json) { (text) throws(JSONError) in try Value(json: text, maxDepth: maxDepth)
        }
    }

    package init(json: [UInt8], maxDepth: Int = 512) throws(JSONError) {
        self = try ByteView.with(json) { (text) throws(JSONError) in try Value(json: text, maxDepth: maxDepth)
        }
    }

    init(json text: ByteView, maxDepth: Int = 512) throws(JSONError) {
        let token = try JSONScanner.validate(text, maxDepth: min(maxDepth, Value.depthLimit))
        self = try Value(token, offset: text.offset(of: token.view))
    }

    /// Copies a value from validated text, in which it begins at `offset`. The validation has limited its depth.
    init(_ view: JSONView, offset: Int = 0) throws(JSONError) {
        var unfinished: [Unfinished] = []
        var walker = JSONWalker(view)
        while let event = walker.next() {
            let value: Value
            switch event {
            case .beginObject:
                unfinished.append(Unfinished(isObject: true))
                continue
            case .beginArray:
                unfinished.append(Unfinished(isObject: false))
                continue
            case .name(let name):
                unfinished[unfinished.count - 1].name = name.decodedString()
                continue
            case .end: value = unfinished.removeLast().value
            case .scalar(let scalar):
                value = try Value(scalar: scalar, offset: offset + view.view.offset(of: scalar.view))
            }
            guard !unfinished.isEmpty else {
                self = value
                return
            }
            unfinished[unfinished.count - 1].add(value)
        }
        self = .null
    }

    private init(scalar: JSONView, offset: Int) throws(JSONError) {
        switch scalar.kind {
        case .true: self = .bool(true)
        case .false: self = .bool(false)
        case .integer:
            guard let int = scalar.int64() else { throw JSONError(.integerOutOfRange, at: offset) }
            self = .int(int)
        case .double:
            guard let double = scalar.double() else { throw JSONError(scalar.doubleFault, at: offset) }
            self = .double(double)
        case .string: self = .string(scalar.decodedString())
        case .null, .array, .object: self = .null
        }
    }
}

/// An array or object that is not complete.
private struct Unfinished {
    let isObject: Bool
    private var elements: [Value] = []
    private var members = ValueMembers()
    /// The name of the next member.
    var name = ""

    init(isObject: Bool) { self.isObject = isObject }

    var value: Value { isObject ? .object(members) : .array(elements) }

    mutating func add(_ value: Value) {
        if isObject { members[name] = value } else { elements.append(value) }
    }
}

// MARK: - Writing

extension Value: CustomStringConvertible {
    /// The value as JSON without any whitespace.
    public var json: String {
        let buffer = ByteBuffer()
        write(to: buffer)
        return buffer.string
    }

    /// The value as JSON.
    public var description: String { json }

    /// Appends the value as JSON without any whitespace. Recursion is as deep as the value nests.
    package func write(to buffer: ByteBuffer) {
        switch self {
        case .null: buffer.append("null")
        case .bool(let bool): buffer.append(bool ? "true" : "false")
        case .int(let int): buffer.append(decimal: int)
        case .double(let double): buffer.append(double: double)
        case .string(let string): buffer.appendJSONString(utf8: string)
        case .array(let elements): buffer.append(arrayOf: elements) { $0.write(to: buffer) }
        case .object(let members):
            buffer.append(0x7B, members, 0x7D) { member in
                buffer.appendJSONString(utf8: member.name)
                buffer.append(0x3A)
                member.value.write(to: buffer)
            }
        }
    }
}
