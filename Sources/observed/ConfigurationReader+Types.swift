// SPDX-License-Identifier: MIT
// Reads the declarations of types. Independent of the notation of types.

internal import ObserveCore

extension ConfigurationReader {
    private static let propertyKeys = ["type", "default", "readonly", "weak", "computed"]

    mutating func readTypes(_ types: Value) {
        let wanted = "an object with a member for each"
        for (name, type) in readObject(types, "\(wanted) type", at: ["types"]) ?? ValueMembers() {
            var declaration = TypeDeclaration(name, [])
            let properties = readObject(type, "\(wanted) property", at: ["types", name])
            for (property, value) in properties ?? ValueMembers() {
                declaration.properties.append(readProperty(value, property, at: ["types", name, property]))
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
        let wanted = "a type, or an object with a type"
        guard let members = readObject(value, wanted, known: Self.propertyKeys, at: place) else {
            return property
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
