// SPDX-License-Identifier: MIT
// Decodes `Decodable` values from JSON values. Independent of JSON text and of models.

extension Value {
    /// Decodes a value of that type. Members that the type does not have are ignored.
    /// - Throws: `DecodingError`, whose coding path names the place of the fault, and errors of the type itself.
    public func decoded<Wanted: Decodable>(as type: Wanted.Type = Wanted.self) throws -> Wanted {
        try ValueDecoder(value: self, codingPath: []).decode(type)
    }

    /// The part of the value at a coding path; nil if there is none.
    package func part(at path: [any CodingKey]) -> Value? {
        path.reduce(self) { value, key in key.intValue.map { value?[$0] } ?? value?[key.stringValue] }
    }
}

private struct ValueDecoder: Decoder, SingleValueDecodingContainer {
    let value: Value
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard let members = value.object else { throw mismatch(ValueMembers.self, "an object") }
        return KeyedDecodingContainer(ObjectDecoder<Key>(members: members, codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard let elements = value.array else { throw mismatch([Value].self, "an array") }
        return ArrayDecoder(elements: elements, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { value.isNull }

    func decode<Wanted: Decodable>(_ type: Wanted.Type) throws -> Wanted {
        if let integer = type as? any FixedWidthInteger.Type {
            guard let found = try integerOf(integer) as? Wanted
            else { throw mismatch(type, "an integer of the type \(type)") }
            return found
        }
        if type is Value.Type, let value = value as? Wanted { return value }
        guard isScalar(type), let scalar = type as? any ModelValue.Type
        else { return try type.init(from: self) }
        guard let found = scalar.init(modelValue: value) as? Wanted
        else { throw mismatch(type, "a value of the type \(type)") }
        return found
    }

    private func isScalar(_ type: any Any.Type) -> Bool {
        type == String.self || type == Bool.self || type == Double.self || type == Float.self
    }

    // The standard library refuses these, unless a container has functions of its own.
    func decode(_ type: Int128.Type) throws -> Int128 { try integerOf(type) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try integerOf(type) }

    private func integerOf<Integer: FixedWidthInteger>(_ type: Integer.Type) throws -> Integer {
        guard let int = value.int, let found = Integer(exactly: int)
        else { throw mismatch(type, "an integer of the type \(type)") }
        return found
    }

    private func mismatch(_ type: any Any.Type, _ wanted: String) -> DecodingError {
        let found = value.kind == .integer ? "an integer" : value.kind.phrase
        let text = "expected \(wanted), found \(found)"
        let context = DecodingError.Context(codingPath: codingPath, debugDescription: text)
        return value.isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }
}

private struct ObjectDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: ValueMembers
    let codingPath: [any CodingKey]
    var allKeys: [Key] { members.compactMap { Key(stringValue: $0.0) } }

    func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).decodeNil() }

    func decode<Wanted: Decodable>(_ type: Wanted.Type, forKey key: Key) throws -> Wanted {
        try decoder(key).decode(type)
    }

    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try decoder(key).decode(type) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try decoder(key).decode(type) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { try decoder(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { decoder(optional: ValueKey(stringValue: "super")) }

    func superDecoder(forKey key: Key) throws -> any Decoder { decoder(optional: key) }

    private func decoder(_ key: Key) throws -> ValueDecoder {
        guard let value = members[key.stringValue] else {
            let text = "the object has no member \(key.stringValue)"
            throw DecodingError.keyNotFound(
                key,
                DecodingError.Context(codingPath: codingPath, debugDescription: text)
            )
        }
        return ValueDecoder(value: value, codingPath: codingPath + [key])
    }

    private func decoder(optional key: any CodingKey) -> ValueDecoder {
        ValueDecoder(value: members[key.stringValue] ?? .null, codingPath: codingPath + [key])
    }
}

private struct ArrayDecoder: UnkeyedDecodingContainer {
    let elements: [Value]
    let codingPath: [any CodingKey]
    private(set) var currentIndex = 0

    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    mutating func decodeNil() throws -> Bool {
        guard try decoder(Never.self).decodeNil() else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Wanted: Decodable>(_ type: Wanted.Type) throws -> Wanted {
        try next(type) { try $0.decode(type) }
    }

    mutating func decode(_ type: Int128.Type) throws -> Int128 { try next(type) { try $0.decode(type) } }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try next(type) { try $0.decode(type) } }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try next(ValueMembers.self) { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next([Value].self) { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try next(Value.self) { $0 } }

    /// Reads the next element, and passes it over unless that fails.
    private mutating func next<R>(_ type: any Any.Type, _ read: (ValueDecoder) throws -> R) throws -> R {
        let found = try read(decoder(type))
        currentIndex += 1
        return found
    }

    private func decoder(_ type: any Any.Type) throws -> ValueDecoder {
        let path = codingPath + [ValueKey(intValue: currentIndex)]
        guard !isAtEnd else {
            let text = "the array has \(elements.count) elements"
            throw DecodingError.valueNotFound(
                type,
                DecodingError.Context(codingPath: path, debugDescription: text)
            )
        }
        return ValueDecoder(value: elements[currentIndex], codingPath: path)
    }
}
