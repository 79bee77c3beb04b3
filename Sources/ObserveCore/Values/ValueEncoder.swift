// SPDX-License-Identifier: MIT
// Encodes `Encodable` values as JSON values. Independent of JSON text and of models.

extension Value {
    /// Encodes a value.
    /// - Throws: `EncodingError` for a number that JSON or 64 signed bits can't hold, and errors of the type itself.
    public init(encoding value: some Encodable) throws {
        let slot = EncodedSlot()
        try value.encode(to: SlotEncoder(slot: slot, codingPath: []))
        self = slot.value
    }
}

/// A place in the encoded value. Containers fill it after their owner has made it.
private final class EncodedSlot {
    private var scalar: Value?
    private var elements: [EncodedSlot]?
    private var members: [(name: String, slot: EncodedSlot)]?

    /// The value that was encoded here; an empty object if there was none.
    var value: Value {
        if let scalar { return scalar }
        if let elements { return .array(elements.map(\.value)) }
        return .object(ValueMembers((members ?? []).map { ($0.name, $0.slot.value) }))
    }

    var count: Int { elements?.count ?? 0 }

    func set(_ value: Value) { (scalar, elements, members) = (value, nil, nil) }

    func beginArray() { if elements == nil { (scalar, elements, members) = (nil, [], nil) } }

    func beginObject() { if members == nil { (scalar, elements, members) = (nil, nil, []) } }

    func append() -> EncodedSlot {
        let slot = EncodedSlot()
        elements?.append(slot)
        return slot
    }

    func member(_ name: String) -> EncodedSlot {
        let slot = EncodedSlot()
        members?.append((name, slot))
        return slot
    }
}

private struct SlotEncoder: Encoder, SingleValueEncodingContainer {
    let slot: EncodedSlot
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        slot.beginObject()
        return KeyedEncodingContainer(ObjectEncoder<Key>(slot: slot, codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        slot.beginArray()
        return ArrayEncoder(slot: slot, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func encodeNil() { slot.set(.null) }

    // The standard library refuses these, unless a container has functions of its own.
    func encode(_ value: Int128) throws { try encode(integer: value) }
    func encode(_ value: UInt128) throws { try encode(integer: value) }

    func encode<Encoded: Encodable>(_ value: Encoded) throws {
        switch value {
        case let value as Value: slot.set(value)
        case let number as any FixedWidthInteger & Encodable: try encode(integer: number)
        case let number as Double: try encode(number, of: value)
        case let number as Float: try encode(Double(number), of: value)
        case let text as String: slot.set(.string(text))
        case let bool as Bool: slot.set(.bool(bool))
        default: try value.encode(to: self)
        }
    }

    private func encode(integer number: some FixedWidthInteger & Encodable) throws {
        guard let int = Int64(exactly: number)
        else { throw fault(number, "\(number) does not fit an integer of 64 signed bits") }
        slot.set(.int(int))
    }

    private func encode(_ number: Double, of value: any Encodable) throws {
        guard number.isFinite else { throw fault(value, "JSON has no \(number)") }
        slot.set(.double(number))
    }

    private func fault(_ value: any Encodable, _ text: String) -> EncodingError {
        .invalidValue(value, EncodingError.Context(codingPath: codingPath, debugDescription: text))
    }
}

private struct ObjectEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let slot: EncodedSlot
    let codingPath: [any CodingKey]

    private func encoder(_ key: any CodingKey) -> SlotEncoder {
        SlotEncoder(slot: slot.member(key.stringValue), codingPath: codingPath + [key])
    }

    func encodeNil(forKey key: Key) { encoder(key).encodeNil() }

    func encode(_ value: some Encodable, forKey key: Key) throws { try encoder(key).encode(value) }
    func encode(_ value: Int128, forKey key: Key) throws { try encoder(key).encode(value) }
    func encode(_ value: UInt128, forKey key: Key) throws { try encoder(key).encode(value) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<Nested> { encoder(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder(ValueKey(stringValue: "super")) }

    func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }
}

private struct ArrayEncoder: UnkeyedEncodingContainer {
    let slot: EncodedSlot
    let codingPath: [any CodingKey]
    var count: Int { slot.count }

    private func encoder() -> SlotEncoder {
        SlotEncoder(slot: slot.append(), codingPath: codingPath + [ValueKey(intValue: slot.count - 1)])
    }

    func encodeNil() { encoder().encodeNil() }

    func encode(_ value: some Encodable) throws { try encoder().encode(value) }
    func encode(_ value: Int128) throws { try encoder().encode(value) }
    func encode(_ value: UInt128) throws { try encoder().encode(value) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        encoder().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder().unkeyedContainer() }

    func superEncoder() -> any Encoder { encoder() }
}

/// A name or an index on the way to a coded value.
struct ValueKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }
    init(intValue: Int) { (stringValue, self.intValue) = (String(intValue), intValue) }
}
