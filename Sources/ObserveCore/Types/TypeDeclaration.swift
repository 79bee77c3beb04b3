// SPDX-License-Identifier: MIT
// Declarations of types, as text that may be invalid. Data only.

/// The declaration of one model type.
package struct TypeDeclaration: Equatable, Sendable {
    package var name: String
    package var properties: [PropertyDeclaration]

    package init(_ name: String, _ properties: [PropertyDeclaration]) {
        self.name = name
        self.properties = properties
    }
}

/// The declaration of one property of a model type.
package struct PropertyDeclaration: Equatable, Sendable {
    package var name: String
    /// In Swift's notation, perhaps after `weak` or `readonly`: `weak Player?`.
    package var type: String
    package var isWeak = false
    package var isReadonly = false
    /// The default.
    package var initial: Value?
    /// The template of a computed property.
    package var computed: String?
    /// Whether the declaration is only a type. If so, faults of the type name the property itself, not its
    /// member `type`.
    package var isAbbreviated = true

    package init(_ name: String, _ type: String) {
        self.name = name
        self.type = type
    }
}

/// A fault in a declaration.
package struct DeclarationFault: Error, Equatable, Sendable {
    /// The names that lead to the fault from the table of types.
    package let place: [String]
    /// One sentence, to follow the place.
    package let message: String
}
