// SPDX-License-Identifier: MIT
// Reads the declarations of types. Independent of the notation of types.

internal import ObserveCore

extension ConfigurationReader {
    private static let propertyKeys = ["type", "default", "readonly", "weak", "computed"]

    mutating func readTypes(_ types: Part) {
        let wanted = "an object with a member for each"
        for (name, type) in readObject(types, "\(wanted) type") ?? [] {
            var declaration = TypeDeclaration(name, [])
            for (name, property) in readObject(type, "\(wanted) property") ?? [] {
                declaration.properties.append(readProperty(property, name))
            }
            configuration.types.append(declaration)
        }
    }

    /// The declaration; if it is faulty, its type is `Any`.
    private mutating func readProperty(_ part: Part, _ name: String) -> PropertyDeclaration {
        if let type = part.value?.string { return PropertyDeclaration(name, type) }
        var property = PropertyDeclaration(name, "Any")
        property.isAbbreviated = false
        let wanted = "a type, or an object with a type"
        guard readObject(part, wanted, known: Self.propertyKeys) != nil else { return property }
        if part["type"].value == nil { report("missing, expected a type", at: part["type"]) }
        property.type = readString(part["type"], "a type") ?? "Any"
        property.isReadonly = readFlag(part["readonly"]) ?? false
        property.isWeak = readFlag(part["weak"]) ?? false
        property.computed = readString(part["computed"], "a template")
        if let initial = part["default"].value {
            let before = faults.count
            check(initial, at: part["default"].place, level: 1)
            if faults.count == before { property.initial = initial }
        }
        return property
    }
}
