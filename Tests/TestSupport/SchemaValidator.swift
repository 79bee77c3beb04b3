// SPDX-License-Identifier: MIT
// Checks values against JSON schemas, strictly. Independent of the protocol.

package import ObserveCore

/// Checks values against the schemas of one document.
///
/// It is strict: an object has no member besides those in `properties`, unless `additionalProperties` is a schema.
/// A keyword without a case here is a fault, so no schema is half understood.
package struct SchemaValidator {
    package let document: Value

    package init(_ document: Value) { self.document = document }

    /// The target of a reference, or the value itself.
    package func resolved(_ value: Value) -> Value? {
        guard let reference = value["$ref"] else { return value }
        guard let path = reference.string, path.hasPrefix("#/"), value.object?.count == 1 else { return nil }
        var target: Value? = document
        for name in path.dropFirst(2).split(separator: "/") { target = target?[String(name)] }
        return target.flatMap { resolved($0) }
    }

    /// What does not fit, each with its place; nothing if the value is valid.
    package func faults(_ value: Value, _ schema: Value, at place: String) -> [String] {
        guard let schema = resolved(schema), let keywords = schema.object else {
            return ["\(place): the schema is missing"]
        }
        var faults: [String] = []
        for (name, rule) in keywords {
            switch name {
            case "description", "default", "additionalProperties": break
            case "$schema", "title", "definitions": if place != "" { faults.append("\(place) has \(name)") }
            case "type": if !isOf(rule, value) { faults.append("\(place) is not of type \(rule.json)") }
            case "enum":
                if rule.array?.contains(value) != true { faults.append("\(place) is not in \(rule.json)") }
            case "anyOf": faults += alternatives(value, rule, at: place)
            case "oneOf":
                let fitting = (rule.array ?? []).filter { self.faults(value, $0, at: place).isEmpty }
                if fitting.count != 1 { faults.append("\(place) fits \(fitting.count) of \(rule.json)") }
            case "maximum": if !isAtMost(rule, value) { faults.append("\(place) is more than \(rule.json)") }
            case "minimum": if !isAtLeast(rule, value) { faults.append("\(place) is less than \(rule.json)") }
            case "maxLength":
                if let text = value.string, let most = rule.int, text.unicodeScalars.count > most {
                    faults.append("\(place) is too long")
                }
            case "minItems":
                if let items = value.array, let least = rule.int, items.count < least {
                    faults.append("\(place) has too few items")
                }
            case "items":
                for (index, item) in (value.array ?? []).enumerated() {
                    faults += self.faults(item, rule, at: "\(place).\(index)")
                }
            case "required":
                guard let members = value.object else { break }
                for name in rule.array ?? [] where name.string.flatMap({ members[$0] }) == nil {
                    faults.append("\(place) lacks \(name.json)")
                }
            case "properties": break
            default: faults.append("\(place): the schema has the keyword \(name)")
            }
        }
        return faults
            + members(of: value, keywords["properties"], keywords["additionalProperties"], at: place)
    }

    private func members(of value: Value, _ properties: Value?, _ others: Value?, at place: String)
        -> [String]
    {
        guard let members = value.object, properties != nil || others != nil else { return [] }
        return members.flatMap { member in
            if let schema = properties?[member.name] {
                return faults(member.value, schema, at: "\(place).\(member.name)")
            }
            guard let others, others.bool == nil else {
                return ["\(place) has an unknown member \(member.name)"]
            }
            return faults(member.value, others, at: "\(place).\(member.name)")
        }
    }

    private func alternatives(_ value: Value, _ schemas: Value, at place: String) -> [String] {
        var all: [String] = []
        for schema in schemas.array ?? [] {
            let found = faults(value, schema, at: place)
            if found.isEmpty { return [] }
            all += found
        }
        return all.isEmpty ? ["\(place): nothing is allowed"] : all
    }

    private func isOf(_ type: Value, _ value: Value) -> Bool {
        switch (type.string, value) {
        case ("null", .null), ("boolean", .bool), ("string", .string), ("array", .array), ("object", .object),
            ("integer", .int), ("number", .int), ("number", .double):
            true
        default: false
        }
    }

    private func isAtMost(_ most: Value, _ value: Value) -> Bool {
        guard let number = value.double, let most = most.double else { return true }
        return number <= most
    }

    private func isAtLeast(_ least: Value, _ value: Value) -> Bool {
        guard let number = value.double, let least = least.double else { return true }
        return number >= least
    }
}
