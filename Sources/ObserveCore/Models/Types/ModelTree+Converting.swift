// SPDX-License-Identifier: MIT
// Converts values to a declared type without loss, or refuses them.

extension ModelTree {
    /// Converts the value according to a declaration, and begins the trail at `path`.
    func converted(_ value: StoredValue, as declared: Declared, at path: ParsedKeyPath) throws(TreeError)
        -> StoredValue
    {
        beginTrail(.path(path))
        if declared.isWeak, !value.isNull, value.modelID == nil { throw mismatch(declared.type, value) }
        return try converted(value, as: declared.type)
    }

    /// Converts the value, and continues the current trail.
    func converted(_ value: StoredValue, as type: ValueType) throws(TreeError) -> StoredValue {
        switch (type.wrapped, value) {
        case (.any, _): return value
        case (_, .null), (_, .absent):
            guard type.isOptional else { throw mismatch(type, value) }
            return .null
        case (.bool, .bool), (.string, .string), (.string, .text): return value
        case (.int, .int), (.int, .double), (.double, .int), (.double, .double):
            guard let number = number(value, as: type) else { throw mismatch(type, value) }
            return number
        case (.array(let element), .array(let array)): return try converted(array, of: element)
        case (.refined(let number), _):
            let refinement = typing.types.refinements[Int(number)]
            let converted = try converted(value, as: refinement.base)
            guard refinement.accepts(converted) else { throw mismatch(type, value) }
            return converted
        case (.model(let wanted), .model(let model))
        where typing.types.isKind(records.models[model].type, of: wanted):
            return value
        default: throw mismatch(type, value)
        }
    }

    func converted(_ array: StoredArray, of element: ValueType) throws(TreeError) -> StoredValue {
        guard element.wrapped != .any else { return .array(array) }
        var elements = ContiguousArray<StoredValue>()
        elements.reserveCapacity(array.elements.count)
        for (index, value) in array.elements.enumerated() {
            typing.trail.append(.index(index))
            elements.append(try converted(value, as: element))
            _ = typing.trail.popLast()
        }
        return .array(StoredArray(elements))
    }

    /// The number as that type; nil if the conversion would change its numeric value.
    func number(_ value: StoredValue, as type: ValueType) -> StoredValue? {
        switch (type.wrapped, value) {
        case (.int, .double(let double)): Numbers.exactInt64(double).map(StoredValue.int)
        case (.double, .int(let int)): Numbers.equal(int, Double(int)) ? .double(Double(int)) : nil
        default: value
        }
    }

    /// Whether some value of `found`, apart from null, may have the type `wanted`.
    func mayHold(_ wanted: ValueType, _ found: ValueType) -> Bool {
        let types = typing.types
        return switch (types.unrefined(wanted.wrapped), types.unrefined(found.wrapped)) {
        case (.any, _), (_, .any), (.int, .double), (.double, .int): true
        case (.array(let wanted), .array(let found)): mayHold(wanted, found)
        case (.model(let wanted), .model(let found)):
            types.isKind(found, of: wanted) || types.isKind(wanted, of: found)
        case (let wanted, let found): wanted == found
        }
    }
}
