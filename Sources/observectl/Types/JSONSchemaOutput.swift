// SPDX-License-Identifier: MIT
// Declared types as a JSON Schema of their values. Independent of the daemon.

import ObserveCore

extension DescribedTypes {
    /// The schema of a value at the place: it has no computed and no weak properties, which values of models leave out.
    var jsonSchema: Value {
        var schema = ValueMembers([("$schema", "http://json-schema.org/draft-07/schema#")])
        for (name, rule) in shape.schema.object ?? ValueMembers() { schema[name] = rule }
        if !types.isEmpty {
            schema["definitions"] = .object(ValueMembers(types.map { ($0.name, $0.schema) }))
        }
        return .object(schema)
    }
}

extension DescribedType {
    fileprivate var schema: Value {
        let shown = properties.filter { !$0.isComputed && !$0.isWeak }
        let required = shown.filter { $0.shape.isModel && $0.initial == nil }
        var schema = ValueMembers([("type", "object")])
        if !required.isEmpty { schema["required"] = .array(required.map { .string($0.name) }) }
        schema["properties"] = .object(ValueMembers(shown.map { ($0.name, $0.schema) }))
        schema["additionalProperties"] = false
        return .object(schema)
    }
}

extension DescribedType.Property {
    fileprivate var schema: Value {
        // Beside a reference, readers of JSON Schema ignore other members.
        guard let initial, var rules = shape.schema.object, rules["$ref"] == nil else { return shape.schema }
        rules["default"] = initial
        return .object(rules)
    }
}

extension DeclaredShape {
    fileprivate var schema: Value {
        switch self {
        case .any: return [:]
        case .bool: return ["type": "boolean"]
        case .string: return ["type": "string"]
        case .number(let isWhole, let low, let high):
            var rules = ValueMembers([("type", isWhole ? "integer" : "number")])
            rules["minimum"] = low
            rules["maximum"] = high
            return .object(rules)
        case .model(let name): return ["$ref": .string("#/definitions/\(name)")]
        case .array(let element): return ["type": "array", "items": element.schema]
        case .dictionary(let element): return ["type": "object", "additionalProperties": element.schema]
        case .optional(let wrapped): return ["anyOf": [wrapped.schema, ["type": "null"]]]
        }
    }
}
