// SPDX-License-Identifier: MIT
// Converts values to a declared type without loss, or refuses them.

extension Typing {
    /// Converts the value, perhaps a weak reference, according to a declaration. Continues the current trail.
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
        case (.bool, .bool), (.string, .string), (.string, .text): return value
        case (.int, .int), (.int, .double), (.double, .int), (.double, .double):
            guard let number = value.number(as: type) else { throw mismatch(type, value, in: records) }
            return number
        case (.array(let element), .array(let array)): return try converted(array, of: element, in: records)
        case (.refined(let number), _):
            let refinement = types.refinements[Int(number)]
            let converted = try converted(value, as: refinement.base, in: records)
            guard refinement.accepts(converted) else { throw mismatch(type, value, in: records) }
            return converted
        case (.model(let wanted), .model(let model))
        where types.isKind(records.models[model].type, of: wanted):
            return value
        default: throw mismatch(type, value, in: records)
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
