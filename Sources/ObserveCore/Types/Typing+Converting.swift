// SPDX-License-Identifier: MIT
// Converts values to a declared type without loss, or refuses them.

extension Typing {
    /// Converts the value, perhaps a weak reference, as declared. Continues the current trail.
    mutating func converted(
        _ value: StoredValue,
        as declared: Declared,
        isWeak: Bool = false,
        in records: borrowing Records
    ) throws(TreeError) -> StoredValue {
        let new = try converted(value, as: declared.type, in: records)
        if declared.isWeak, !new.isNull, new.modelID == nil {
            throw mismatch(declared.type, value, in: records)
        }
        if isWeak, !declared.isWeak, !declared.type.isOptional { throw notNullable(declared.type) }
        return new
    }

    /// Converts the value, and continues the current trail.
    mutating func converted(_ value: StoredValue, as type: ValueType, in records: borrowing Records)
        throws(TreeError) -> StoredValue
    {
        switch (type.wrapped, value) {
        case (.any, _): return value
        case (_, .null), (_, .absent):
            guard type.isOptional else { throw mismatch(type, value, in: records) }
            return .null
        case (.array(let element), .array(let array)): return try converted(array, of: element, in: records)
        case (.model(let wanted), .model(let model))
        where types.isKind(records.models[model].type, of: wanted): return value
        default:
            guard let scalar = types.scalar(value, as: type) else { throw mismatch(type, value, in: records) }
            return scalar
        }
    }

    private mutating func converted(
        _ array: StoredArray,
        of element: ValueType,
        in records: borrowing Records
    ) throws(TreeError) -> StoredValue {
        guard element.wrapped != .any else { return .array(array) }
        var elements = ContiguousArray<StoredValue>()
        elements.reserveCapacity(array.elements.count)
        for (index, value) in array.elements.enumerated() {
            trail.append(.index(index))
            elements.append(try converted(value, as: element, in: records))
            _ = trail.popLast()
        }
        return .array(StoredArray(elements))
    }
}

extension TypeTable {
    /// The scalar as that type; nil if the type does not have it.
    func scalar(_ value: StoredValue, as type: ValueType) -> StoredValue? {
        switch (type.wrapped, value) {
        case (.bool, .bool), (.string, .string), (.string, .text): return value
        case (.int, .int), (.int, .double), (.double, .int), (.double, .double): return value.number(as: type)
        case (.refined(let number), _):
            let refinement = refinements[Int(number)]
            return scalar(value, as: refinement.base).flatMap { refinement.accepts($0) ? $0 : nil }
        default: return nil
        }
    }

    /// The value of a place without a given value or a default; nil for a model.
    func empty(_ type: ValueType) -> StoredValue? {
        switch type {
        case .any, .optional: .null
        case .bool: .bool(false)
        case .int: .int(0)
        case .double: .double(0)
        case .string: .string(StoredString.make(ByteView("")))
        case .array: .array(StoredArray([]))
        case .model: nil
        case .refined(let number): refinements[Int(number)].empty ?? empty(refinements[Int(number)].base)
        }
    }

    /// What was found, in a sentence; `type` is that of a model.
    func phrase(_ value: StoredValue, _ type: TypeID?) -> String {
        switch value {
        case .bool, .int, .double: value.json
        case .model where type == .noRecord: "a model of no declared type"
        case .model: type.map { "a model of type \(self[$0].name)" } ?? value.kindPhrase
        case .absent, .null, .string, .text, .array: value.kindPhrase
        }
    }
}

extension StoredValue {
    /// The number as that type; nil if the conversion would change its numeric value.
    func number(as type: ValueType) -> StoredValue? {
        switch (type.wrapped, self) {
        case (.int, .double(let double)): Numbers.exactInt64(double).map(StoredValue.int)
        case (.double, .int(let int)): Numbers.equal(int, Double(int)) ? .double(Double(int)) : nil
        default: self
        }
    }
}
