// SPDX-License-Identifier: MIT
// Reads the declarations of types. Independent of the notation of types.

internal import ObserveCore

extension ConfigurationReader {
    private static let propertyKeys = ["type", "default", "readonly", "weak", "computed"]

    mutating func readTypes(_ types: Value) {
        guard let members = types.object else {
            return report(.expected("an object with a member for each type", at: ["types"], found: types))
        }
        for (name, type) in members {
            var declaration = TypeDeclaration(name, [])
            if let properties = type.object {
                for (property, value) in properties {
                    declaration.properties.append(
                        readProperty(value, property, at: ["types", name, property])
                    )
                }
            } else {
                let wanted = "an object with a member for each property"
                report(.expected(wanted, at: ["types", name], found: type))
            }
            configuration.types.append(declaration)
        }
    }

    /// The declaration; if it is faulty, its type is `Any`.
    private mutating func readProperty(
        _ value: Value,
        _ name: String,
        at place: [String]
    ) -> PropertyDeclaration {
        if let type = value.string { return PropertyDeclaration(name, type) }
        var property = PropertyDeclaration(name, "Any")
        property.isAbbreviated = false
        guard let members = value.object else {
            report(.expected("a type, or an object with a type", at: place, found: value))
            return property
        }
        for (key, _) in members where !Self.propertyKeys.contains(key) {
            report(.unknownKey(at: place + [key], known: Self.propertyKeys))
        }
        if members["type"] == nil { report(.missing("a type", at: place + ["type"])) }
        property.type = readString(members["type"], "a type", at: place + ["type"]) ?? "Any"
        property.isReadonly = readFlag(members["readonly"], at: place + ["readonly"]) ?? false
        property.isWeak = readFlag(members["weak"], at: place + ["weak"]) ?? false
        property.computed = readString(members["computed"], "a template", at: place + ["computed"])
        if let initial = members["default"] {
            let before = faults.count
            check(initial, at: place + ["default"], level: 1)
            if faults.count == before { property.initial = initial }
        }
        return property
    }
}
